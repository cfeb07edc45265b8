"""Bounds of the chances in one component of a Markov chain that is too large for fractions.

The chances are the unique solution of x = P x + c: P are the moves within the component, c is the value of
the moves that leave it. Every l with l <= P l + c is a lower bound, because repeating x -> P x + c only
raises it, up to the solution; every u >= P u + c is an upper bound. An approximate solution (SciPy) is moved
down or up by a multiple of the expected number of moves in the component. It is a bound if the inequality
holds for every state, rounding included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array
from scipy.sparse.linalg import bicgstab

WORK = 3 * 10**8
"""Limits the iterations of the solver: moves that are multiplied, in all."""
CLOSE, ROUGH = 1e-13, 1e-2
"""The relative residual at which equations count as solved."""
MOST_REFINEMENTS = 3
MOST_DENSE = 64
"""States of a component whose equations are solved as a dense matrix, which is faster."""
NEAREST, MOST_WIDENINGS = 1e-17, 40
SWEEPS = 100
LEAST = 1e-300
"""Larger than any value that a positive chance can be rounded down to."""

_ROUNDING = 2.0**-50
"""An upper bound of one operation's relative error; a sum of n terms has n operations."""


@dataclass(frozen=True, slots=True)
class State:
    """One state: `moves` counts the actions that lead to each state; the rest of `actions` was not tried."""

    moves: Mapping[int, int]
    actions: int
    wins: bool = False

    @property
    def untried(self) -> int:
        return self.actions - sum(self.moves.values())


class Moves:
    """The moves of some states as a matrix of probabilities; targets outside `place` are left out."""

    def __init__(self, states: Sequence[State], place: Mapping[int, int]) -> None:
        moves = [
            (row, place[target], count / state.actions)
            for row, state in enumerate(states)
            for target, count in state.moves.items()
            if target in place
        ]
        rows = np.array([row for row, _, _ in moves], dtype=np.intp)
        columns = np.array([column for _, column, _ in moves], dtype=np.intp)
        weights = np.array([weight for _, _, weight in moves])
        self.matrix = csr_array((weights, (rows, columns)), shape=(len(states), len(states)))

    def average(self, values: Any) -> Any:
        """Each state's mean of what its moves lead to."""
        return self.matrix @ values


def rounding(states: Sequence[State]) -> float:
    """An upper bound of the relative error of `Moves.average`."""
    return _ROUNDING * (4 + max(len(state.moves) for state in states))


def enclose(states: Sequence[State], component: list[int], values: list[float], *, upper: bool) -> None:
    """Computes bounds of a component's states from the bounds of all states that it leads to.

    Untried moves win for an upper bound, and lose for a lower one. `values` is changed in place.
    """
    place = {index: row for row, index in enumerate(component)}
    inside = [states[index] for index in component]
    moves, off = Moves(inside, place), rounding(inside)
    worth = np.array([_worth(state, place, values, upper) for state in inside])

    def iterated(found: Any) -> Any:
        found = moves.average(found) + worth
        return np.clip(found * (1 + off), LEAST, 1.0) if upper else found * (1 - off)

    bound = np.full(len(component), float(upper))
    for _ in range(SWEEPS):
        bound = iterated(bound)
    duration = _solution(moves, np.ones(len(component)), ROUGH)
    near = _solution(moves, worth, CLOSE)
    for exponent in range(MOST_WIDENINGS):
        by = NEAREST * 4**exponent * duration
        nearer = np.clip(near + by, LEAST, 1.0) if upper else np.clip(near - by, 0.0, 1.0)
        image = iterated(nearer)
        if (image <= nearer if upper else image >= nearer).all():
            bound = np.minimum(bound, nearer) if upper else np.maximum(bound, nearer)
            break
    for row, index in enumerate(component):
        values[index] = float(bound[row])


def _worth(state: State, place: Mapping[int, int], values: Sequence[float], upper: bool) -> float:
    beyond = sum(count * values[target] for target, count in state.moves.items() if target not in place)
    return (beyond + (state.untried if upper else 0)) / state.actions


def _solution(moves: Moves, worth: Any, close: float) -> Any:
    """An approximate solution of x = P x + worth."""
    size = len(worth)
    equations = eye_array(size, format="csr") - moves.matrix
    if size <= MOST_DENSE:
        with suppress(np.linalg.LinAlgError):
            return np.linalg.solve(equations.toarray(), worth)
    scale = 1 / equations.diagonal()  # self-loops only delay
    scaled = diags_array(scale) @ equations
    found, rest = np.zeros(size), worth * scale
    most = max(SWEEPS, min(4 * size, WORK // (max(1, equations.nnz) * 4)))
    with np.errstate(all="ignore"):
        for _ in range(MOST_REFINEMENTS):
            better = found + bicgstab(scaled, rest, rtol=close, maxiter=most)[0]
            left_over = worth * scale - scaled @ better
            if not np.abs(left_over).max() < np.abs(rest).max():
                break
            found, rest = better, left_over
    return found
