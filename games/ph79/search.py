"""The folded sheet. v4 clicks the tab of the crease before column 4, h3 before row 3; d and u slant."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from types import ModuleType
from typing import Any, cast

from engine.play.actions import CLICK, RESET, Action
from engine.prove.search import Level, Step, plain
from games.ph79.source.drawing import TAB, tab
from games.ph79.source.rules import crease_of

CONTROLS = (CLICK,)
CANNOT_BE_LOST = False
QUICKLY_SEARCHED = (1, 2, 3, 4, 5, 6, 7, 8)

FEWEST = (
    "v4 h4 v4",
    "h4 v6 v3 h4 h7 h4 v4 v6",
    "h6 h6 h4 h4 h6 h4 h1 h4",
    "v2 h5 v3 h4 h2 v5 h4 v6",
    "v7 h5 h5 v5 v2 h5 h7 h5",
    "v4 u v6 h7 u v1 v2 u",
    "v4 v6 v3 v3 v6 u h3 v4",
    "h4 d v6 h4 v6 h3 h4 d",
)

TRIED = ("v4 X", "v1 v1", "h4", "v2 X", "h5 h5 X", "u", "v4 u X", "v3 v3")

LOST = FEWEST[0] + " v1" * 3


def actions(written: str) -> Iterator[Action]:
    """The actions a text stands for."""
    for token in written.split():
        yield Action(RESET) if token == "X" else Action(CLICK, *_place(token))


def _place(token: str) -> tuple[int, int]:
    left, top = tab(crease_of(token, 8))
    return left + TAB // 2, top + TAB // 2


class FoldedSheet(Level):
    """A level of ph79, on its first sheet; `without` are signs of the sheet that are empty cells instead."""

    def __init__(self, rules: ModuleType, level: int, without: str = "", creases: str = "") -> None:
        self._rules = rules
        plan = self._rules.LEVELS[level - 1]
        changed = plan._replace(sheet=plain(plan.sheet, without), creases=creases or plan.creases)
        self._board, self.start = self._rules.parse(changed)

    def steps(self, state: Any) -> Iterable[Step]:
        for crease in self._board.creases:
            after = self._rules.fold(self._board, state, crease)
            if not self._rules.is_spoilt(self._board, after):
                yield crease.name, after

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state.inks)


puzzle = FoldedSheet
