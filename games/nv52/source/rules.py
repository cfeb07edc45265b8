"""Hunters go for the walker, and take away the hedges (blocks) that are in their way.

Pure functions of immutable states. After each step of the walker every hunter acts once, in the order of the
board; a step that is not possible is none, and nobody acts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

FOLLOWER, CHARGER, PLANTER = "acp"
NEAR = 2  # rows and columns within which a planter flees


class Hunter(NamedTuple):
    """Its kind, and where it is."""

    kind: str
    at: Cell


class Board(NamedTuple):
    """What never changes during a level."""

    floor: frozenset[Cell]
    goal: Cell


class State(NamedTuple):
    """What is now where. A hole that a hunter fell into is floor again."""

    walker: Cell
    hunters: tuple[Hunter, ...]
    hedges: frozenset[Cell]
    holes: frozenset[Cell]
    is_caught: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(picture))
    floor = frozenset(at for at, sign in signs.items() if sign != "#")
    goal = next(at for at, sign in signs.items() if sign == "G")
    walker = next(at for at, sign in signs.items() if sign == "@")
    hunters = tuple(Hunter(sign, at) for at, sign in signs.items() if sign in (FOLLOWER, CHARGER, PLANTER))
    hedges = frozenset(at for at, sign in signs.items() if sign == "*")
    holes = frozenset(at for at, sign in signs.items() if sign == "o")
    return Board(floor, goal), State(walker, hunters, hedges, holes)


def step(board: Board, state: State, direction: Cell) -> State:
    """The state after a step of the walker and of all hunters; the same state if the step is not possible."""
    *_, after = moments(board, state, direction)
    return after


def moments(board: Board, state: State, direction: Cell) -> Iterator[State]:
    """The states from the present one on: after the walker's step, and after each cell of a hunter's way."""
    yield state
    to = beside(state.walker, direction)
    if state.is_caught or to not in board.floor or to in state.hedges or to in state.holes:
        return
    state = state._replace(walker=to, is_caught=any(hunter.at == to for hunter in state.hunters))
    yield state
    kinds = [hunter.kind for hunter in state.hunters]
    number = 0
    for kind in kinds:
        if state.is_caught or is_solved(board, state):
            return
        count = len(state.hunters)
        for moment in ACTS[kind](board, state, number):
            yield moment
            state = moment
        number += len(state.hunters) == count


def is_solved(board: Board, state: State) -> bool:
    """The walker is at the goal."""
    return state.walker == board.goal and not state.is_caught


def towards(at: Cell, walker: Cell) -> list[Cell]:
    """The directions that lead nearer to the walker: along the longer side first, across before down."""
    across, down = walker[0] - at[0], walker[1] - at[1]
    ways = [(abs(across), ((across > 0) - (across < 0), 0)), (abs(down), (0, (down > 0) - (down < 0)))]
    ways.sort(key=lambda way: -way[0])
    return [direction for length, direction in ways if length]


def way_of_follower(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a follower acts: the first one that leads nearer and has room."""
    at = state.hunters[number].at
    return _first_open(board, state, [beside(at, way) for way in towards(at, state.walker)], at)


def way_of_planter(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a planter flees, if the walker is near."""
    at = state.hunters[number].at
    if max(abs(at[0] - state.walker[0]), abs(at[1] - state.walker[1])) > NEAR:
        return None
    away = [beside(at, (-across, -down)) for across, down in towards(at, state.walker)]
    return _first_open(board, state, [to for to in away if to not in state.hedges], at)


def way_of_charger(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a charger runs: straight to the walker, with no water or hunter between."""
    at = state.hunters[number].at
    ways = towards(at, state.walker)
    if len(ways) != 1:
        return None
    to = beside(at, ways[0])
    others = {hunter.at for hunter in state.hunters}
    while to != state.walker:
        if to not in board.floor or to in others:
            return None
        to = beside(to, ways[0])
    return ways[0]


def _first_open(board: Board, state: State, cells: list[Cell], at: Cell) -> Cell | None:
    taken = {hunter.at for hunter in state.hunters}
    for to in cells:
        if to in board.floor and to not in taken:
            return to[0] - at[0], to[1] - at[1]
    return None


def _follow(board: Board, state: State, number: int) -> Iterator[State]:
    """One step to the walker, or one hedge that is in the way."""
    way = way_of_follower(board, state, number)
    if way is not None:
        yield _go(state, number, way)


def _charge(board: Board, state: State, number: int) -> Iterator[State]:
    """As far as the walker, or the first hedge, which is gone then, or the first hole."""
    way = way_of_charger(board, state, number)
    is_running = way is not None
    while is_running and way is not None:
        count, before = len(state.hunters), state.hedges
        state = _go(state, number, way)
        yield state
        is_running = not state.is_caught and len(state.hunters) == count and state.hedges == before


def _plant(board: Board, state: State, number: int) -> Iterator[State]:
    """One step away from the walker; a hedge grows where it was."""
    way = way_of_planter(board, state, number)
    if way is not None:
        at = state.hunters[number].at
        yield _go(state, number, way)._replace(hedges=state.hedges | {at})


ACTS = {FOLLOWER: _follow, CHARGER: _charge, PLANTER: _plant}


def _go(state: State, number: int, way: Cell) -> State:
    kind, at = state.hunters[number]
    to = beside(at, way)
    if to in state.hedges:
        return state._replace(hedges=state.hedges - {to})
    others = state.hunters[:number], state.hunters[number + 1 :]
    if to in state.holes:
        return state._replace(hunters=(*others[0], *others[1]), holes=state.holes - {to})
    is_caught = to == state.walker
    return state._replace(hunters=(*others[0], Hunter(kind, to), *others[1]), is_caught=is_caught)
