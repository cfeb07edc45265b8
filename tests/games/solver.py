"""Computes the fewest actions of a level in `games/` by searching its own rules.

`python -m tests.games.solver tz85 4` prints the solution of level 4 in the writing of `plays.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Any, Protocol, cast

from tests.games.rules import rules

Step = tuple[str, Any]  # how plays.py writes it, and the state it leads to


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


class ModelRoom:
    """A level of ke52; `without` are kinds of steps (`kind`) that may not be made."""

    def __init__(self, level: int, without: frozenset[str] = frozenset()) -> None:
        self._rules = rules("ke52")
        self._board, self.start = self._rules.parse(self._rules.LEVELS[level - 1])
        self._without = without

    def steps(self, state: Any) -> Iterable[Step]:
        for sign, direction in zip("UDLR", self._rules.DIRECTIONS.values(), strict=True):
            after = self._rules.act(self._board, state, direction)
            if self.kind(state, after) not in self._without:
                yield sign, after

    def kind(self, before: Any, after: Any) -> str:
        """What a step does: walk, table, figure (pushes a block's figure), off, on (the table) or pebble."""
        if before.table != after.table:
            return "table"
        if before.blocks != after.blocks:
            more = len(after.blocks) - len(before.blocks)
            return {-1: "off", 0: "figure", 1: "on"}[more]
        return "walk" if before.pebbles == after.pebbles else "pebble"

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state)

    def estimate(self, state: Any) -> int:
        return 0


class Reflections:
    """A level of mb62; a step is a jump, written mover>pivot, each a column and a row."""

    def __init__(self, level: int) -> None:
        self._rules = rules("mb62")
        self._board, self.start = self._rules.parse(self._rules.LEVELS[level - 1])

    def steps(self, state: Any) -> Iterable[Step]:
        standing = self._board.posts | state.brittle | {at for piece in state.pieces for at in piece}
        for mover, piece in enumerate(state.pieces):
            for at in sorted(standing - set(piece)):
                after = self._rules.jump(self._board, state, mover, at)
                if after is not None:
                    yield "{}{}>{}{}".format(*piece[0], *at), after

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        """Tokens of one colour are alike, and so are the two ends of a bar."""
        pieces = zip(self._board.colours, (tuple(sorted(piece)) for piece in state.pieces), strict=True)
        return tuple(sorted(pieces)), state.brittle

    def estimate(self, state: Any) -> int:
        return 0


class LeaningPlate:
    """A level of tz85, without undo."""

    def __init__(self, level: int) -> None:
        self._rules = rules("tz85")
        self._board, self.start = self._rules.parse(self._rules.LEVELS[level - 1])

    def steps(self, state: Any) -> Iterable[Step]:
        directions = (*self._rules.DIRECTIONS.values(), self._rules.STAY)
        for sign, direction in zip("UDLRI", directions, strict=True):
            after = self._rules.turn(self._board, state, direction)
            if not after.fallen:
                yield sign, after

    def solved(self, state: Any) -> bool:
        return cast(bool, self._rules.is_solved(self._board, state))

    def key(self, state: Any) -> Hashable:
        return cast(Hashable, state._replace(balls=tuple(sorted(state.balls))))

    def estimate(self, state: Any) -> int:
        return 0


PUZZLES: dict[str, Callable[[int], Puzzle]] = {"ke52": ModelRoom, "mb62": Reflections, "tz85": LeaningPlate}

if __name__ == "__main__":
    environment, chosen = sys.argv[1], [int(number) for number in sys.argv[2:]]
    for number in chosen or range(1, len(rules(environment).LEVELS) + 1):
        steps = solve(PUZZLES[environment](number)) or []
        separator = " " if environment == "mb62" else ""
        sys.stdout.write(f"{number}: {len(steps)} {separator.join(steps)}\n")
