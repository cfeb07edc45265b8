"""The garden: hunters go for the walker and eat the hedges in their way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, cast

from tests.games.rules import rules
from tests.games.solver import Step
from tests.games.writing import keys

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

DIRECTIONS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0)}

actions = keys


class Garden:
    """A level of nv52; `without` are signs whose cells are plain floor instead; a filled hole is water."""

    def __init__(self, level: int, without: str = "", is_filled: bool = False) -> None:
        self._rules = rules("nv52")
        picture = self._rules.LEVELS[level - 1]
        for sign in without:
            picture = picture.replace(sign, ".")
        self._board, self.start = self._rules.parse(picture.replace("o", "#") if is_filled else picture)

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in DIRECTIONS.items():
            after = self._rules.step(self._board, state, direction)
            if not after.is_caught:
                yield sign, after

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state)

    def estimate(self, state: Any) -> int:
        return 0


puzzle = Garden
