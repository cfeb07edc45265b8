"""A search for the fewest steps of a level, over its own rules."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Any, Protocol

Step = tuple[str, Any]  # how it is written, and the state it leads to


class Puzzle(Protocol):
    """One level as a search problem; `estimate` never exceeds the steps still needed."""

    start: Any

    def steps(self, state: Any) -> Iterable[Step]: ...
    def solved(self, state: Any) -> bool: ...
    def key(self, state: Any) -> Hashable: ...
    def estimate(self, state: Any) -> int: ...


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
