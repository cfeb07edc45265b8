"""The cups. r34 clicks the right half of the cell in column 3 and row 4, counted from 0; l34 the left one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from engine.play.actions import CLICK, RESET, Action
from engine.prove.search import Level, Step

CONTROLS = (CLICK,)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "r13 r23 r33 r44 r54",
    "l31 l21 r11 l21 r11 r21 r31 r41 r52 r62 l74",
    "r26 r36 l55 r45 r55 r65 l75 l65 l55 r45 l55 l45 l46 r36",
    "r11 r21 r31 l41 r31 r41 r53 r54 l64 r54 l64 r54 l64 r65 l75",
    "r14 r22 r24 r34 r32 r43 r44 l54 r44 l54 r44 l54 r44 r55 l66 r56 r66",
    "r11 r21 r24 r31 r44 r34 r54 r44 r54 l64 r54 l64 r54 l64 r54 l64 r65",
    "l31 r23 r33 l35 r43 l51 l41 l31 l23 r15 r25 r25 r53 l65 l55 r35 r45 r55 r65 r65",
    "r13 r23 l61 l51 l41 l71 l61 l51 l41 r31 l41 r31 l41 r31 l32 l23 l13 l33 r23 l33 l23 r41 r51 r61",
)

TRIED = (
    "r13 l23 X",
    "r31 r41 r52 r62 l74 l64 X",
    "r26 r36 l55 l45 l36 l26 X",
    "r11 l21 r11 l21 r54 l11 X",
    "r22 l32 r22 r14 l24 l14 X",
    "r11 l24 r21 r31 r44 l15 X",
    "l31 r23 r33 X",
    "l61 l51 X",
)

LOST = FEWEST[0] + " r31 r41 r52 r62 l74 l64"

SIZE = 8
"""Pixels a cell."""


def actions(written: str) -> Iterator[Action]:
    """The actions a text stands for."""
    for token in written.split():
        yield Action(RESET) if token == "X" else Action(CLICK, *_pixel(token))


def _pixel(token: str) -> tuple[int, int]:
    across = 6 if token[0] == "r" else 1
    return SIZE * int(token[1]) + across, SIZE * int(token[2]) + SIZE // 2


class Ledges(Level):
    """A level of kr68; with `rough`, cups roll on all ground; `without` are things that are not there."""

    def __init__(self, rules: ModuleType, level: int, without: str = "", *, rough: bool = False) -> None:
        self._rules = rules
        plan = self._rules.LEVELS[level - 1]
        things = {sign: one for sign, one in plan.things.items() if sign not in without}
        goals = plan.goals
        if rough:
            goals = {sign: "#" + one[1:] for sign, one in goals.items()}
            plan = plan._replace(picture=plan.picture.replace("=", "#"))
        self._board, self.start = self._rules.parse(plan._replace(things=things, goals=goals))

    def steps(self, state: Any) -> Iterable[Step]:
        for at, one in state:
            for side, sign in ((-1, "l"), (1, "r")):
                moments = self._rules.move(self._board, state, at, side) if one.size else []
                if moments and not self._rules.is_lost(moments[-1]):
                    yield f"{sign}{at[0]}{at[1]}", moments[-1]


puzzle = Ledges
