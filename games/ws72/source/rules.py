"""Places that look alike are one place: pure functions over an immutable state.

The surroundings of a mark are the eight cells around it. Two marks with the same surroundings are joined:
who steps onto one of them, or is pushed onto it, comes out on the other. A mark may lie turned or mirrored,
and its surroundings with it.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

SIDE = 8  # cells a side
EMPTY, FULL, TINTED = range(3)
AROUND = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))  # clockwise
TURNS = "1234"  # the sign of a mark says which corner is its first one: top left, top right and so on
MIRRORED = "5678"


class Mark(NamedTuple):
    """Where a mark lies; its first corner, clockwise from the top left; whether it is read backwards."""

    at: Cell
    corner: int = 0
    is_mirrored: bool = False


class Board(NamedTuple):
    """What never changes during a level."""

    walls: frozenset[Cell]
    tinted: frozenset[Cell]
    """Those of the walls that have the colour of tinted blocks."""
    marks: tuple[Mark, ...]
    goal: Cell


class State(NamedTuple):
    """Where the walker is, the plain blocks and the tinted ones."""

    walker: Cell
    blocks: frozenset[Cell]
    tinted: frozenset[Cell]


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    cells = dict(signs_of(picture))
    board = Board(
        walls=frozenset(at for at, sign in cells.items() if sign in "#%"),
        tinted=frozenset(at for at, sign in cells.items() if sign == "%"),
        marks=tuple(_mark(at, sign) for at, sign in cells.items() if sign in TURNS + MIRRORED),
        goal=next(at for at, sign in cells.items() if sign == "G"),
    )
    walker = next(at for at, sign in cells.items() if sign == "@")
    blocks, tinted = (frozenset(at for at, sign in cells.items() if sign == kind) for kind in "xo")
    return board, State(walker, blocks, tinted)


def _mark(at: Cell, sign: str) -> Mark:
    number = int(sign) - 1
    return Mark(at, number % 4, number >= 4)


def surroundings(board: Board, state: State, mark: Mark) -> tuple[int, ...]:
    """What is around a mark, from its first corner on: EMPTY, FULL or TINTED eight times."""
    seen = [_kind(board, state, beside(mark.at, way)) for way in AROUND]
    first = 2 * mark.corner
    order = [(first + (-n if mark.is_mirrored else n)) % 8 for n in range(8)]
    return tuple(seen[place] for place in order)


def _kind(board: Board, state: State, at: Cell) -> int:
    if at in state.tinted or at in board.tinted:
        return TINTED
    return FULL if at in state.blocks or _is_wall(board, at) else EMPTY


def _is_wall(board: Board, at: Cell) -> bool:
    return at in board.walls or not (0 <= at[0] < SIDE and 0 <= at[1] < SIDE)


def joined(board: Board, state: State) -> dict[Cell, Cell]:
    """The other mark of each mark that looks like exactly one other."""
    return dict(_joined(board, state.blocks, state.tinted))


@cache
def _joined(board: Board, blocks: frozenset[Cell], tinted: frozenset[Cell]) -> frozenset[tuple[Cell, Cell]]:
    state = State((0, 0), blocks, tinted)
    around = [(mark.at, surroundings(board, state, mark)) for mark in board.marks]
    twins = {}
    for at, one in around:
        alike = [other for other, its in around if other != at and its == one]
        if len(alike) == 1:
            twins[at] = alike[0]
    return frozenset(twins.items())


def step(board: Board, state: State, direction: Cell) -> State:
    """The state after a step and a push, if one is in the way; the same state if nothing can move."""
    to = beside(state.walker, direction)
    if _is_wall(board, to):
        return state
    twins, full = joined(board, state), state.blocks | state.tinted
    if to not in full:
        twin = twins.get(to, to)
        return state._replace(walker=to if twin in full else twin)
    beyond = beside(to, direction)
    if _is_wall(board, beyond) or beyond in full or beyond == board.goal:
        return state
    twin = twins.get(beyond, beyond)
    lands = beyond if twin in full or twin == to else twin
    moved = state._replace(walker=to)
    if to in state.blocks:
        return moved._replace(blocks=state.blocks - {to} | {lands})
    return moved._replace(tinted=state.tinted - {to} | {lands})


def is_solved(board: Board, state: State) -> bool:
    """The walker is at the goal."""
    return state.walker == board.goal
