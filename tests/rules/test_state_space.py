"""People's states among the states of a level, against a plain computation."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from playtest.rules.attempt import RESET
from playtest.rules.state_space.locating import (
    Outlook,
    Space,
    Step,
    Walk,
    locate,
    nothing_explored,
    outlooks,
)
from playtest.rules.state_space.stays import falls, moves, stay, uses

type Moves = dict[int, dict[int, int]]
"""By state: where each action leads."""

SEEDS = st.integers(0, 10**9)


class Level:
    """A random level: open states with three actions each; the last two states are a win and a loss."""

    def __init__(self, seed: int, *, hidden: bool = False) -> None:
        drawn = random.Random(seed)
        self.count = drawn.randint(3, 14)
        self.win, self.loss = self.count - 2, self.count - 1
        every = range(self.count)
        self.moves: Moves = {
            state: {} if state >= self.win else {action: drawn.choice(every) for action in (1, 2, 3)}
            for state in every
        }
        alike = [drawn.randrange(3) if hidden else state for state in every]
        self.hashes = [shown if state < self.win else 100 + state for state, shown in enumerate(alike)]
        self.unexpanded = {state for state in range(self.win) if drawn.random() < drawn.choice([0, 0.3])}

    def space(self, *, complete: bool = False) -> Space:
        missing = set() if complete else self.unexpanded
        edges = [
            (state, to, action)
            for state, tried in self.moves.items()
            if state not in missing
            for action, to in tried.items()
        ]
        sources, targets, actions = np.array(edges, np.int64).reshape(-1, 3).T
        states = np.arange(self.count)
        return Space(
            np.array(self.hashes, np.int64),
            states == self.win,
            states == self.loss,
            ~np.isin(states, list(missing)),
            sources,
            targets,
            actions,
        )

    def walk(self, seed: int, length: int) -> tuple[Walk, list[int]]:
        """A walk from the start, and its states."""
        drawn, state = random.Random(seed), 0
        states, steps = [0], list[Step]()
        while len(steps) < length and state != self.win:
            action = RESET if state == self.loss or drawn.random() < 0.1 else drawn.choice([1, 2, 3])
            state = 0 if action == RESET else self.moves[state][action]
            steps.append(Step(action, self.hashes[state], state == self.win, state == self.loss))
            states.append(state)
        return Walk(self.hashes[0], steps), states


def reachable(known: Moves, state: int) -> dict[int, int]:
    """The fewest moves from a state to each other, by trying all of them again and again."""
    found, far = {state: 0}, 0
    while far in found.values():
        for here in [one for one, moves_there in found.items() if moves_there == far]:
            for to in known[here].values():
                found.setdefault(to, far + 1)
        far += 1
    return found


@given(SEEDS)
@settings(deadline=None)
def test_outlooks_are_those_of_a_search_from_every_state(seed: int) -> None:
    level = Level(seed)
    known = {state: {} if state in level.unexpanded else tried for state, tried in level.moves.items()}
    found = outlooks(level.space())
    for state in range(level.count):
        near = reachable(known, state)
        fewest = near.get(level.win)
        unexplored = [far + 1 for other, far in near.items() if other in level.unexpanded]
        assert found.fewest[state] == (-1 if fewest is None else fewest)
        if state in (level.win, level.loss):
            expected = Outlook.WON if state == level.win else Outlook.LOST
        elif fewest is not None:
            expected = Outlook.OPEN
        else:
            expected = Outlook.UNKNOWN if unexplored else Outlook.DEAD_END
        assert found.outlook[state] == expected
        assert found.exact[state] == (fewest is not None and fewest <= min(unexplored, default=99))


@given(SEEDS)
@settings(deadline=None)
def test_an_exact_distance_is_that_of_the_whole_level(seed: int) -> None:
    level = Level(seed)
    part, whole = outlooks(level.space()), outlooks(level.space(complete=True))
    assert (part.fewest[part.exact] == whole.fewest[part.exact]).all()
    dead = part.outlook == Outlook.DEAD_END
    assert (whole.outlook[dead] == Outlook.DEAD_END).all()
    assert (whole.fewest[part.fewest >= 0] <= part.fewest[part.fewest >= 0]).all()


@given(SEEDS, st.integers(0, 40), st.booleans())
@settings(deadline=None)
def test_a_person_is_located_also_where_states_look_alike(seed: int, length: int, hidden: bool) -> None:
    level = Level(seed, hidden=hidden)
    walk, states = level.walk(seed, length)
    found = locate(level.space(complete=True), {1: walk})
    assert found.places[1] == tuple(states)
    assert (found.space.count, found.unclear) == (level.count, frozenset())


@given(SEEDS, st.integers(1, 40))
@settings(deadline=None)
def test_without_an_exploration_states_are_those_that_people_saw(seed: int, length: int) -> None:
    level = Level(seed)
    walks = {person: level.walk(seed + person, length) for person in range(3)}
    found = locate(nothing_explored(), {person: walk for person, (walk, _) in walks.items()})
    seen = {level.hashes[state] for _, states in walks.values() for state in states}
    assert set(found.space.hashes.tolist()) == seen
    for person, (_, states) in walks.items():
        assert found.space.hashes[list(found.places[person])].tolist() == [
            level.hashes[one] for one in states
        ]
    made = {
        (before, after, step.action)
        for walk, states in walks.values()
        for before, after, step in zip(states, states[1:], walk.steps, strict=False)
        if step.action != RESET
    }
    assert len(found.space.sources) == len(made)
    judged = outlooks(found.space)
    assert Outlook.DEAD_END not in judged.outlook
    won = [walk.steps[-1].completed for walk, _ in walks.values() if walk.steps]
    assert (Outlook.WON in judged.outlook) == any(won)


def test_a_click_beside_every_declared_place_stays_where_it_was() -> None:
    """States 1 and 2 look alike; action 50 is no explored action."""
    edges = np.array([(0, 1, 8), (0, 2, 9), (1, 0, 8), (2, 3, 8)], np.int64).T
    hashes = np.array([7, 5, 5, 9], np.int64)
    every = np.ones(4, np.bool_)
    space = Space(hashes, np.arange(4) == 3, ~every, every, edges[0], edges[1], edges[2])
    walk = Walk(7, [Step(9, 5), Step(50, 5), Step(8, 9, completed=True)])
    assert locate(space, {1: walk}).places[1] == (0, 2, 2, 3)
    unclear = locate(space, {1: Walk(5, [Step(50, 5), Step(8, 9, completed=True)])})
    assert unclear.places[1] == (4, 4, 3)
    assert unclear.unclear == {4}


@given(SEEDS, st.integers(0, 60))
@settings(deadline=None)
def test_returns_falls_and_uses_are_those_counted_plainly(seed: int, length: int) -> None:
    level = Level(seed)
    walks, states = {}, {}
    for person in range(4):
        walks[person], states[person] = level.walk(seed + person, length)
    found = locate(level.space(), walks)
    judged = outlooks(found.space)
    known = dict(enumerate(judged.outlook.tolist()))
    stays = {person: stay(walks[person], found.places[person], judged) for person in walks}
    stopped = {person: not walk.steps or not walk.steps[-1].completed for person, walk in walks.items()}
    lost = Counter[Any]()
    for person, places in states.items():
        steps = walks[person].steps
        returns, fell = Counter[int](), list[Any]()
        for number in range(1, len(places)):
            before, after = places[number - 1], places[number]
            if steps[number - 1].action == RESET:
                continue
            resets = [at for at in range(1, number) if steps[at - 1].action == RESET]
            since = places[max(resets, default=0) : number]
            returns[after] += after != before and after in since
            if known[before] == Outlook.OPEN and known[after] in (Outlook.DEAD_END, Outlook.LOST):
                later = [known[place] for place in places[number + 1 :]]
                fell.append((number, before, after, not {Outlook.OPEN, Outlook.WON} & set(later)))
                lost[before, after] += (before, after) not in [one[1:3] for one in fell[:-1]]
        assert stays[person].returns == +returns
        assert [(one.action, one.before, one.after, one.for_good) for one in stays[person].falls] == fell
        winnable = [place for place in places if known[place] in (Outlook.OPEN, Outlook.WON)]
        near = [int(judged.fewest[place]) for place in winnable]
        assert stays[person].closest == min(near, default=None)
    used = uses(stays, stopped)
    for state in range(found.space.count):
        visited = {person: places.index(state) for person, places in states.items() if state in places}
        assert (used[state].first if state in used else {}) == visited
        if state in used:
            assert used[state].stopped == [
                one for one in visited if stopped[one] and states[one][-1] == state
            ]
    assert {move: len(one.people) for move, one in falls(stays).items()} == lost
    assert all(people <= 4 for people in moves(stays, walks).values())
