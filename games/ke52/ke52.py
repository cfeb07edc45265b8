"""A room, and on a table in it the model of that room: what is pushed in the one moves in the other.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/ke52/source/.

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

import numpy as np
from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite
from numpy.typing import NDArray

# --- games/_shared/cells.py
# Cells of a grid, directions, and pictures of levels drawn as text.

Cell = tuple[int, int]  # column, row

DIRECTIONS: dict[GameAction, Cell] = {
    GameAction.ACTION1: (0, -1),
    GameAction.ACTION2: (0, 1),
    GameAction.ACTION3: (-1, 0),
    GameAction.ACTION4: (1, 0),
}


def beside(at: Cell, direction: Cell) -> Cell:
    """The cell one step in a direction."""
    return at[0] + direction[0], at[1] + direction[1]


def signs_of(picture: str) -> Iterator[tuple[Cell, str]]:
    """Every sign of a picture with its cell; rows are separated by white space."""
    for y, row in enumerate(picture.split()):
        for x, sign in enumerate(row):
            yield (x, y), sign


# --- games/_shared/pictures.py
# Pixel pictures: rectangles and small stamps on a canvas of colours.

Pixels = NDArray[np.int8]

BOARD = 64  # pixels a side of a frame
CLEAR = -1  # the colour that leaves what is below visible


def stamp(picture: str, **inks: int) -> Pixels:
    """A small picture from rows of signs: one colour a sign, any other sign clear."""
    return np.array([[inks.get(sign, CLEAR) for sign in row] for row in picture.split()], dtype=np.int8)


def canvas(width: int, height: int, colour: int = CLEAR) -> Pixels:
    """An empty picture of one colour."""
    return np.full((height, width), colour, dtype=np.int8)


def paste(onto: Pixels, picture: Pixels, x: int, y: int) -> None:
    """Draws a picture with its top left pixel at x, y, which must fit; clear pixels change nothing."""
    window = onto[y : y + picture.shape[0], x : x + picture.shape[1]]
    np.copyto(window, picture, where=picture != CLEAR)


def box(onto: Pixels, x: int, y: int, width: int, height: int, colour: int) -> None:
    """Fills a rectangle; what lies outside the picture is left out."""
    onto[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)] = colour


def frame(onto: Pixels, x: int, y: int, side: int, colour: int, thickness: int = 1) -> None:
    """Draws the border of a square; what lies outside the picture is left out."""
    inner = side - thickness
    box(onto, x, y, side, thickness, colour)
    box(onto, x, y + inner, side, thickness, colour)
    box(onto, x, y, thickness, side, colour)
    box(onto, x + inner, y, thickness, side, colour)


# --- games/_shared/scripted.py
# A game whose actions are scripts: every `yield` ends one frame of the animation.

Script = Iterator[None]


class ScriptedGame(ARCBaseGame):
    """Shows pictures of the whole board, one a frame. An action that it does not offer does nothing.

    A subclass gives `script`, and calls `open_board` in `on_set_level`. What follows the last `yield` of a
    script is shown in the action's last frame.
    """

    def open_board(self) -> None:
        """Begins a level with an empty board and no script."""
        self._script: Script | None = None
        self._board_sprite = Sprite(canvas(BOARD, BOARD, 0), name="board")
        self.current_level.remove_all_sprites()
        self.current_level.add_sprite(self._board_sprite)

    def show(self, picture: Pixels) -> None:
        """Makes this 64x64 picture the present frame."""
        self._board_sprite.pixels = picture

    def script(self, action: GameAction) -> Script:
        """Carries out one action that the game offers, frame after frame."""
        raise NotImplementedError

    def step(self) -> None:
        """Plays one frame of the present action's script."""
        if self._script is None:
            is_offered = self.action.id.value in self._available_actions
            self._script = self.script(self.action.id) if is_offered else iter(())
        if next(self._script, self) is self:
            self._script = None
            self.complete_action()


# --- games/ke52/source/rules.py
# The rules of the room and its model: pure functions over an immutable state.

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


# --- games/ke52/source/drawing.py
# Draws the room with its table, and on it the model, which holds the table again: three scales.

CELL = 5  # pixels a cell of the room
SQUARE = 2 * CELL
MARGIN = 2
SCALES = (SQUARE, CELL, 2)  # pixels a square: in the room, in the model, in the model's own model

RIM, FLOOR, WALL = 5, 4, 1
TABLE_TOP, MODEL_FLOOR, NAIL = 2, 3, 5
BLOCK, BLOCK_SIDE = 11, 12
WATER, RIPPLE = 9, 10
WALKER, LIGHT = 6, 0
GATE_COLOURS = {"a": 15, "b": 14}
STUB = 0.2  # of a gate's length, seen at each end of an open one


class Motion(NamedTuple):
    """A moment between two states: `share` of the way from one to the other. `glow`: rings around the mat."""

    before: State
    after: State
    share: float
    glow: int = 0

    def between(self, start: Cell, end: Cell, unit: int) -> Cell:
        """The pixel on the way from one place to another, each counted in units of so many half pixels."""
        x, y = (unit * (one + self.share * (other - one)) / 2 for one, other in zip(start, end, strict=True))
        return int(x), int(y)


def draw(board: Board, motion: Motion) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, RIM)
    paste(picture, _draw_room(board, motion, 0), MARGIN, MARGIN)
    return picture


def _draw_room(board: Board, motion: Motion, depth: int) -> Pixels:
    scale = SCALES[depth]
    room = canvas(SIDE * scale, SIDE * scale, MODEL_FLOOR if depth else FLOOR)
    _draw_ground(room, board, scale)
    _draw_table(room, board, motion, depth)
    _draw_walls(room, board, motion, scale)
    _draw_blocks(room, board, motion, depth)
    _draw_walker(room, *motion.between(motion.before.walker, motion.after.walker, scale), scale // 2)
    if motion.glow:
        x, y = (scale * place + scale // 2 for place in board.mat)
        for reach in range(max(motion.glow - 2, 1), motion.glow + 1):
            half = reach * scale // 2
            frame(room, x - half, y - half, 2 * half, WALKER if reach % 2 else LIGHT, max(scale // 5, 1))
    return room


def _draw_ground(room: Pixels, board: Board, scale: int) -> None:
    for x, y in board.water:
        box(room, x * scale, y * scale, scale, scale, WATER)
        if scale > 2:
            box(room, x * scale + scale // 5, y * scale + scale // 2, scale // 2, 1, RIPPLE)
    for (x, y), kind in board.plates:
        gap = scale // 10
        frame(room, x * scale + gap, y * scale + gap, scale - 2 * gap, GATE_COLOURS[kind], max(scale // 5, 1))
    x, y = board.mat
    for ring in range(0, scale // 2, 2):
        frame(room, x * scale + ring, y * scale + ring, scale - 2 * ring, WALKER)


def _draw_table(room: Pixels, board: Board, motion: Motion, depth: int) -> None:
    scale = SCALES[depth]
    left, top = motion.between(motion.before.table, motion.after.table, 2 * scale)
    side = TABLE * scale
    box(room, left, top, side, side, TABLE_TOP)
    if depth + 1 < len(SCALES):
        model = np.rot90(_draw_room(board, motion, depth + 1), -board.plan.turns)
        gap = (side - model.shape[0]) // 2
        paste(room, model[:, ::-1] if board.plan.mirrored else model, left + gap, top + gap)
    if board.plan.nailed:
        for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)):
            box(room, left + x * (side - 1), top + y * (side - 1), 1, 1, NAIL)


def _draw_blocks(room: Pixels, board: Board, motion: Motion, depth: int) -> None:
    scale = SCALES[depth]
    for square in sorted(motion.before.blocks & motion.after.blocks):
        _draw_block(room, square[0] * scale, square[1] * scale, scale, square in board.water)
    gone, come = _changed(motion.before.blocks, motion.after.blocks)
    if gone and come:
        _draw_block(room, *motion.between(gone, come, 2 * scale), scale, come in board.water)
    elif depth == 0 and (place := gone or come):
        size = int(scale * ((1 - motion.share) if gone else motion.share))
        x, y = (scale * part + (scale - size) // 2 for part in place)
        _draw_block(room, x, y, size, sunk=False)
    for start, end in _pebbles_in_motion(board, motion, depth):
        x, y = motion.between(start, end, scale)
        _draw_block(room, x, y, scale // 2, sunk=False)


def _changed(before: frozenset[Cell], after: frozenset[Cell]) -> tuple[Cell | None, Cell | None]:
    """The place that is left and the one that is taken, where at most one thing moves."""
    return next(iter(before - after), None), next(iter(after - before), None)


def _pebbles_in_motion(board: Board, motion: Motion, depth: int) -> list[tuple[Cell, Cell]]:
    """Where pebbles come from and go to; one that enters or leaves the table is seen in the room alone."""
    before, after = motion.before, motion.after
    moves = [(at, at) for at in sorted(before.pebbles & after.pebbles)]
    gone, come = _changed(before.pebbles, after.pebbles)
    lifted, placed = _changed(before.blocks, after.blocks)
    if gone and come:
        moves.append((gone, come))
    elif depth == 0 and gone and placed:
        moves.append((gone, figure_of(board, after, placed)))
    elif depth == 0 and come and lifted:
        moves.append((figure_of(board, before, lifted), come))
    return moves


def _draw_block(room: Pixels, x: int, y: int, size: int, sunk: bool) -> None:
    """A block, a figure or a pebble: one that is large casts a side; one in water shows its top alone."""
    gap = 1 if size > 4 else 0
    side = size - gap - (1 if size > 7 else 0)
    box(room, x + gap, y + gap, side, side, BLOCK_SIDE)
    if not sunk and size > 2:
        box(room, x + gap, y + gap, side, side - max(size // 5, 1), BLOCK)
    elif size <= 2:
        box(room, x, y, size, size, BLOCK)
    elif sunk and size > 4:
        box(room, x + gap + 1, y + gap + 1, side - 2, side - 2, BLOCK)


def _draw_walker(room: Pixels, x: int, y: int, size: int) -> None:
    if size < CELL:
        box(room, x, y, size, size, WALKER)
        return
    box(room, x + 1, y, size - 2, size, WALKER)
    box(room, x, y + 1, size, size - 2, WALKER)
    box(room, x + 2, y + 2, 1, 1, LIGHT)


def _draw_walls(room: Pixels, board: Board, motion: Motion, scale: int) -> None:
    for edge in board.walls:
        _draw_edge(room, edge, scale, scale // 2 + 1, WALL)
    for edge, kind in board.gates:
        was, is_now = (is_open(board, state, kind) for state in (motion.before, motion.after))
        shut = (1 - was) * (1 - motion.share) + (1 - is_now) * motion.share
        _draw_edge(room, edge, scale, ceil(scale * (STUB + shut * (0.5 - STUB))), GATE_COLOURS[kind])


def _draw_edge(room: Pixels, edge: frozenset[Cell], scale: int, reach: int, colour: int) -> None:
    """A line between two squares: so many pixels from each of its ends."""
    (x, y), (to_x, to_y) = sorted(edge)
    thick = 2 if scale == SQUARE else 1
    for start in (0, scale - reach):
        if x < to_x:
            box(room, to_x * scale - thick // 2, y * scale + start, thick, reach, colour)
        else:
            box(room, x * scale + start, to_y * scale - thick // 2, reach, thick, colour)


# --- games/ke52/source/levels.py
# The levels. A square of the room is a sign, and between two squares stands what separates them.

LEVELS = (
    Plan(
        """
        @,.,.|.,.,.
        ,+,+,+,+,+,
        T,T,T|.,.,.
        ,+,+,+,+,+,
        T,T,T,o,.,X
        ,+,+,+,+,+,
        T,T,T|.,.,.
        ,+,+,+,+,+,
        .,.,.|.,.,.
        ,+,+,+,+,+,
        .,.,.|.,.,.
        """,
    ),
    Plan(
        """
        Xa.,.,.,.,.
        -+-+-+-+-+,
        @,.,A,.,o,.
        ,+,+,+,+,+,
        .,.,T,T,T,.
        ,+,+,+,+,+,
        .,.,T,T,T,.
        ,+,+,+,+,+,
        o,.,T,T,T,A
        ,+,+-+-+,+,
        .,.,.,.,.,.
        """,
    ),
    Plan(
        """
        .,.,@,.,.,.
        ,+,+,+,+,+,
        .,.,.,.,.,p
        a+,+,+,+,+,
        .|.,T,T,T,.
        ,+,+,+,+,+,
        .|.,T,T,T,.
        ,+,+,+,+,+,
        .|.,T,T,T,.
        ,+,+,+,+-+,
        X|.,.,.,A|.
        """,
    ),
    Plan(
        """
        Xa.,.,.,.|.
        -+-+-+-+,+,
        A|.,T,T,T|.
        -+,+,+,+,+,
        .,.,T,T,T|o
        ,+,+,+,+,+,
        .,.,T,T,T|.
        ,+,+,+,+,+,
        .,.,.,.,.,.
        ,+,+,+,+,+,
        @,.,.,.,.,.
        """,
    ),
    Plan(
        """
        Xa.,.,.,.,.
        -+-+-+-+-+,
        @,.,A,.,o,.
        ,+,+,+,+,+,
        .,.,T,T,T,.
        ,+,+,+,+,+,
        .,.,T,T,T,.
        ,+,+,+,+,+,
        o,.,T,T,T,A
        ,+,+-+-+,+,
        .,.,.,.,.,.
        """,
        turns=3,
    ),
    Plan(
        """
        @,.,.,~,~|X
        ,+,+,+,+,+,
        .,t,T,T,~|.
        ,+,+,+,+,+a
        .,T,T,T,~|.
        ,+,+,+,+,+,
        .,T,T,T,~|.
        ,+,+,+,+,+,
        .,.,o,~,~,.
        ,+,+,+,+,+,
        .,.,.,~,~|.
        """,
        nailed=False,
    ),
    Plan(
        """
        .,.,.,.b.,X
        -+,+,+,+,+,
        .,T,T,T|o,.
        ,+,+,+,+-+,
        .,T,T,T,.a.
        ,+,+,+,+-+,
        .,T,T,T|.,.
        ,+,+,+,+-+,
        .,.,.,.,.|s
        ,+,+,+,+,+,
        .,.,A,B,@|.
        """,
        mirrored=True,
    ),
    Plan(
        """
        @,.,.,~,~|X
        ,+,+,+,+,+,
        .,t,T,T,~|.
        ,+,+,+,+,+a
        .,T,T,T,~|.
        ,+,+,+,+,+,
        .,T,T,T,~|.
        ,+,+,+,+,+,
        .,.,.,~,~,.
        ,+,+,+,+,+,
        p,.,.,~,~|.
        """,
        turns=3,
        nailed=False,
    ),
)


# --- games/ke52/source/game.py

SLIDE = (0.25, 0.5, 0.75)  # shares of the way, one a frame
NUDGE = 0.15
RINGS = range(2, 13)  # how far the rings around the mat reach, in half squares


class Ke52(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("ke52", levels, Camera(background=RIM), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._plan, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw()

    def script(self, action: GameAction) -> Script:
        direction = DIRECTIONS[action]
        before, self._position = self._position, act(self._plan, self._position, direction)
        if self._position == before:
            yield from self._nudge(direction)
            return
        if self._position._replace(walker=before.walker) != before:
            for share in SLIDE:
                self.show(draw(self._plan, Motion(before, self._position, share)))
                yield
        self._draw()
        if is_solved(self._plan, self._position):
            for glow in RINGS:
                yield
                self._draw(glow)
            yield
            self._draw()
            self.next_level()

    def _nudge(self, direction: Cell) -> Script:
        """What cannot be pushed gives way a little and comes back, in the model and in the room."""
        state = self._position
        to = beside(state.walker, direction)
        if not (is_on_table(state, to) and is_on_table(state, beside(to, direction))):
            return
        square, goal = (square_of_figure(self._plan, state, cell) for cell in (to, beside(to, direction)))
        if square in state.blocks and goal not in state.blocks:
            wanted = state._replace(blocks=state.blocks - {square} | {goal})
            self.show(draw(self._plan, Motion(state, wanted, NUDGE)))
            yield
            self._draw()

    def _draw(self, glow: int = 0) -> None:
        self.show(draw(self._plan, Motion(self._position, self._position, 1, glow)))
