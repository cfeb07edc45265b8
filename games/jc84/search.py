"""The flock: bridges that bear an exact number."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from engine.prove.search import DIRECTIONS, Level, Step, keys, plain

CONTROLS = (1, 2, 3, 4, 5)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "RRD",
    "RIUIILIDRUI",
    "DIIRIULIDLIDII",
    "RIIDIILUIRIIDRIU",
    "DIIURIDLIURIIDLURU",
    "DIIDILUUIIRDIIDRIII",
    "IRDIRDLIIUIIRDILIULI",
    "RIILDRIUILDRIULDRIUULLI",
)

TRIED = ("RL X", "UR X", "R X", "U X RIIDIILU X", "L X", "DU X DIIDILUUI X", "R X", "U X RIILDRIUILD X")

LOST = FEWEST[0] + "UR"

actions = keys


class Flock(Level):
    """A level of jc84; `without` are signs of islands that are empty ones instead."""

    def __init__(self, rules: ModuleType, level: int, without: str = "", *, may_leave: bool = True) -> None:
        self._rules = rules
        plan = self._rules.LEVELS[level - 1]
        without_them = plan._replace(picture=plain(plan.picture, without))
        self._board, self.start = self._rules.parse(without_them)
        self._may_leave = may_leave

    def steps(self, state: Any) -> Iterable[Step]:
        found = [(sign, self._rules.go(self._board, state, step)) for sign, step in DIRECTIONS.items()]
        if self._may_leave:
            found.append(("I", self._rules.leave(self._board, state)))
        yield from ((sign, after) for sign, after in found if not after.is_lost)


puzzle = Flock
