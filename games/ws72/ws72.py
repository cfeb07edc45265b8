"""Marks that look alike are one place: blocks are pushed until what is around two marks is the same.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/ws72/source/.

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
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


@cache
def stamp(picture: str, **inks: int) -> Pixels:
    """A small picture from rows of signs: one colour a sign, any other sign clear. Nothing is drawn on it."""
    rows = [[inks.get(sign, CLEAR) for sign in row] for row in picture.split()]
    return finished(np.array(rows, dtype=np.int8))


def finished(picture: Pixels) -> Pixels:
    """The same picture, protected, as what a cached function returns should be: nothing is drawn on it."""
    picture.setflags(write=False)
    return picture


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


# --- games/ws72/source/rules.py
# Places that look alike are one place: pure functions over an immutable state.

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


# --- games/ws72/source/drawing.py
# Draws the rooms with walls, blocks and marks, and who goes through the marks.

SIZE = 8  # pixels a cell

FLOOR, SPOT = 4, 3
WALL, WALL_SIDE = 2, 3
PLAIN, PLAIN_SIDE = 12, 13
TINT, TINT_SIDE = 9, 10
WALKER = 11
MARK, BACKWARDS, JOINED = 0, 15, (7, 14)  # of marks alone, of the bar of mirrored ones, of two pairs

FIGURE = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
SMALL = "...... ...... ..xx.. ..xx.. ...... ......"
BAR = 3  # pixels: how wide the bar of a mark is


class Scene(NamedTuple):
    """A moment. `walker`: its top left pixel; `block`: one that moves, whether tinted, and its pixel."""

    state: State
    walker: Cell
    block: tuple[bool, Cell] | None = None
    through: tuple[Cell, ...] = ()
    """The marks that somebody or something goes through now."""
    ring: int = 0
    is_small: bool = False
    glow: int = 0


def corner(at: Cell) -> Cell:
    """The top left pixel of a cell."""
    return SIZE * at[0], SIZE * at[1]


def half(one: Cell, other: Cell) -> Cell:
    """The top left pixel half way between two cells."""
    return SIZE * (one[0] + other[0]) // 2, SIZE * (one[1] + other[1]) // 2


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, FLOOR)
    for x in range(SIZE, BOARD, SIZE):
        for y in range(SIZE, BOARD, SIZE):
            box(picture, x, y, 1, 1, SPOT)
    _draw_walls(picture, board)
    _draw_goal(picture, board.goal, scene.glow)
    pairs = _pairs(board, scene.state)
    for mark in board.marks:
        _draw_mark(picture, mark, pairs.get(mark.at, MARK), is_joined=mark.at in pairs)
    for at in sorted(scene.state.blocks | scene.state.tinted):
        _draw_block(picture, corner(at), is_tinted=at in scene.state.tinted)
    if scene.block is not None:
        _draw_block(picture, scene.block[1], is_tinted=scene.block[0])
    figure = stamp(SMALL if scene.is_small else FIGURE, x=WALKER)
    paste(picture, figure, scene.walker[0] + 1, scene.walker[1] + 1)
    for at in scene.through:
        x, y = corner(at)
        frame(picture, x - scene.ring, y - scene.ring, SIZE + 2 * scene.ring, pairs.get(at, JOINED[0]))
    return picture


def _pairs(board: Board, state: State) -> dict[Cell, int]:
    """The colour of each mark that is joined to another one."""
    twins = joined(board, state)
    colours: dict[Cell, int] = {}
    for mark in board.marks:
        if mark.at in twins and mark.at not in colours:
            colours[mark.at] = colours[twins[mark.at]] = JOINED[len(colours) // 2]
    return colours


def _draw_walls(picture: Pixels, board: Board) -> None:
    for at in sorted(board.walls):
        x, y = corner(at)
        box(picture, x, y, SIZE, SIZE, TINT if at in board.tinted else WALL)
        if beside(at, (0, 1)) not in board.walls:
            box(picture, x, y + SIZE - 2, SIZE, 2, TINT_SIDE if at in board.tinted else WALL_SIDE)


def _draw_goal(picture: Pixels, at: Cell, glow: int) -> None:
    x, y = corner(at)
    frame(picture, x + 1, y + 1, SIZE - 2, WALKER)
    box(picture, x + 3, y + 3, 2, 2, WALKER)
    if glow:
        frame(picture, x - glow, y - glow, SIZE + 2 * glow, WALKER)


def _draw_mark(picture: Pixels, mark: Mark, colour: int, *, is_joined: bool) -> None:
    """A square, full where the mark is joined, with a bar along its first side; purple if read backwards."""
    x, y = corner(mark.at)
    frame(picture, x, y, SIZE, colour)
    if is_joined:
        box(picture, x + 1, y + 1, SIZE - 2, SIZE - 2, colour)
    across, down = ((0, 0), (SIZE - BAR, 0), (0, SIZE - BAR), (0, 0))[mark.corner]
    wide, high = (SIZE, BAR) if mark.corner % 2 == 0 else (BAR, SIZE)
    box(picture, x + across, y + down, wide, high, BACKWARDS if mark.is_mirrored else MARK)


def _draw_block(picture: Pixels, at: Cell, *, is_tinted: bool) -> None:
    top, side = (TINT, TINT_SIDE) if is_tinted else (PLAIN, PLAIN_SIDE)
    box(picture, at[0], at[1], SIZE, SIZE, side)
    box(picture, at[0] + 1, at[1] + 1, SIZE - 2, SIZE - 3, top)


# --- games/ws72/source/levels.py
# The levels: eight by eight cells.

LEVELS = (
    """
    @...#...
    ....#...
    .1..#.1.
    ....#...
    #####...
    #.#.#.#.
    ..1.#.1.
    G...#...
    """,
    """
    ....#.#.
    x...#1G.
    1...#...
    ...@#...
    .#..#...
    ...x#...
    ..x.#...
    ..#.#...
    """,
    """
    ....@#..
    ....##..
    .....#..
    1..x.#1.
    .....###
    x....#1.
    .x...#..
    .#...#.G
    """,
    """
    ....#...
    1.x.#.1.
    @.x##..x
    ....#1..
    ....####
    ####....
    ####..1.
    ####G...
    """,
    """
    ...1#...
    x...#G..
    ....##..
    ....#...
    ...##...
    x@#.#...
    .x..#..#
    ....#..2
    """,
    """
    @.1.####
    ....#G.#
    #.xx#.#.
    .#..#..7
    ....#..#
    ...#####
    ########
    ########
    """,
    """
    ########
    #....#..
    #.ox##..
    #1..###G
    #@...#1.
    #....#%.
    ########
    ########
    """,
    """
    ########
    #.2..#..
    #..x@#..
    #.o###%G
    #....#.6
    #....##.
    ########
    ########
    """,
)


# --- games/ws72/source/game.py

GLOWS = range(1, 9)


class Ws72(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("ws72", levels, Camera(background=FLOOR), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        before, direction = self._position, DIRECTIONS[action]
        after = step(self._board, before, direction)
        if after == before:
            return
        self._position = after
        yield from self._move(before, after, beside(before.walker, direction), direction)
        self._rest()
        if is_solved(self._board, after):
            for glow in GLOWS:
                yield
                self._rest(glow)
            yield
            self.next_level()

    def _move(self, before: State, after: State, to: Cell, direction: Cell) -> Script:
        """Half a step, and what goes through a mark: it is gone from the one, and comes out on the other."""
        is_tinted = before.tinted != after.tinted
        pushed = (before.tinted - after.tinted) if is_tinted else (before.blocks - after.blocks)
        rest = before._replace(blocks=before.blocks & after.blocks, tinted=before.tinted & after.tinted)
        beyond = beside(to, direction)
        block = (is_tinted, half(to, beyond)) if pushed else None
        self._draw(Scene(rest, half(before.walker, to), block))
        yield
        if pushed and beyond not in after.blocks | after.tinted:
            [lands] = (after.blocks | after.tinted) - (rest.blocks | rest.tinted)
            yield from self._go_through(Scene(before._replace(walker=to), corner(to)), (beyond, lands), rest)
        elif after.walker != to:
            for place in (to, after.walker):
                shown = Scene(before, corner(place), is_small=True)
                yield from self._go_through(shown, (to, after.walker), before)

    def _go_through(self, scene: Scene, marks: tuple[Cell, Cell], state: State) -> Script:
        for ring in (1, 2):
            self._draw(scene._replace(state=state, through=marks, ring=ring))
            yield

    def _rest(self, glow: int = 0) -> None:
        self._draw(Scene(self._position, corner(self._position.walker), glow=glow))

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
