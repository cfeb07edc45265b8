"""Stones and plates: directions and interact; a fall begins the level anew, so its loss gives up."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from engine.prove.search import Level, Step, keys

CONTROLS = (1, 2, 3, 4, 5)
CANNOT_BE_LOST = True
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 7)

FEWEST = (
    "RIRRRRRDDDDD",
    "RRRURRUULIURIDILUIDDDDRRRR",
    "RRIDDLLIUURRRRDRRIULIDDRDDDDDRR",
    "RRRDDDDRRIULUUUUUUIULIRRDILDDDRRRR",
    "RRIDDLDDDDIUUUUURRRRDIUURIDDDDDDDRR",
    "DRIRRRRIDIRUUILLLLDDIULIDDDDDDRRRRRRR",
    "RRRURRILDDRILUUUUURIDDDIDRRR",
)

TRIED = (
    "RRRRRR RRDURI X",
    "RRRRR RRRURUUU X",
    "RRRR RRIDDLLDD X",
    "RRRRRR RRRDDDDRRIULUUU X",
    "RRR RRIDDLDDD X",
    "DRRR DRIRRRRIDLL X",
    "RRRRR RRRURRILDDR X",
)

LOST = FEWEST[0] + TRIED[1] + "RRRURRUULIU" + "RIUR" * 4

actions = keys


class Stones(Level):
    """A level of gn36; stones `left` are never taken up, and signs of the picture may be `changed`."""

    def __init__(
        self,
        rules: ModuleType,
        level: int,
        left: frozenset[int] = frozenset(),
        changed: tuple[str, str] = ("", ""),
    ) -> None:
        self._rules = rules
        picture = self._rules.LEVELS[level - 1].translate(str.maketrans(*changed))
        self._board, self.start = self._rules.parse(picture)
        self._left = left

    def steps(self, state: Any) -> Iterable[Step]:
        moves = [
            (sign, self._rules.move(self._board, state, direction))
            for sign, direction in zip("UDLR", self._rules.DIRECTIONS.values(), strict=True)
        ]
        for sign, after in [*moves, ("I", self._rules.handle(self._board, state))]:
            if not after.fallen and after.held not in self._left:
                yield sign, after


puzzle = Stones
