"""The environments of `games/` as the tests see them."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from engine.play.source import Source, fresh_module, load

GAMES = Path(__file__).parents[2] / "games"
DIRECTIONS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0)}
ENVIRONMENTS = tuple(sorted(file.parent.name for file in GAMES.glob("*/metadata.json")))


@cache
def source(environment: str) -> Source:
    """Returns the committed version of an environment."""
    return load(GAMES / environment)


@cache
def rules(environment: str) -> ModuleType:
    """Returns the environment's module, which holds its pure rules."""
    return fresh_module(source(environment))


class Level:
    """A level as a search problem; whoever derives sets `_rules` and `_board`, and has `steps`."""

    _rules: ModuleType
    _board: Any
    start: Any

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state)

    def estimate(self, state: Any) -> int:
        return 0
