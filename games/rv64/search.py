"""The second walker: an echo repeats the last four steps; it cannot be lost, so its loss gives up."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from engine.prove.search import Level, Step, keys

CONTROLS = (1, 2, 3, 4, 5)
CANNOT_BE_LOST = True
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "RRDDI",
    "UULRDDRIUUDUDDIUUDLDI",
    "UDUDRILLRRLRIULDUDDIUURLDDLI",
    "RDUULLIRRDLUDUIRLLDUI",
    "URDDLIUURLDDIULRRURI",
    "DLURRUILLRRDDIULDRUI",
    "ULRLRRILDDIUURLRLLIRRDLUDUIRDULLIRDDUURDI",
    "ULRRLRIDLURLRIDDLIUUDDRUI",
)

TRIED = (
    "IRIR X",
    "DDRRI DRUUI X",
    "RRDDI UDUDRI X",
    "RUULI RDDLI X",
    "URDDLI DRUULI X",
    "RDLLI X",
    "UDDLI URRDI X",
    "RDDLI LURRI X",
)

LOST = FEWEST[0] + "DDRRI DRUUI LLUUI RRDDI"

actions = keys


class SecondWalker(Level):
    """A level of rv64; `without` are kinds of tiles that are plain ones instead: p, t or m."""

    def __init__(self, rules: ModuleType, level: int, without: str = "") -> None:
        self._rules = rules
        plan = self._rules.LEVELS[level - 1]
        for sign in without:
            plan = plan._replace(room=plan.room.replace(sign, "."))
            plan = plan if sign == "p" else plan._replace(field=plan.field.replace(sign, "."))
        self._board, self.start = self._rules.parse(plan)

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in zip("URDL", range(4), strict=True):
            yield sign, self._rules.walk(self._board, state, direction)
        yield "I", self._rules.call(self._board, state)


puzzle = SecondWalker
