"""A flock goes from island to island; a bridge bears exactly as many as it has hollows.

Pure functions of immutable states. Whoever is left on an island joins the flock when it comes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

MOST = 9  # that an island has room for
NEST, SPRING, TWIN = "GSV"


class Plan(NamedTuple):
    """A level as a picture, with the size of the flock at first and of the one that the nest asks for."""

    picture: str
    flock: int
    wanted: int


class Bridge(NamedTuple):
    """How many it bears, and whether it breaks behind them."""

    hollows: int
    is_weak: bool


class Board(NamedTuple):
    """What never changes during a level. A bridge is named by its place between two islands."""

    islands: Mapping[Cell, str]
    bridges: Mapping[Cell, Bridge]
    wanted: int


class State(NamedTuple):
    """`left`: how many wait on which islands, sorted; `gone`: broken bridges and used springs."""

    at: Cell
    flock: int
    left: tuple[tuple[Cell, int], ...]
    gone: frozenset[Cell] = frozenset()
    is_lost: bool = False


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = {at: sign for at, sign in signs_of(plan.picture) if sign != "-"}
    islands = {at: sign for at, sign in signs.items() if at[0] % 2 == 0 and at[1] % 2 == 0}
    bridges = {
        at: Bridge(int(sign), False) if sign.isdigit() else Bridge(ord(sign) - ord("a") + 1, True)
        for at, sign in signs.items()
        if at not in islands
    }
    left = tuple(sorted((at, int(sign)) for at, sign in islands.items() if sign.isdigit()))
    start = next(at for at, sign in islands.items() if sign == "@")
    return Board(islands, bridges, plan.wanted), State(start, plan.flock, left)


def go(board: Board, state: State, direction: Cell) -> State:
    """The state after the flock went to the next island; without a bridge the same state."""
    place = beside(state.at, direction)
    bridge = board.bridges.get(place)
    if bridge is None or place in state.gone or state.is_lost:
        return state
    if bridge.hollows != state.flock:
        return state._replace(is_lost=True)
    to = beside(place, direction)
    left = dict(state.left)
    flock = state.flock + left.pop(to, 0)
    gone = state.gone | ({place} if bridge.is_weak else set())
    if board.islands[to] == SPRING and to not in gone:
        flock, gone = 2 * flock, gone | {to}
    return State(to, flock, tuple(sorted(left.items())), gone, flock > MOST)


def leave(board: Board, state: State) -> State:
    """The state after one of the flock was left on its island; the last one cannot be left."""
    if state.flock == 1 or state.is_lost:
        return state
    to = place_of_one_left(board, state.at)
    left = dict(state.left)
    left[to] = left.get(to, 0) + 1
    return state._replace(flock=state.flock - 1, left=tuple(sorted(left.items())))


def place_of_one_left(board: Board, at: Cell) -> Cell:
    """The island on which one waits that is left on this one: itself, or its twin."""
    if board.islands[at] != TWIN:
        return at
    return next(other for other, sign in board.islands.items() if sign == TWIN and other != at)


def is_solved(board: Board, state: State) -> bool:
    """The flock is in the nest, as many as it has hollows."""
    return board.islands[state.at] == NEST and state.flock == board.wanted and not state.is_lost
