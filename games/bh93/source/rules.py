"""Pads on a lake: some bear, and only from a lookout can it be seen which.

Pure functions of immutable states. The field of pads is a square; it may turn or be mirrored, and takes along
which of its pads bear.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

BEARING, FIRST, SECOND, SINKING = "oabx"
LOOKOUT, TURNER, MIRROR, GOAL = "LTMG"
PADS = BEARING + FIRST + SECOND + SINKING


class Plan(NamedTuple):
    """A level as a picture; `reach`: how many rows and columns away a pad is seen from a lookout."""

    picture: str
    reach: int = 9


class Field(NamedTuple):
    """The square of pads: its top left cell, and its side."""

    left: int
    top: int
    side: int


class Board(NamedTuple):
    """What never changes during a level. `pads`: what each is before anything turned."""

    land: Mapping[Cell, str]
    pads: Mapping[Cell, str]
    field: Field
    reach: int


class State(NamedTuple):
    """`turns`: quarters to the right, after `is_mirrored`; `colour`: of the last coloured pad."""

    walker: Cell
    turns: int = 0
    is_mirrored: bool = False
    colour: str = ""
    is_lost: bool = False


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = {at: sign for at, sign in signs_of(plan.picture) if sign != "-"}
    pads = {at: sign for at, sign in signs.items() if sign in PADS}
    land = {at: sign for at, sign in signs.items() if at not in pads}
    left, top = (min(at[axis] for at in pads) for axis in (0, 1))
    side = max(at[0] for at in pads) - left + 1
    start = next(at for at, sign in land.items() if sign == "@")
    return Board(land, pads, Field(left, top, side), plan.reach), State(start)


def step(board: Board, state: State, direction: Cell) -> State:
    """The state after a step; the same state if there is nothing to step on."""
    to = beside(state.walker, direction)
    if state.is_lost:
        return state
    if to in board.land:
        return _landed(board.land[to], state._replace(walker=to, colour=""))
    pad = pad_at(board, state, to)
    if not pad:
        return state
    bears = pad != SINKING and (pad == BEARING or pad != state.colour)
    colour = state.colour if pad == BEARING else pad
    return state._replace(walker=to, colour=colour if bears else "", is_lost=not bears)


def _landed(sign: str, state: State) -> State:
    if sign == TURNER:
        return state._replace(turns=(state.turns + 1) % 4)
    if sign == MIRROR:
        return state._replace(is_mirrored=not state.is_mirrored, turns=-state.turns % 4)
    return state


def pad_at(board: Board, state: State, at: Cell) -> str:
    """What the pad at a cell is now, or nothing where there is none."""
    return board.pads.get(origin(board, state, at), "")


def origin(board: Board, state: State, at: Cell) -> Cell:
    """The cell at which what lies here now was at first."""
    left, top, side = board.field
    x, y = at[0] - left, at[1] - top
    if not (0 <= x < side and 0 <= y < side):
        return at
    for _ in range(state.turns):
        x, y = y, side - 1 - x
    if state.is_mirrored:
        x = side - 1 - x
    return left + x, top + y


def is_seen(board: Board, state: State, at: Cell) -> bool:
    """Whether the walker sees from a lookout what the pad at a cell is."""
    if board.land.get(state.walker) != LOOKOUT:
        return False
    return max(abs(at[0] - state.walker[0]), abs(at[1] - state.walker[1])) <= board.reach


def is_solved(board: Board, state: State) -> bool:
    """The walker is at the goal."""
    return board.land.get(state.walker) == GOAL
