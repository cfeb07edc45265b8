"""The rules of stones and of what belongs to them: pure functions over an immutable state.

Every cell belongs to the stone that is nearest to it, and so to that stone's colour; where two colours are
equally near, to both. A plate bears the walker where it belongs to its own colour and to no other.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

SIDE = 9  # cells a side
GREY, WARM, COLD, BOTH = range(4)
PLATES = {"d": GREY, "w": WARM, "c": COLD, "m": BOTH}
LOOSE = {"S": GREY, "W": WARM, "C": COLD, "V": WARM, "D": COLD}  # stones that can be carried
FIXED = {"X": GREY, "Y": WARM, "Z": COLD}
STRONG = "VD"  # they look like the others, and count as half as far away as they are


class Stone(NamedTuple):
    """What never changes of a stone."""

    colour: int
    is_strong: bool = False


class Board(NamedTuple):
    """What never changes during a level."""

    rock: frozenset[Cell]
    plates: tuple[tuple[Cell, int], ...]
    posts: tuple[tuple[Cell, int], ...]
    """Stones that cannot be reached, and their colours."""
    stones: tuple[Stone, ...]
    goal: Cell


class State(NamedTuple):
    """Where the walker and the loose stones are, and which of them the walker carries."""

    walker: Cell
    stones: tuple[Cell, ...]
    held: int | None = None
    fallen: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state."""
    cells = dict(signs_of(picture))
    loose = [(at, sign) for at, sign in cells.items() if sign in LOOSE]
    board = Board(
        rock=frozenset(at for at, sign in cells.items() if sign in ".O@" or sign in LOOSE),
        plates=tuple((at, PLATES[sign]) for at, sign in cells.items() if sign in PLATES),
        posts=tuple((at, FIXED[sign]) for at, sign in cells.items() if sign in FIXED),
        stones=tuple(Stone(LOOSE[sign], sign in STRONG) for _, sign in loose),
        goal=next(at for at, sign in cells.items() if sign == "O"),
    )
    walker = next(at for at, sign in cells.items() if sign == "@")
    return board, State(walker, tuple(at for at, _ in loose))


def move(board: Board, state: State, direction: Cell) -> State:
    """The state after a step; the same if there is no ground, or with full hands a stone in the way."""
    to = beside(state.walker, direction)
    is_ground = to in board.rock or any(at == to for at, _ in board.plates)
    if not is_ground or (state.held is not None and to in state.stones):
        return state
    after = brought(state, to)
    return after if bears(board, after, to) else after._replace(fallen=True)


def brought(state: State, to: Cell) -> State:
    """The state with the walker, and what it carries, in a cell."""
    stones = tuple(to if index == state.held else at for index, at in enumerate(state.stones))
    return state._replace(walker=to, stones=stones)


def handle(board: Board, state: State) -> State:
    """The state after the walker, on rock, has put down what it carries, or taken up what lies here."""
    if state.walker not in board.rock:
        return state
    if state.held is not None:
        return state._replace(held=None)
    here = state.walker
    return state._replace(held=state.stones.index(here)) if here in state.stones else state


def is_solved(board: Board, state: State) -> bool:
    """The walker stands at the goal."""
    return state.walker == board.goal and not state.fallen


def bears(board: Board, state: State, cell: Cell) -> bool:
    """Whether the walker can stand on a cell: on rock, or on a plate that belongs to its own colour."""
    if cell in board.rock:
        return True
    plate = _plate(board, cell)
    return plate is not None and plate == owner(board, state.stones, cell)


@cache
def _plate(board: Board, cell: Cell) -> int | None:
    return dict(board.plates).get(cell)


@cache
def owner(board: Board, stones: tuple[Cell, ...], cell: Cell) -> int:
    """The colour that a cell belongs to: BOTH where warm and cold are equally near, GREY if grey is too."""
    far = [
        (_far(at, cell) * (1 if stone.is_strong else 4), stone.colour)
        for at, stone in zip(stones, board.stones, strict=True)
    ]
    far += [(_far(at, cell) * 4, colour) for at, colour in board.posts]
    least = min(one for one, _ in far)
    colours = {colour for one, colour in far if one == least}
    return GREY if GREY in colours else sum(colours)


def _far(one: Cell, other: Cell) -> int:
    """The square of how far two cells are from each other."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
