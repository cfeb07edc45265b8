"""The lake: pads of which some bear."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from engine.prove.search import DIRECTIONS, Level, Step, keys, plain

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

actions = keys


class Lake(Level):
    """A level of bh93; `without` are signs of land that is plain instead."""

    def __init__(self, rules: ModuleType, level: int, without: str = "") -> None:
        self._rules = rules
        plan = self._rules.LEVELS[level - 1]
        without_them = plan._replace(picture=plain(plan.picture, without))
        self._board, self.start = self._rules.parse(without_them)

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in DIRECTIONS.items():
            after = self._rules.step(self._board, state, direction)
            if not after.is_lost:
                yield sign, after


puzzle = Lake
