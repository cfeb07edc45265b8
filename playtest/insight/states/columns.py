"""In which column of the figure each state of people stands: by the way to a win."""

from collections import Counter, defaultdict

import numpy as np

from playtest.insight.states.level import LevelStates
from playtest.rules.state_space.outlooks import NONE, Outlook, distances


def columns_of(states: LevelStates) -> tuple[dict[int, int], bool]:
    """By state of people: the fewest actions to a win. True: from the start, because no win is known.

    Where no win can be reached any more: those of the last state before with a way to one, for most people.
    """
    if not any(states.outlook(state) in (Outlook.OPEN, Outlook.WON) for state in states.uses):
        return _from_start(states), True
    fewest = {state: states.fewest(state) for state in states.uses}
    farthest = max(known for known in fewest.values() if known is not None)
    before: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for stay in states.stays.values():
        last = farthest
        met: set[int] = set()
        for state in stay.places:
            known = fewest[state]
            if known is not None:
                last = known
            elif state not in met:
                met.add(state)
                before[state][last] += 1
    return {
        state: before[state].most_common(1)[0][0] if known is None else known
        for state, known in fewest.items()
    }, False


def _from_start(states: LevelStates) -> dict[int, int]:
    begin = np.full(states.located.space.count, NONE)
    begin[[stay.places[0] for stay in states.stays.values()]] = 0
    far = distances(states.located.space, begin, backwards=False)
    return {state: max(int(far[state]), 0) for state in states.uses}


def weight(states: LevelStates, state: int) -> tuple[int, int, int]:
    """Sorts states: those in which most people stopped come first, then those in which most were."""
    use = states.uses[state]
    return -len(use.stopped), -len(use.first), state


def states_between(states: LevelStates, outlook: Outlook, begin: int, end: int) -> list[int]:
    """The states of an outlook from one column up to another, by `weight`."""
    columns, _ = columns_of(states)
    found = [one for one, x in columns.items() if begin <= x < end and states.outlook(one) == outlook]
    return sorted(found, key=lambda state: weight(states, state))
