"""Lamps, screens and plates: directions and interact; a fall begins the level anew, so its loss gives up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.games.rules import Level, rules
from tests.games.solver import Step
from tests.games.writing import keys

CONTROLS = (1, 2, 3, 4, 5)
CANNOT_BE_LOST = True
QUICKLY_SEARCHED = (1, 2, 3, 4)

FEWEST = (
    "RIRRRRRDDDDD",
    "RRRURUUULIDRDDDDDLDDIUUUURRRRR",
    "DDIRIURRRRRRILLLLLLLDDDDDDRRIRRRRR",
    "RRRDDDDRRIULUUUUUUULIRRIDLLIRRDDDRRR",
    "DRIRRRRRIURIDILILLLLDLDDDDDRIRRRRDRR",
    "RRRURUUUIDDDDDDLDDIRIRILLUUUURRRRR",
    "DRDDDDLIURUUUUIDRRRRRILLLLLIRRRDDDDDDDRRRR",
    "DIUIDDRIURRRRRIDRIUULIDILLLLLDLIDDDDDRRRRRRR",
)

TRIED = (
    "RRRRRX RRRRRRDD",
    "RRRRR RRRURUUULIDRDDDR",
    "RRR DDIUURRR",
    "RRRRR RRRURUUURIDLD",
    "DRRR DRIRRRRR X",
    "RRRRR RRRURUUUIDDDDR",
    "DRDDDDLIRUUUURRRR X",
    "RRR RDDD DIRR X",
)

LOST = FEWEST[0] + TRIED[1] + "RRRURUUULI" + "DRDDDULLL" * 2

actions = keys


class Plates(Level):
    """A level of qd41; `without` are kinds of steps (`kind`) that may not be made."""

    def __init__(self, level: int, without: frozenset[str] = frozenset()) -> None:
        self._rules = rules("qd41")
        self._without = without
        self.lay(self._rules.LEVELS[level - 1])

    def lay(self, picture: str) -> None:
        """Plays this picture instead."""
        self._board, self.start = self._rules.parse(picture)

    def steps(self, state: Any) -> Iterable[Step]:
        moves = [
            (sign, self._rules.move(self._board, state, direction))
            for sign, direction in zip("UDLR", self._rules.DIRECTIONS.values(), strict=True)
        ]
        for sign, after in [*moves, ("I", self._rules.handle(self._board, state))]:
            if not after.fallen and self.kind(state, after) not in self._without:
                yield sign, after

    def kind(self, before: Any, after: Any) -> str:
        """What a step does: walk, or take or put a screen, a warm or a cold lamp."""
        if before.held == after.held:
            return "walk"
        thing = before.held if after.held is None else after.held
        name = ("screen", "warm", "cold")[self._board.kinds[thing]]
        return f"{'put' if after.held is None else 'take'} {name}"


puzzle = Plates
