"""The model room: directions only; it cannot be lost, so its loss gives up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.games.rules import Level, rules
from tests.games.solver import Step
from tests.games.writing import keys

CONTROLS = (1, 2, 3, 4)
CANNOT_BE_LOST = True
QUICKLY_SEARCHED = (1, 3, 4, 7)

FEWEST = (
    "DDRRRDDRRRRRRR",
    "DDDDDRRDDRRUUULURRURRDRURDDDUUUUURULLLLLLLLL",
    "DRRRRRRDDDRDLLLLLULDDDDLDRRRLLUUUUUULLLLDDDDDDD",
    "UUUUUURRUURRRRRRRDDDDDDRDLLLLLLDLUUUUUULURURRRRRULLLLLLL",
    "DDRRRRRDDLDDDRRRRDRUUUUURULUURULLLLLLLLL",
    "DDDDDRRRDDRRULDLUUULUURRDDRRRRUUUUUUU",
    "UULUULLLLUUUURULULDDDDRDLULDDDLDRRRDRURUURRUUUUURRR",
    "DDDRRRDLDDDRDDLUUDRRULLLURDRRURRRRUUUUUUU",
)

TRIED = (
    "RRRRRDDDDDRRR X",
    "DDDDDRRRRUUURR X",
    "RRRRRRRDDDDDDDDDD X",
    "UUUUUURRUURRRRRRRUU X",
    "DDDDDRRDDRRUUULURR X",
    "DDDDDRRRRRUU X",
    "UULUULLLLUUUU X",
    "DDDRRRDDDLL X",
)

LOST = FEWEST[0] + "DDDDDRRRRUUURRDDLLUU" + "LLDDRRUU" * 2

actions = keys


class ModelRoom(Level):
    """A level of ke52; `without` are kinds of steps (`kind`) that may not be made."""

    def __init__(self, level: int, without: frozenset[str] = frozenset()) -> None:
        self._rules = rules("ke52")
        self._board, self.start = self._rules.parse(self._rules.LEVELS[level - 1])
        self._without = without

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in zip("UDLR", self._rules.DIRECTIONS.values(), strict=True):
            after = self._rules.act(self._board, state, direction)
            if self.kind(state, after) not in self._without:
                yield sign, after

    def kind(self, before: Any, after: Any) -> str:
        """What a step does: walk, table, figure (pushes a block's figure), off, on (the table) or pebble."""
        if before.table != after.table:
            return "table"
        if before.blocks != after.blocks:
            more = len(after.blocks) - len(before.blocks)
            return {-1: "off", 0: "figure", 1: "on"}[more]
        return "walk" if before.pebbles == after.pebbles else "pebble"


puzzle = ModelRoom
