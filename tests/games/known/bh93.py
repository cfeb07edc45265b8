"""The lake: pads of which some bear."""

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
    "RRURRDD",
    "URRDDDRRURR",
    "RRURRRDDLDDRR",
    "RRDUDUDDLDDRRRR",
    "LLLLDDDDRRURRDDR",
    "URRURRRDDLDDRR",
    "RRDUDUDDLDDLLDLL",
    "LLDUDURRRRDUDDLLDDRRDR",
)

TRIED = (
    "UR X UD",
    "R X UUDD",
    "UR X RRURRRDDD X UD",
    "RRDD X RRDUDUDDLDR X RRLL",
    "LLLLDDR X LLRR",
    "RU X URRURRRDDD X UUDD",
    "LLDD X RL",
    "RRDD X LLDUDURRRRDUDDD X LR",
)

LOST = FEWEST[0] + "R"

DIRECTIONS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0)}

actions = keys


class Lake:
    """A level of bh93; `without` are signs of land that is plain instead."""

    def __init__(self, level: int, without: str = "") -> None:
        self._rules = rules("bh93")
        plan = self._rules.LEVELS[level - 1]
        for sign in without:
            plan = plan._replace(picture=plan.picture.replace(sign, "."))
        self._board, self.start = self._rules.parse(plan)

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in DIRECTIONS.items():
            after = self._rules.step(self._board, state, direction)
            if not after.is_lost:
                yield sign, after

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state)

    def estimate(self, state: Any) -> int:
        return 0


puzzle = Lake
