"""The chance that a uniformly random player wins, computed from a state graph as a Markov chain.

A state's valid actions are equally likely; wins are absorbing, losses too. A state from which no win can be
reached has the chance 0, even if play never ends: the chance is the probability of ever winning.
Moves that were never tried make the difference between the lower bound (none of them leads to a win) and the
upper one (all of them do). Exact results are fractions; others are bounds that also cover rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import rustworkx as rx

from engine.prove.exploration.markov_bounds import LEAST, WORK, Moves, State, enclose, rounding

LARGEST_EXACT = 200_000
LARGEST_EXACT_CYCLE = 2_000
"""States of the largest cycle, or several cycles of the same work: about ten seconds; cubic in the states."""
MOST_BITS = 6_000
"""Of a denominator; if it is longer, bounds are computed."""
_fmpq: Any = flint.fmpq
_fmpq_mat: Any = flint.fmpq_mat


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability between `lower` and `upper`; both are `exact`, rounded, if that is known."""

    lower: float
    upper: float
    exact: Fraction | None

    def narrowed(self, lower: float = 0.0, upper: float = 1.0) -> Chance:
        """The same probability with the bounds `lower` and `upper` taken into account."""
        return Chance(max(self.lower, lower), min(self.upper, upper), self.exact)

    def as_json(self) -> dict[str, Any]:
        """The stored form; `exact` is a fraction like "1/8", however long, or null."""
        exact = None if self.exact is None else f"{self.exact.numerator}/{self.exact.denominator}"
        return {"lower": self.lower, "upper": self.upper, "exact": exact}


def chance(states: Sequence[State], start: int = 0) -> Chance:
    """The chance of ever winning from `start`."""
    chain = _Chain(states, start)
    if chain.complete and len(states) <= LARGEST_EXACT and chain.work <= LARGEST_EXACT_CYCLE**3:
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


def moves_of(states: Sequence[State]) -> rx.PyDiGraph:
    """The states by their index, and each move from one to another."""
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(states)))
    graph.add_edges_from_no_data(
        [(source, target) for source, state in enumerate(states) for target in state.moves]
    )
    return graph


class _Chain:
    """The strongly connected components of the states, each after the components that it leads to."""

    def __init__(self, states: Sequence[State], start: int) -> None:
        self.states = states
        self.start = start
        self.complete = not any(state.untried for state in states)
        self.components = [list(one) for one in rx.strongly_connected_components(moves_of(states))]
        self.work = sum(len(component) ** 3 for component in self.components if len(component) > 1)

    def exact(self) -> Fraction | None:
        """The exact chance, or None if the fractions grow too long."""
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
        """Bounds of the chance: every operation is rounded outwards."""
        return self._bound(upper=False), self._bound(upper=True)

    def _bound(self, *, upper: bool) -> float:
        values = [float(state.wins) for state in self.states]
        for component in self.components:
            hopeful = self._hopeful(component, values, untried_wins=upper)
            if len(hopeful) == 1:
                values[hopeful[0]] = self._one(hopeful[0], values, upper)
            elif hopeful:
                enclose(self.states, hopeful, values, upper=upper)
        return values[self.start]

    def _one(self, index: int, values: list[float], upper: bool) -> float:
        """The bound of a state that is a component by itself: its self-loops only delay."""
        state = self.states[index]
        total = sum(count * values[target] for target, count in state.moves.items() if target != index)
        total += state.untried if upper else 0
        mean, off = total / (state.actions - state.moves.get(index, 0)), rounding([state])
        return min(1.0, max(LEAST, mean * (1 + off))) if upper else mean * (1 - off)

    def _hopeful(self, component: list[int], values: Sequence[Any], *, untried_wins: bool) -> list[int]:
        """The component's states that can win: none, or all of them except wins themselves."""
        inside = set(component)
        for index in component:
            state = self.states[index]
            if (untried_wins and state.untried) or any(
                values[target] > 0 for target in state.moves if target not in inside
            ):
                return [index for index in component if not self.states[index].wins]
        return []

    def _solve(self, hopeful: list[int], values: list[Any]) -> list[Any]:
        """Solves the linear equations of one component exactly."""
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


def _within(states: Sequence[State], budget: int, start: int, *, untried_wins: bool) -> float:
    moves = Moves(states, dict(zip(range(len(states)), range(len(states)), strict=True)))
    wins = np.array([float(state.wins) for state in states])
    free = np.array([state.untried / state.actions if state.actions else 0.0 for state in states])
    constant = wins + free if untried_wins else wins
    direction = 1 + rounding(states) if untried_wins else 1 - rounding(states)
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
    """The states from which one of the targets can be reached, the targets included."""
    graph = moves_of(states)
    won = graph.add_node(None)
    graph.add_edges_from_no_data([(target, won) for target in targets])
    return set(rx.ancestors(graph, won))
