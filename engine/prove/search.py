"""A search for the fewest steps of a level, over its own rules."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator
from heapq import heappop, heappush
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

from engine.play.actions import RESET, UNDO, Action

SEARCH = "search.py"
"""Beside a source: `puzzle(rules, level)`, with the source's module, and `actions(text)` of written steps."""
Step = tuple[str, Any]  # how it is written, and the state it leads to
DIRECTIONS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0)}
_KEYS = {"X": RESET, "U": 1, "D": 2, "L": 3, "R": 4, "I": 5, "Z": UNDO}


def keys(written: str) -> Iterator[Action]:
    """U D L R: a direction; I: interact; Z: undo; X: reset of the level. Spaces mean nothing."""
    return (Action(_KEYS[sign]) for sign in written.replace(" ", ""))


def plain(picture: str, signs: str, instead: str = ".") -> str:
    """A level's picture with plain floor, or another sign, where these signs are."""
    return picture.translate(dict.fromkeys(map(ord, signs), instead))


class Puzzle(Protocol):
    """One level as a search problem; `estimate` never exceeds the steps still needed."""

    start: Any

    def steps(self, state: Any) -> Iterable[Step]: ...
    def solved(self, state: Any) -> bool: ...
    def key(self, state: Any) -> Hashable: ...
    def estimate(self, state: Any) -> int: ...


class Level:
    """A level by its environment's rules; whoever derives sets `_rules` and `_board`, and has `steps`."""

    _rules: ModuleType
    _board: Any
    start: Any

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state)

    def estimate(self, state: Any) -> int:
        return 0


def solve(puzzle: Puzzle) -> list[str] | None:
    """Returns the steps of a shortest solution by A*, or None if the level has no solution."""
    order = count()
    waiting: list[tuple[int, int, int, Any]] = [(0, next(order), 0, puzzle.start)]
    came: dict[Hashable, tuple[Hashable, str] | None] = {puzzle.key(puzzle.start): None}
    cost = {puzzle.key(puzzle.start): 0}
    while waiting:
        _, _, steps, state = heappop(waiting)
        key = puzzle.key(state)
        if steps > cost[key]:
            continue
        if puzzle.solved(state):
            return _steps_to(came, key)
        for written, after in puzzle.steps(state):
            reached = puzzle.key(after)
            if steps + 1 < cost.get(reached, sys.maxsize):
                cost[reached], came[reached] = steps + 1, (key, written)
                heappush(waiting, (steps + 1 + puzzle.estimate(after), -next(order), steps + 1, after))
    return None


def _steps_to(came: dict[Hashable, tuple[Hashable, str] | None], key: Hashable) -> list[str]:
    written = []
    while link := came[key]:
        key, step = link
        written.append(step)
    return written[::-1]


def load_search(folder: Path) -> ModuleType:
    """The module SEARCH of an environment's folder. Raises FileNotFoundError, and whatever it raises."""
    spec = spec_from_file_location(f"search_of_{folder.name}", folder / SEARCH)
    assert spec is not None, "the name ends in .py"
    assert spec.loader is not None, "the name ends in .py"
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
