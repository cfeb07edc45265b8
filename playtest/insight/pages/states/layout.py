"""Where each state of people stands in the figure: its column by the way to a win, its band, its mark."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

import numpy as np

from playtest.insight.pages.states.level import LevelStates
from playtest.rules.state_space.locating import Outlook, distances


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
    begin = np.zeros(states.located.space.count, np.bool_)
    begin[[stay.places[0] for stay in states.stays.values()]] = True
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


MOST_COLUMNS = 30
MOST_IN_CELL = 5
"""States of one column and band with a mark of their own; the others share one."""
MOST_MOVES = 80


@dataclass(frozen=True)
class Scale:
    """What two drawings need in common to be compared: the farthest column, actions a column, people."""

    farthest: int
    step: int
    most_people: int

    @classmethod
    def of(cls, farthest: int, most_people: int) -> "Scale":
        step = next(
            unit * 10**power
            for power in count()
            for unit in (1, 2, 5)
            if farthest // (unit * 10**power) < MOST_COLUMNS
        )
        return cls(farthest, step, most_people)

    def joined(self, other: "Scale") -> "Scale":
        """The scale of both."""
        return Scale.of(max(self.farthest, other.farthest), max(self.most_people, other.most_people))


@dataclass(frozen=True)
class Mark:
    """One state, or several of a column and band. `x` is the first number of actions of the column."""

    states: tuple[int, ...]
    outlook: Outlook
    x: int
    people: int
    stopped: int
    returned: int

    @property
    def often_returned(self) -> bool:
        """Whether half of its people came back to it, and more than one."""
        return self.returned > 1 and 2 * self.returned >= self.people


@dataclass(frozen=True)
class Layout:
    """The marks, the moves between them as places in `marks` with people, and explored states by column.

    `from_start`: no win is known at all, so columns are actions from the start.
    """

    marks: tuple[Mark, ...]
    moves: tuple[tuple[int, int, int], ...]
    explored: tuple[tuple[int, int], ...]
    scale: Scale
    from_start: bool


def layout(states: LevelStates, scale: Scale) -> Layout:
    """Lays out everybody's states."""
    columns, from_start = columns_of(states)
    cells: defaultdict[tuple[Outlook, int], list[int]] = defaultdict(list)
    for state in states.uses:
        cells[states.outlook(state), columns[state] // scale.step * scale.step].append(state)
    marks = [
        mark for (outlook, x), cell in sorted(cells.items()) for mark in _marks(states, cell, outlook, x)
    ]
    place = {state: index for index, mark in enumerate(marks) for state in mark.states}
    return Layout(
        tuple(marks), _moves(states, place), () if from_start else _explored(states, scale), scale, from_start
    )


def scale_of(states: LevelStates) -> Scale:
    """The scale of one drawing alone."""
    columns, _ = columns_of(states)
    people = max((len(use.first) for use in states.uses.values()), default=0)
    return Scale.of(max(columns.values(), default=0), people)


def _marks(states: LevelStates, cell: list[int], outlook: Outlook, x: int) -> Iterable[Mark]:
    ranked = sorted(cell, key=lambda state: weight(states, state))
    alone = len(ranked) if len(ranked) <= MOST_IN_CELL + 1 else MOST_IN_CELL
    groups = [[state] for state in ranked[:alone]] + ([ranked[alone:]] if alone < len(ranked) else [])
    for group in groups:
        every = [states.uses[state] for state in group]
        yield Mark(
            states=tuple(group),
            outlook=outlook,
            x=x,
            people=len({person for use in every for person in use.first}),
            stopped=sum(len(use.stopped) for use in every),
            returned=len({person for use in every for person in use.returned}),
        )


def _moves(states: LevelStates, place: dict[int, int]) -> tuple[tuple[int, int, int], ...]:
    people: Counter[tuple[int, int]] = Counter()
    for (before, after), made in states.moves.items():
        if place[before] != place[after]:
            people[place[before], place[after]] += made
    return tuple((before, after, made) for (before, after), made in people.most_common(MOST_MOVES))


def _explored(states: LevelStates, scale: Scale) -> tuple[tuple[int, int], ...]:
    """How many explored states there are in each column of those from which a win can be reached."""
    fewest = states.outlooks.fewest[: states.located.explored]
    fewest = fewest[(fewest > 0) & (fewest <= scale.farthest)] // scale.step * scale.step
    columns, counts = np.unique(fewest, return_counts=True)
    return tuple(zip(columns.tolist(), counts.tolist(), strict=True))
