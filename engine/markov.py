"""The chance that a uniformly random player wins, from a state graph taken as a Markov chain.

A state's valid actions are equally likely; wins are absorbing, losses too. A state from which no win can be
reached has the chance 0, also when it goes on for ever: what is asked is the probability of ever winning.
Moves that were never tried make the difference between the lower bound (none of them leads to a win) and the
upper one (all of them do). Exact results are fractions; others are bounds that also cover rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import rustworkx as rx

LARGEST_EXACT = 200_000
LARGEST_EXACT_CYCLE = 250
LONGEST_DENOMINATOR = 10**200
MOST_BITS = 6_000
WORK = 3 * 10**8
GAP = 1e-12
SWEEPS = 100
SLOWEST = 0.99999
"""Bounds that come no closer in SWEEPS sweeps than this are as close as rounding lets them."""

_ROUNDING = 2.0**-50
"""Of one operation, and more; a sum of many has as many."""
_fmpq: Any = flint.fmpq
_fmpq_mat: Any = flint.fmpq_mat


@dataclass(frozen=True, slots=True)
class State:
    """One state: how many of its `actions` lead to each state in `moves`; the rest were never tried."""

    moves: Mapping[int, int]
    actions: int
    wins: bool = False

    @property
    def untried(self) -> int:
        return self.actions - sum(self.moves.values())


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability between `lower` and `upper`, which are equal to `exact` rounded where that is known."""

    lower: float
    upper: float
    exact: Fraction | None

    def as_json(self) -> dict[str, Any]:
        """`exact` as a fraction like "1/8", or null, also where it would fill the page."""
        exact = None
        if self.exact is not None and self.exact.denominator < LONGEST_DENOMINATOR:
            exact = f"{self.exact.numerator}/{self.exact.denominator}"
        return {"lower": self.lower, "upper": self.upper, "exact": exact}


def chance(states: Sequence[State], start: int = 0) -> Chance:
    """The chance of ever winning from `start`."""
    chain = _Chain(states, start)
    if chain.complete and len(states) <= LARGEST_EXACT and chain.largest_cycle <= LARGEST_EXACT_CYCLE:
        exact = chain.exact()
        if exact is not None:
            return Chance(float(exact), float(exact), exact)
    lower, upper = chain.bounds()
    return Chance(lower, upper, None)


def chance_within(states: Sequence[State], budget: int, start: int = 0) -> Chance:
    """The chance of winning with at most `budget` actions."""
    work = sum(len(state.moves) for state in states) * budget
    if work <= 200_000 and not any(state.untried for state in states):
        exact = _exact_within(states, budget, start)
        if exact is not None:
            return Chance(float(exact), float(exact), exact)
    steps = budget if work <= WORK * 10 else 0
    lower = _within(states, steps, start, untried_wins=False)
    upper = (
        _within(states, steps, start, untried_wins=True) if steps == budget else chance(states, start).upper
    )
    return Chance(lower, upper, None)


class _Chain:
    """The states in their strongly connected components, each after all that it leads to."""

    def __init__(self, states: Sequence[State], start: int) -> None:
        self.states = states
        self.start = start
        self.complete = not any(state.untried for state in states)
        graph = rx.PyDiGraph()
        graph.add_nodes_from(range(len(states)))
        graph.add_edges_from_no_data(
            [(source, target) for source, state in enumerate(states) for target in state.moves]
        )
        self.components = [list(one) for one in rx.strongly_connected_components(graph)]
        self.largest_cycle = max(map(len, self.components), default=0)

    def exact(self) -> Fraction | None:
        """None when the fractions grow too long."""
        values: list[Any] = [_fmpq(1) if state.wins else _fmpq(0) for state in self.states]
        for component in self.components:
            hopeful = self._hopeful(component, values, untried_wins=False)
            if not hopeful:
                continue
            found = self._solve(hopeful, values)
            for index, value in zip(hopeful, found, strict=True):
                values[index] = value
            if max(int(value.q).bit_length() for value in found) > MOST_BITS:
                return None
        result = values[self.start]
        return Fraction(int(result.p), int(result.q))

    def bounds(self) -> tuple[float, float]:
        """Certain to hold: every operation is rounded outwards."""
        lower, upper = self._floats(untried_wins=False), self._floats(untried_wins=True)
        return max(0.0, lower[0][self.start]), min(1.0, upper[1][self.start])

    def _floats(self, *, untried_wins: bool) -> tuple[list[float], list[float]]:
        low = [float(state.wins) for state in self.states]
        high = list(low)
        for component in self.components:
            hopeful = self._hopeful(component, high, untried_wins=untried_wins)
            if len(hopeful) == 1:
                index = hopeful[0]
                rounding = _rounding([self.states[index]])
                low[index] = self._one(index, low, untried_wins) * (1 - rounding)
                high[index] = min(1.0, self._one(index, high, untried_wins) * (1 + rounding))
            elif hopeful:
                _iterate(self.states, hopeful, low, high, untried_wins=untried_wins)
        return low, high

    def _one(self, index: int, values: list[float], untried_wins: bool) -> float:
        """A state that leads back to no other: its idle moves only delay."""
        state = self.states[index]
        total = sum(count * values[target] for target, count in state.moves.items() if target != index)
        total += state.untried if untried_wins else 0
        return total / (state.actions - state.moves.get(index, 0))

    def _hopeful(self, component: list[int], values: Sequence[Any], *, untried_wins: bool) -> list[int]:
        """The component's states that can win at all: none, or all that have a way out of it to a win."""
        inside = set(component)
        for index in component:
            state = self.states[index]
            if (untried_wins and state.untried) or any(
                values[target] > 0 for target in state.moves if target not in inside
            ):
                return [index for index in component if not self.states[index].wins]
        return []

    def _solve(self, hopeful: list[int], values: list[Any]) -> list[Any]:
        """The linear equations of one component, exactly."""
        place = {index: row for row, index in enumerate(hopeful)}
        size = len(hopeful)
        equations, constants = _fmpq_mat(size, size), _fmpq_mat(size, 1)
        for index, row in place.items():
            state = self.states[index]
            known = _fmpq(0)
            equations[row, row] = _fmpq(state.actions)
            for target, count in state.moves.items():
                if target in place:
                    equations[row, place[target]] -= count
                else:
                    known += count * values[target]
            constants[row, 0] = known
        if size == 1:
            return [constants[0, 0] / equations[0, 0]]
        solved = equations.solve(constants)
        return [solved[row, 0] for row in range(size)]


def _iterate(
    states: Sequence[State], component: list[int], low: list[float], high: list[float], *, untried_wins: bool
) -> None:
    """Bounds that close in from 0 and from 1. They are right whenever it stops; a gap is said as it is."""
    place = {index: row for row, index in enumerate(component)}
    inner = _Moves([states[index] for index in component], place)
    outer_low, outer_high = np.zeros(len(component)), np.zeros(len(component))
    for row, index in enumerate(component):
        state = states[index]
        free = state.untried if untried_wins else 0
        beyond = [(target, count) for target, count in state.moves.items() if target not in place]
        outer_low[row] = (free + sum(count * low[target] for target, count in beyond)) / state.actions
        outer_high[row] = (free + sum(count * high[target] for target, count in beyond)) / state.actions
    below, above = np.zeros(len(component)), np.ones(len(component))
    rounding = _rounding([states[index] for index in component])
    gap = 1.0
    for sweep in range(max(SWEEPS, WORK // max(1, len(inner.sources) * 20))):
        below = (inner.average(below) + outer_low) * (1 - rounding)
        above = np.minimum((inner.average(above) + outer_high) * (1 + rounding), 1.0)
        if sweep % SWEEPS == SWEEPS - 1:
            before, gap = gap, float((above - below).max())
            if gap < GAP or gap > before * SLOWEST:
                break
    for row, index in enumerate(component):
        low[index], high[index] = float(below[row]), float(above[row])


def _rounding(states: Sequence[State]) -> float:
    return _ROUNDING * (4 + max(len(state.moves) for state in states))


class _Moves:
    """Moves as arrays; targets outside `place` are left out."""

    def __init__(self, states: Sequence[State], place: Mapping[int, int]) -> None:
        moves = [
            (row, place[target], count / state.actions)
            for row, state in enumerate(states)
            for target, count in state.moves.items()
            if target in place
        ]
        self.sources = np.array([source for source, _, _ in moves], dtype=np.intp)
        self.targets = np.array([target for _, target, _ in moves], dtype=np.intp)
        self.weights = np.array([weight for _, _, weight in moves])
        self.size = len(states)

    def average(self, values: Any) -> Any:
        """Each state's mean of what its moves lead to."""
        return np.bincount(self.sources, self.weights * values[self.targets], self.size)


def _within(states: Sequence[State], budget: int, start: int, *, untried_wins: bool) -> float:
    moves = _Moves(states, dict(zip(range(len(states)), range(len(states)), strict=True)))
    wins = np.array([float(state.wins) for state in states])
    free = np.array([state.untried / state.actions if state.actions else 0.0 for state in states])
    constant = wins + free if untried_wins else wins
    direction = 1 + _rounding(states) if untried_wins else 1 - _rounding(states)
    values = wins
    for _ in range(budget):
        values = np.minimum((moves.average(values) * direction) + constant, 1.0)
    return float(values[start])


def _exact_within(states: Sequence[State], budget: int, start: int) -> Fraction | None:
    values: list[Any] = [_fmpq(int(state.wins)) for state in states]
    for _ in range(budget):
        values = [
            value
            if state.wins or not state.actions
            else sum((count * values[target] for target, count in state.moves.items()), _fmpq(0))
            / state.actions
            for state, value in zip(states, values, strict=True)
        ]
        if int(values[start].q).bit_length() > MOST_BITS:
            return None
    return Fraction(int(values[start].p), int(values[start].q))


def winnable(states: Sequence[State], targets: Iterable[int]) -> set[int]:
    """The states from which one of the targets can be reached, the targets among them."""
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(states) + 1))
    graph.add_edges_from_no_data(
        [(source, target) for source, state in enumerate(states) for target in state.moves]
        + [(target, len(states)) for target in targets]
    )
    return set(rx.ancestors(graph, len(states)))
