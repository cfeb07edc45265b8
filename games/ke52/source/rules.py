"""The rules of the room and its model: pure functions over an immutable state.

A room has 6x6 squares. A square is four cells, two by two; the walker and a pebble take one cell, a block
takes a square. On a table lies the model of the room: each of its 6x6 cells is one square of the room, so a
block's figure on the table is as large as a pebble, and the walker can push it.
"""

from __future__ import annotations

from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

SIDE = 6  # squares a side of the room; cells a side of the table
TABLE = 3  # squares a side of the table
GATES = "ab"  # the kinds of gates and of the plates that open them
PLATES = {"A": "a", "B": "b", "a": "a", "b": "b", "t": "a"}

Edge = frozenset[Cell]  # the two squares that a wall or gate separates


class Plan(NamedTuple):
    """A level as its author draws it; `levels.py` says how. The model is turned clockwise, then mirrored."""

    picture: str
    turns: int = 0
    mirrored: bool = False
    nailed: bool = True  # the table does not move


class Board(NamedTuple):
    """What never changes during a level."""

    plan: Plan
    walls: frozenset[Edge]
    gates: tuple[tuple[Edge, str], ...]
    plates: tuple[tuple[Cell, str], ...]
    water: frozenset[Cell]
    mat: Cell


class State(NamedTuple):
    """Where things are: the walker and pebbles by cell, blocks and the table's first corner by square."""

    walker: Cell
    table: Cell
    blocks: frozenset[Cell]
    pebbles: frozenset[Cell]


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state."""
    squares: dict[Cell, str] = {}
    edges: dict[Edge, str] = {}
    for (x, y), sign in signs_of(plan.picture):
        square = x // 2, y // 2
        if x % 2 == 0 and y % 2 == 0:
            squares[square] = sign
        elif x % 2 != y % 2:
            edges[frozenset({square, beside(square, (x % 2, y % 2))})] = sign
    first = {sign: at for at, sign in reversed(squares.items())}
    board = Board(
        plan=plan,
        walls=frozenset(edge for edge, sign in edges.items() if sign in "|-"),
        gates=tuple((edge, sign) for edge, sign in edges.items() if sign in GATES),
        plates=tuple((at, PLATES[sign]) for at, sign in squares.items() if sign in PLATES),
        water=frozenset(at for at, sign in squares.items() if sign in "~="),
        mat=first["X"],
    )
    state = State(
        walker=(2 * first["@"][0], 2 * first["@"][1]),
        table=min(at for at, sign in squares.items() if sign in "Tt"),
        blocks=frozenset(at for at, sign in squares.items() if sign in "oab="),
        pebbles=frozenset(
            (2 * x + "pqrs".index(sign) % 2, 2 * y + "pqrs".index(sign) // 2)
            for (x, y), sign in squares.items()
            if sign in "pqrs"
        ),
    )
    return board, state


def act(board: Board, state: State, direction: Cell) -> State:
    """The state after the walker has tried to step in a direction; the same state if nothing moved."""
    to = beside(state.walker, direction)
    if not _may_cross(board, state, _square(state.walker), _square(to)):
        return state
    if is_on_table(state, to):
        return _step_on_table(board, state, to, direction)
    if not _is_ground(board, state, _square(to)):
        return state
    moved = state._replace(walker=to)
    return _push_pebble(board, moved, to, direction) if to in state.pebbles else moved


def is_solved(board: Board, state: State) -> bool:
    """The walker stands on the mat."""
    return _square(state.walker) == board.mat


def is_on_table(state: State, cell: Cell) -> bool:
    """Whether a cell of the room is on the table."""
    return _is_under_table(state.table, _square(cell))


def is_open(board: Board, state: State, kind: str) -> bool:
    """Whether every plate of this kind bears a block, or the table."""
    return all(
        at in state.blocks or _is_under_table(state.table, at) for at, other in board.plates if other == kind
    )


def square_of_figure(board: Board, state: State, cell: Cell) -> Cell:
    """The square of the room that a cell of the table stands for."""
    return _unturned(board.plan, (cell[0] - 2 * state.table[0], cell[1] - 2 * state.table[1]))


def figure_of(board: Board, state: State, square: Cell) -> Cell:
    """The cell of the table that stands for a square of the room."""
    corner = 2 * state.table[0], 2 * state.table[1]
    cells = ((corner[0] + x, corner[1] + y) for x in range(SIDE) for y in range(SIDE))
    return next(cell for cell in cells if square_of_figure(board, state, cell) == square)


def _unturned(plan: Plan, figure: Cell) -> Cell:
    x, y = (SIDE - 1 - figure[0] if plan.mirrored else figure[0]), figure[1]
    for _ in range(plan.turns):
        x, y = y, SIDE - 1 - x
    return x, y


def _square(cell: Cell) -> Cell:
    return cell[0] // 2, cell[1] // 2


def _is_under_table(table: Cell, square: Cell) -> bool:
    return 0 <= square[0] - table[0] < TABLE and 0 <= square[1] - table[1] < TABLE


def _is_square(square: Cell) -> bool:
    return 0 <= square[0] < SIDE and 0 <= square[1] < SIDE


def _may_cross(board: Board, state: State, one: Cell, other: Cell) -> bool:
    """Whether neither the room's outer wall nor a wall or closed gate is between two squares."""
    if not _is_square(other):
        return False
    edge = frozenset({one, other})
    closed = (gate for gate, kind in board.gates if not is_open(board, state, kind))
    return edge not in board.walls and edge not in closed


def _is_ground(board: Board, state: State, square: Cell) -> bool:
    """Whether the walker can stand there: not in water, and not where a block is, unless it lies in water."""
    return (square in board.water) == (square in state.blocks)


def _step_on_table(board: Board, state: State, to: Cell, direction: Cell) -> State:
    """Steps on the table and pushes the figure that is there: a block's, or that of the table itself."""
    square = square_of_figure(board, state, to)
    beyond = beside(to, direction)
    if _is_under_table(state.table, square):
        if board.plan.nailed:
            return state
        next_square = square_of_figure(board, state, beyond)
        way = next_square[0] - square[0], next_square[1] - square[1]
        return _push_table(board, state._replace(walker=to), way) or state
    if square not in state.blocks:
        return state._replace(walker=to)
    rest = state._replace(walker=to, blocks=state.blocks - {square})
    if is_on_table(state, beyond):
        goal = square_of_figure(board, state, beyond)
        enters = _may_cross(board, state, square, goal) and _is_free(rest, goal)
        climbs = square in board.water and goal not in board.water
        return rest._replace(blocks=rest.blocks | {goal}) if enters and not climbs else state
    falls = square not in board.water and _may_cross(board, state, _square(to), _square(beyond))
    return (
        rest._replace(pebbles=rest.pebbles | {beyond}) if falls and _has_room(board, state, beyond) else state
    )


def _push_table(board: Board, state: State, way: Cell) -> State | None:
    """The state with the table one square further and all that is on it, or None if it cannot go there."""
    table = beside(state.table, way)
    before, after = _footprint(state.table), _footprint(table)
    entered = after - before
    crossed = [(beside(square, (-way[0], -way[1])), square) for square in entered]
    crossed += [
        (one, other)
        for one in entered
        for other in entered
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
    ]
    free = all(_may_cross(board, state, one, other) for one, other in crossed)
    if not free or not all(_is_free(state, square) for square in entered):
        return None
    return state._replace(table=table, walker=(state.walker[0] + 2 * way[0], state.walker[1] + 2 * way[1]))


def _footprint(table: Cell) -> frozenset[Cell]:
    return frozenset((table[0] + x, table[1] + y) for x in range(TABLE) for y in range(TABLE))


def _push_pebble(board: Board, state: State, at: Cell, direction: Cell) -> State:
    """The state after the walker, who stands at `at` already, has pushed the pebble there, or has not."""
    beyond = beside(at, direction)
    back = state._replace(walker=(at[0] - direction[0], at[1] - direction[1]))
    if not _may_cross(board, state, _square(at), _square(beyond)):
        return back
    rest = state._replace(pebbles=state.pebbles - {at})
    if is_on_table(state, beyond):
        goal = square_of_figure(board, state, beyond)
        is_free = _is_free(rest, goal) and _square(state.walker) != goal
        return rest._replace(blocks=rest.blocks | {goal}) if is_free else back
    return rest._replace(pebbles=rest.pebbles | {beyond}) if _has_room(board, state, beyond) else back


def _is_free(state: State, square: Cell) -> bool:
    """Whether a block or the table can come to a square: no block, pebble, table or walker is there."""
    taken = square in state.blocks or _is_under_table(state.table, square)
    return not taken and all(_square(pebble) != square for pebble in state.pebbles)


def _has_room(board: Board, state: State, cell: Cell) -> bool:
    """Whether a pebble can lie there."""
    square = _square(cell)
    taken = square in board.water or square in state.blocks or cell in state.pebbles
    return _is_square(square) and not taken
