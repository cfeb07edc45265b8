"""The rules of lamps, screens and plates: pure functions over an immutable state.

Light is a set of colours, written as bits: 0 is the dark, 1 warm, 2 cold, 3 both. A lamp gives its colour to
every cell that a straight line from its centre reaches. A plate bears the walker in one light and no other.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

SIDE = 9  # cells a side
DARK, WARM, COLD = 0, 1, 2
PLATES = {"d": DARK, "w": WARM, "c": COLD, "m": WARM | COLD}
ITEMS = {"S": DARK, "W": WARM, "C": COLD}  # what is carried: a screen, or a lamp with its light
PILLARS = {"#": DARK, "%": WARM, "&": COLD}  # and the light that passes through


class Board(NamedTuple):
    """What never changes during a level."""

    rock: frozenset[Cell]
    plates: tuple[tuple[Cell, int], ...]
    pillars: tuple[tuple[Cell, int], ...]
    posts: tuple[tuple[Cell, int], ...]
    """Lamps that cannot be reached, and their light."""
    kinds: tuple[int, ...]
    """Of each thing that can be carried: the light of a lamp, or DARK for a screen."""
    ring: Cell


class State(NamedTuple):
    """Where the walker and the things are, and which of them the walker carries."""

    walker: Cell
    things: tuple[Cell, ...]
    held: int | None = None
    fallen: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state."""
    cells = dict(signs_of(picture))
    things = [(at, ITEMS[sign]) for at, sign in cells.items() if sign in ITEMS]
    ring = next(at for at, sign in cells.items() if sign == "O")
    walker = next(at for at, sign in cells.items() if sign == "@")
    board = Board(
        rock=frozenset(at for at, sign in cells.items() if sign in ".O@" or sign in ITEMS),
        plates=tuple((at, PLATES[sign]) for at, sign in cells.items() if sign in PLATES),
        pillars=tuple((at, PILLARS[sign]) for at, sign in cells.items() if sign in PILLARS),
        posts=tuple((at, "YZ".index(sign) + 1) for at, sign in cells.items() if sign in "YZ"),
        kinds=tuple(kind for _, kind in things),
        ring=ring,
    )
    return board, State(walker, tuple(at for at, _ in things))


def move(board: Board, state: State, direction: Cell) -> State:
    """The state after a step; the same if there is no ground, or with full hands a thing in the way."""
    to = beside(state.walker, direction)
    if not _may_enter(board, state, to):
        return state
    after = brought(state, to)
    return after if bears(board, after, to) else after._replace(fallen=True)


def brought(state: State, to: Cell) -> State:
    """The state with the walker, and what it carries, in a cell."""
    things = tuple(to if index == state.held else at for index, at in enumerate(state.things))
    return state._replace(walker=to, things=things)


def handle(board: Board, state: State) -> State:
    """The state after the walker, on rock, has put down what it carries, or taken up what lies here."""
    if state.walker not in board.rock:
        return state
    if state.held is not None:
        return state._replace(held=None)
    here = state.walker
    return state._replace(held=state.things.index(here)) if here in state.things else state


def is_solved(board: Board, state: State) -> bool:
    """The walker stands in the ring."""
    return state.walker == board.ring and not state.fallen


def bears(board: Board, state: State, cell: Cell) -> bool:
    """Whether the walker can stand on a cell: on rock, or on a plate in its own light."""
    if cell in board.rock:
        return True
    plate = dict(board.plates).get(cell)
    return plate is not None and plate == light_at(board, state, cell)


def light_at(board: Board, state: State, cell: Cell) -> int:
    """The light that falls on a cell; a screen's own cell is dark."""
    screens = {at for at, kind in zip(state.things, board.kinds, strict=True) if kind == DARK}
    if cell in screens:
        return DARK
    light = DARK
    lamps = [pair for pair in zip(state.things, board.kinds, strict=True) if pair[1] != DARK]
    for at, colour in (*board.posts, *lamps):
        opaque = screens | {pillar for pillar, passes in board.pillars if passes != colour}
        if not opaque & between(at, cell):
            light |= colour
    return light


@cache
def between(start: Cell, end: Cell) -> frozenset[Cell]:
    """The cells whose inside a straight line from centre to centre crosses, without both ends."""
    (x, y), (across, down) = start, (end[0] - start[0], end[1] - start[1])
    crossed = set()
    for column in range(min(x, end[0]), max(x, end[0]) + 1):
        for row in range(min(y, end[1]), max(y, end[1]) + 1):
            off = 2 * (across * (row - y) - down * (column - x))
            if abs(off) < abs(across) + abs(down):
                crossed.add((column, row))
    return frozenset(crossed - {start, end})


def _may_enter(board: Board, state: State, to: Cell) -> bool:
    is_ground = to in board.rock or any(at == to for at, _ in board.plates)
    return is_ground and (state.held is None or to not in state.things)
