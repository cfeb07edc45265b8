"""A bound of the chances in one component of a Markov chain that is too large for fractions.

The chances are the one solution of x = P x + c, where P moves within the component and c is what its moves
out of it are worth. Whoever finds l <= P l + c has found a lower bound, because doing that again and again
only raises it, up to the solution; u >= P u + c is an upper one. So an approximate solution (BiCGSTAB), moved
down or up by a multiple of how long the component keeps a player, is a bound once that holds for every state,
rounding included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

WORK = 3 * 10**8
"""Moves looked at, in all."""
CLOSE, ABOUT = 1e-13, 1e-2
"""What is left of the equations when they count as solved."""
REFINED = 3
NEAREST, WIDENED = 1e-17, 40
SWEEPS = 100
LEAST = 1e-300
"""More than what a chance that is not 0 can be rounded down to."""

_ROUNDING = 2.0**-50
"""Of one operation, and more; a sum of many has as many."""


@dataclass(frozen=True, slots=True)
class State:
    """One state: how many of its `actions` lead to each state in `moves`; the rest were never tried."""

    moves: Mapping[int, int]
    actions: int
    wins: bool = False

    @property
    def untried(self) -> int:
        return self.actions - sum(self.moves.values())


class Moves:
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


def rounding(states: Sequence[State]) -> float:
    """How far off, relatively, the mean of what a state leads to may be."""
    return _ROUNDING * (4 + max(len(state.moves) for state in states))


def enclose(states: Sequence[State], component: list[int], values: list[float], *, upper: bool) -> None:
    """Bounds for a component's states from those of all that it leads to, however far apart they are.

    Untried moves win for an upper bound, and do not for a lower one.
    """
    place = {index: row for row, index in enumerate(component)}
    inside = [states[index] for index in component]
    moves, off = Moves(inside, place), rounding(inside)
    worth = np.array([_worth(state, place, values, upper) for state in inside])

    def once_more(found: Any) -> Any:
        found = moves.average(found) + worth
        return np.clip(found * (1 + off), LEAST, 1.0) if upper else found * (1 - off)

    bound = np.full(len(component), float(upper))
    for _ in range(SWEEPS):
        bound = once_more(bound)
    stay = _solution(moves, np.ones(len(component)), ABOUT)
    near = _solution(moves, worth, CLOSE)
    for exponent in range(WIDENED):
        by = NEAREST * 4**exponent * stay
        nearer = np.clip(near + by, LEAST, 1.0) if upper else np.clip(near - by, 0.0, 1.0)
        further = once_more(nearer)
        if (further <= nearer if upper else further >= nearer).all():
            bound = np.minimum(bound, nearer) if upper else np.maximum(bound, nearer)
            break
    for row, index in enumerate(component):
        values[index] = float(bound[row])


def _worth(state: State, place: Mapping[int, int], values: Sequence[float], upper: bool) -> float:
    beyond = sum(count * values[target] for target, count in state.moves.items() if target not in place)
    return (beyond + (state.untried if upper else 0)) / state.actions


def _solution(moves: Moves, worth: Any, close: float) -> Any:
    """About x = P x + worth."""
    own = np.bincount(moves.sources, moves.weights * (moves.sources == moves.targets), moves.size)
    scale = 1 / (1 - own)  # idle moves only delay

    def left(values: Any) -> Any:
        return (values - moves.average(values)) * scale

    found, rest = np.zeros(moves.size), worth * scale
    most = max(SWEEPS, min(4 * moves.size, WORK // (max(1, len(moves.sources)) * 4)))
    with np.errstate(all="ignore"):
        for _ in range(REFINED):
            better = found + _bicgstab(left, rest, most, close)
            left_over = worth * scale - left(better)
            if not np.abs(left_over).max() < np.abs(rest).max():
                break
            found, rest = better, left_over
    return found


def _bicgstab(left: Any, right: Any, most: int, close: float) -> Any:
    """BiCGSTAB (van der Vorst 1992) for left(x) = right, until it is close or breaks down."""
    found, rest = np.zeros_like(right), right.copy()
    shadow, direction, moved = right.copy(), np.zeros_like(right), np.zeros_like(right)
    product = step = turn = np.float64(1.0)
    enough = close * np.abs(right).max()
    for _ in range(most):
        before, product = product, shadow @ rest
        direction = rest + (product / before) * (step / turn) * (direction - turn * moved)
        moved = left(direction)
        step = product / (shadow @ moved)
        half = rest - step * moved
        turned = left(half)
        turn = (turned @ half) / (turned @ turned)
        if not np.isfinite(step * turn):
            break
        found = found + step * direction + turn * half
        rest = half - turn * turned
        if np.abs(rest).max() <= enough:
            break
    return found
