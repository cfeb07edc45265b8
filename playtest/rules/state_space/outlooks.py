"""Whether a win can be reached from each state of a level, and with how many actions."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from playtest.rules.state_space.locating import Flags, Ints, Space

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
    unexplored = ~space.expanded
    begin = np.where(space.wins, 0, NONE)
    fewest = distances(space, begin)
    hopeful = distances(space, np.where(unexplored & ~space.wins, 1, begin))
    outlook = np.where(hopeful == NONE, Outlook.DEAD_END, Outlook.UNKNOWN)
    outlook[fewest != NONE] = Outlook.OPEN
    outlook[space.losses] = Outlook.LOST
    outlook[space.wins] = Outlook.WON
    return Outlooks(outlook, fewest, (fewest != NONE) & (fewest <= hopeful))


def distances(space: Space, begin: Ints, *, backwards: bool = True) -> Ints:
    """By state: the fewest moves to a state that has a number in `begin`, added to that number.

    NONE without a way; `begin` has NONE for all other states. With `backwards` false: the fewest moves from
    there.
    """
    into, out_of = (space.targets, space.sources) if backwards else (space.sources, space.targets)
    order = np.argsort(into, kind="stable")
    starts, neighbours = np.searchsorted(into[order], np.arange(space.count + 1)), out_of[order]
    found = np.full(space.count, NONE, np.int64)
    far, reached = 0, np.zeros(0, np.int64)
    waiting = np.sort(np.unique(begin[begin != NONE]))
    while len(reached) or len(waiting):
        if not len(reached):
            far = int(waiting[0])
        if len(waiting) and waiting[0] == far:
            reached = np.union1d(reached, np.flatnonzero((begin == far) & (found == NONE)))
            waiting = waiting[1:]
        found[reached] = far
        after = neighbours[_ranges(starts[reached], starts[reached + 1])]
        reached, far = np.unique(after[found[after] == NONE]), far + 1
    return found


def _ranges(starts: Ints, ends: Ints) -> Ints:
    """The numbers from each start up to its end."""
    lengths = ends - starts
    total = int(lengths.sum())
    if not total:
        return np.zeros(0, np.int64)
    return np.repeat(ends - np.cumsum(lengths), lengths) + np.arange(total)


def way_to_a_win(space: Space, fewest: Ints, state: int) -> list[int]:
    """The actions of a shortest known way from a state to a win; empty if there is none."""
    actions: list[int] = []
    while fewest[state] > 0:
        begin, end = np.searchsorted(space.sources, [state, state + 1])
        targets = space.targets[begin:end]
        chosen = int(np.flatnonzero(fewest[targets] == fewest[state] - 1)[0])
        actions.append(int(space.actions[begin + chosen]))
        state = int(targets[chosen])
    return actions
