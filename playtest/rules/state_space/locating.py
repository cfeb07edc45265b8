"""Finds the explored states that people were in, and how far each is from a win.

The journal has a hash of the frame, the level and whether it goes on, as each explored state has. Mostly
one explored state has this hash. Where several have it, as with a hidden state, the actions that led there
decide: the explored actions are followed from the start of the level. States that were not explored are known
by their hash alone.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from playtest.rules.attempt import RESET

type Ints = NDArray[np.int64]
type Flags = NDArray[np.bool_]


class Step(NamedTuple):
    """One action and the state after it: a number of the action, and a number that is the state's hash."""

    action: int
    state: int
    completed: bool = False
    lost: bool = False


class Walk(NamedTuple):
    """What one person did on the level, from the state in which it began for them."""

    begin: int
    steps: Sequence[Step]


@dataclass(frozen=True)
class Space:
    """States and moves between them. A state is a number: explored ones come first, the level begins in 0.

    Of a state that is not `expanded`, actions may be missing. `sources`, `targets` and `actions` are the
    moves; sources ascend. A `win` is the state after the level was completed.
    """

    hashes: Ints
    wins: Flags
    losses: Flags
    expanded: Flags
    sources: Ints
    targets: Ints
    actions: Ints

    @property
    def count(self) -> int:
        return len(self.hashes)


def nothing_explored() -> Space:
    """The space of a level that was not explored."""
    none, never = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    return Space(none, never, never, never, none, none, none)


@dataclass(frozen=True)
class Located:
    """The state of each person at the beginning and after each action, by person.

    `space` has the explored states, then those that only people were in, with everybody's moves. `explored`
    is the number of the former. `unclear` are states of people with a hash that several explored states have,
    between which their actions do not decide; they are not among the explored ones.
    """

    space: Space
    places: Mapping[int, tuple[int, ...]]
    explored: int
    unclear: frozenset[int]


def locate(explored: Space, walks: Mapping[int, Walk]) -> Located:
    """Locates everybody's states."""
    finder = _Finder(explored)
    places = {person: finder.walked(walk) for person, walk in walks.items()}
    return Located(finder.space(), places, explored.count, frozenset(finder.unclear))


@dataclass
class _Finder:
    explored: Space
    unclear: set[int] = field(default_factory=set)
    _by_hash: dict[int, list[int]] = field(default_factory=dict)
    _seen: dict[int, int] = field(default_factory=dict)
    _wins: set[int] = field(default_factory=set)
    _losses: set[int] = field(default_factory=set)
    _moves: set[tuple[int, int, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        by_hash: defaultdict[int, list[int]] = defaultdict(list)
        for state, hashed in enumerate(self.explored.hashes.tolist()):
            by_hash[hashed].append(state)
        self._by_hash = dict(by_hash)
        self._starts = np.searchsorted(self.explored.sources, np.arange(self.explored.count + 1))

    def walked(self, walk: Walk) -> tuple[int, ...]:
        """The states of one person."""
        possible = self._begin(walk.begin)
        places = [self._place(possible, walk.begin)]
        for step in walk.steps:
            possible = self._after(possible, step)
            place = self._place(possible, step.state)
            if step.completed:
                self._wins.add(place)
            elif step.lost:
                self._losses.add(place)
            if step.action != RESET:
                self._moves.add((places[-1], place, step.action))
            places.append(place)
        return tuple(places)

    def _begin(self, hashed: int) -> set[int]:
        same = self._by_hash.get(hashed, ())
        return {0} if 0 in same else set(same)

    def _after(self, possible: set[int], step: Step) -> set[int]:
        """The explored states that it may be in after an action."""
        same = self._by_hash.get(step.state, [])
        if len(same) < 2:
            return set(same)
        if step.action == RESET:
            return self._begin(step.state)
        moved = {to for state in possible for action, to in self._moves_of(state) if action == step.action}
        if not (found := moved.intersection(same)):
            # A click may be on a place that is not declared: it does what another one does, or nothing.
            near = {to for state in possible for _, to in self._moves_of(state)} | possible
            found = near.intersection(same)
        return found or set(same)

    def _moves_of(self, state: int) -> list[tuple[int, int]]:
        begin, end = self._starts[state], self._starts[state + 1]
        actions, targets = self.explored.actions[begin:end], self.explored.targets[begin:end]
        return list(zip(actions.tolist(), targets.tolist(), strict=True))

    def _place(self, possible: set[int], hashed: int) -> int:
        if len(possible) == 1:
            return next(iter(possible))
        place = self._seen.setdefault(hashed, self.explored.count + len(self._seen))
        if possible:
            self.unclear.add(place)
        return place

    def space(self) -> Space:
        """The explored states and those that only people were in, with all moves."""
        known, more = self.explored, len(self._seen)
        wins, losses = self._flags(known.wins, self._wins), self._flags(known.losses, self._losses)
        expanded = np.concatenate([known.expanded, np.zeros(more, np.bool_)]) | wins | losses
        moves: Any = np.array(sorted(self._moves), np.int64).reshape(-1, 3).T
        sources = np.concatenate([known.sources, moves[0]])
        order = np.argsort(sources, kind="stable")
        return Space(
            hashes=np.concatenate([known.hashes, np.array(list(self._seen), np.int64)]),
            wins=wins,
            losses=losses,
            expanded=expanded,
            sources=sources[order],
            targets=np.concatenate([known.targets, moves[1]])[order],
            actions=np.concatenate([known.actions, moves[2]])[order],
        )

    def _flags(self, known: Flags, more: set[int]) -> Flags:
        flags = np.concatenate([known, np.zeros(len(self._seen), np.bool_)])
        flags[list(more)] = True
        return flags


NONE = -1
"""In place of a number of actions: there is no way."""


class Outlook(IntEnum):
    """What can still come of a state, by the moves that are known.

    OPEN: a win can be reached. UNKNOWN: no way to a win is known, but not everything was explored.
    DEAD_END: the level goes on, and no win can be reached. LOST: it was lost, and only a reset goes on.
    """

    WON = 0
    OPEN = 1
    UNKNOWN = 2
    DEAD_END = 3
    LOST = 4


HOPELESS = (Outlook.DEAD_END, Outlook.LOST)


@dataclass(frozen=True)
class Outlooks:
    """By state: its `outlook`, and the `fewest` actions to a win that are known, NONE without a way.

    `exact`: no unexplored action can make it fewer.
    """

    outlook: Ints
    fewest: Ints
    exact: Flags


def outlooks(space: Space) -> Outlooks:
    """Judges every state."""
    fewest, unknown = distances(space, space.wins), distances(space, ~space.expanded & ~space.wins)
    outlook = np.where(unknown == NONE, Outlook.DEAD_END, Outlook.UNKNOWN)
    outlook[fewest != NONE] = Outlook.OPEN
    outlook[space.losses] = Outlook.LOST
    outlook[space.wins] = Outlook.WON
    exact = (fewest != NONE) & ((unknown == NONE) | (fewest <= unknown + 1))
    return Outlooks(outlook, fewest, exact)


def distances(space: Space, to: Flags, *, backwards: bool = True) -> Ints:
    """By state: the fewest moves to one of these states, NONE without a way; from one, not `backwards`."""
    from scipy.sparse import csr_array  # slow to import
    from scipy.sparse.csgraph import dijkstra

    found = np.full(space.count, NONE, np.int64)
    if to.any():
        shape = (space.count, space.count)
        moves = csr_array((np.ones(len(space.sources)), (space.sources, space.targets)), shape=shape)
        graph = moves.T if backwards else moves
        far = dijkstra(graph, indices=np.flatnonzero(to), unweighted=True, min_only=True)
        found[np.isfinite(far)] = far[np.isfinite(far)]
    return found
