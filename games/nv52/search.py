"""The garden: hunters go for the walker and eat the hedges in their way."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from engine.prove.search import DIRECTIONS, Level, Step, keys, plain

CONTROLS = (1, 2, 3, 4)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "RDDDDDDRDDRR",
    "LLLDUDDLLUUDDRRDDDDDDLLL",
    "RRDDRDRDDDRRDDLLLLUURUUUULLLDDD",
    "DURDDDRRDDRRULLULULUUDURUURRRDDLD",
    "LLLRRRDUDUDULLDDLLURRUDDDRDDULLDDDDRRRR",
    "LLUULLLLDDLLRLRRRRRRUULLLLLU",
    "DLDDUUURRRLRLLDLDDRRDDDL",
    "DRDUDUDULUULDDUDDLDLLDLDDRRRUUUULLUU",
)

TRIED = (
    "RDDDDDDX",
    "LLLDUDUDDDX",
    "RRDDRD X RRDDLX",
    "DURDDD X RLRLX",
    "LLLRRR X LLLDDDX",
    "LLUULL X LLUULUX",
    "RDX",
    "DRDUDU X DRDDLX",
)

LOST = FEWEST[0] + "LLLDUDUDDD"

actions = keys


class Garden(Level):
    """A level of nv52; `without` are signs whose cells are plain floor instead; a filled hole is water."""

    def __init__(self, rules: ModuleType, level: int, without: str = "", is_filled: bool = False) -> None:
        self._rules = rules
        picture = plain(self._rules.LEVELS[level - 1], without)
        self._board, self.start = self._rules.parse(picture.replace("o", "#") if is_filled else picture)

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in DIRECTIONS.items():
            after = self._rules.step(self._board, state, direction)
            if not after.is_caught:
                yield sign, after


puzzle = Garden
