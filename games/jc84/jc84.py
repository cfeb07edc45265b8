"""A flock crosses bridges that bear an exact number, and leaves some of its own behind.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/jc84/source/.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
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


# --- games/jc84/source/rules.py
# A flock goes from island to island; a bridge bears exactly as many as it has hollows.

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


# --- games/jc84/source/drawing.py
# Draws the islands, the bridges with their hollows, the flock and those who were left.

SIDE, GAP, EDGE = 14, 8, 4  # of an island and of a bridge's length, in pixels; who fit on an edge
PITCH = SIDE + GAP
SEA, WAVE = 15, 6
LAND = 11
PLANK, HOLLOW = 12, 13
ONE = 5
NEST_HOLLOW = 7
WATER, DRY = 10, 12
LINK = 8
MARKS = ("..x .xx xxx", "xxx xx. x..")  # large ones, in turns
SMALL_MARKS = (".x xx", "xx x.")


class Scene(NamedTuple):
    """A moment. `shift`: how far the flock is from its island, in pixels; `fallen`: how deep it has sunk."""

    state: State
    shift: Cell = (0, 0)
    fallen: int = 0
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    whole = tuple((at, bridge) for at, bridge in board.bridges.items() if at not in scene.state.gone)
    picture = _sea(_margins(tuple(board.islands)), whole).copy()
    left = dict(scene.state.left)
    for at, sign in board.islands.items():
        x, y = corner(board, at)
        _draw_island(picture, board, scene, x, y, sign, at)
        for number in range(left.get(at, 0)):
            _draw_waiting(picture, x, y, number)
    x, y = corner(board, scene.state.at)
    _draw_flock(picture, scene, x + scene.shift[0], y + scene.shift[1])
    return picture


def corner(board: Board, at: Cell) -> Cell:
    """The top left pixel of an island, so that all of them lie in the middle of the frame."""
    return _corner(_margins(tuple(board.islands)), at)


def _corner(margins: Cell, at: Cell) -> Cell:
    return margins[0] + at[0] // 2 * PITCH, margins[1] + at[1] // 2 * PITCH


@lru_cache(maxsize=16)
def _margins(islands: tuple[Cell, ...]) -> Cell:
    wide, high = (max(cell[axis] for cell in islands) // 2 * PITCH + SIDE for axis in (0, 1))
    return (BOARD - wide) // 2, (BOARD - high) // 2


def _mark(number: int, colour: int, marks: tuple[str, str] = MARKS) -> Pixels:
    """The picture of one of several."""
    return stamp(marks[number % 2], x=colour)


def _place(x: int, y: int, number: int) -> Cell:
    """Where one of a flock stands on an island: rows of three from its upper left."""
    return x + 1 + 4 * (number % 3), y + 1 + 4 * (number // 3)


def _draw_waiting(picture: Pixels, x: int, y: int, number: int) -> None:
    """One who was left: along the lower edge, then along the right one."""
    mark = _mark(number, ONE, SMALL_MARKS)
    if number < EDGE:
        paste(picture, mark, x + 1 + 3 * number, y + SIDE - 2)
    else:
        paste(picture, mark, x + SIDE - 2, y + 1 + 3 * (number - EDGE))


def _draw_island(picture: Pixels, board: Board, scene: Scene, x: int, y: int, sign: str, at: Cell) -> None:
    box(picture, x, y, SIDE, SIDE, LAND)
    if sign == NEST:
        for number in range(board.wanted):
            paste(picture, _mark(number, NEST_HOLLOW), *_place(x, y, number))
        frame(picture, x - 1 - scene.glow, y - 1 - scene.glow, SIDE + 2 + 2 * scene.glow, NEST_HOLLOW)
    elif sign == SPRING:
        colour = DRY if at in scene.state.gone else WATER
        frame(picture, x, y, SIDE, colour, 2)
    elif sign == TWIN:
        frame(picture, x, y, SIDE, LINK)
        for across, down in ((6, -1), (6, SIDE - 1), (-1, 6), (SIDE - 1, 6)):
            box(picture, x + across, y + down, 2, 2, LINK)


@lru_cache(maxsize=64)
def _sea(margins: Cell, bridges: tuple[tuple[Cell, Bridge], ...]) -> Pixels:
    """The sea with its bridges; drawn once, because everything else is drawn on it."""
    picture = canvas(BOARD, BOARD, SEA)
    for n in range(12):
        box(picture, (n * 23) % 60, (n * 17 + 5) % 62, 3, 1, WAVE)
    for at, bridge in bridges:
        _draw_bridge(picture, margins, at, bridge)
    return finished(picture)


def _draw_bridge(picture: Pixels, margins: Cell, at: Cell, bridge: Bridge) -> None:
    """Planks with a hollow for each that it bears, five at most; a weak one has gaps."""
    is_level = at[0] % 2 == 1
    before = (at[0] - 1, at[1]) if is_level else (at[0], at[1] - 1)
    x, y = _corner(margins, before)
    x, y = (x + SIDE, y + 1) if is_level else (x + 1, y + SIDE)
    wide, high = (GAP, SIDE - 2) if is_level else (SIDE - 2, GAP)
    box(picture, x, y, wide, high, PLANK)
    if bridge.is_weak:
        for n in range(0, SIDE - 2, 3):
            across, down = (GAP // 2 - 1, n) if is_level else (n, GAP // 2 - 1)
            box(picture, x + across, y + down, 2, 2, SEA)
    for number in range(bridge.hollows):
        row, place = divmod(number, 3)
        short, long = 1 + 4 * row, 1 + 4 * place + 2 * row
        across, down = (short, long) if is_level else (long, short)
        paste(picture, _mark(number, HOLLOW, SMALL_MARKS), x + across, y + down)


def _draw_flock(picture: Pixels, scene: Scene, x: int, y: int) -> None:
    for number in range(scene.state.flock):
        across, down = _place(x, y, number)
        if scene.fallen == 0:
            paste(picture, _mark(number, ONE), across, down)
        elif scene.fallen == 1:
            paste(picture, _mark(number, ONE, SMALL_MARKS), across, down + 1)
        else:
            box(picture, across - 1, down + 1, 4, 1, WAVE)


# --- games/jc84/source/levels.py
# The levels: islands and the bridges between them.

LEVELS = (
    Plan(
        """
        @1121
        ----3
        ----G
        """,
        flock=1,
        wanted=3,
    ),
    Plan(
        """
        21G1.
        2-3-1
        @22-.
        """,
        flock=2,
        wanted=4,
    ),
    Plan(
        """
        .4@31
        2-2-2
        .4112
        3-4-4
        G-.-.
        """,
        flock=2,
        wanted=1,
    ),
    Plan(
        """
        .d.2.
        a-a--
        @22-G
        3-2-3
        2114.
        """,
        flock=2,
        wanted=3,
    ),
    Plan(
        """
        232-G
        2---4
        .4@2.
        4-2-1
        .3S1.
        """,
        flock=2,
        wanted=4,
    ),
    Plan(
        """
        V2@-.
        3-2-4
        .-21.
        3-2-3
        21V4G
        """,
        flock=2,
        wanted=1,
    ),
    Plan(
        """
        @12-.
        --3-5
        G5V2.
        1-4-2
        .3S3V
        """,
        flock=2,
        wanted=4,
    ),
    Plan(
        """
        GdV1.
        a-1-1
        .-@2S
        --2-1
        12.2V
        """,
        flock=2,
        wanted=3,
    ),
)


# --- games/jc84/source/game.py

WALK = (0.25, 0.5, 0.75)  # shares of the way, a frame each
SINKING = (1, 2)
RINGS = range(1, 9)


class Jc84(ScriptedGame):
    """Directions, and interact to leave one behind."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("jc84", levels, Camera(background=SEA), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        number = level.get_data("number")
        self._board, self._position = parse(LEVELS[number])
        self._again = (
            self._position if number == 0 else None
        )  # where a flock that sinks on level 1 stands again
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        if action in DIRECTIONS:
            yield from self._go(DIRECTIONS[action])
        else:
            self._position = leave(self._board, self._position)
        self._draw(Scene(self._position))
        if is_solved(self._board, self._position):
            for glow in RINGS:
                yield
                self._draw(Scene(self._position, glow=glow))
            yield
            self.next_level()

    def _go(self, direction: Cell) -> Script:
        before, self._position = self._position, go(self._board, self._position, direction)
        if self._position == before:
            return
        sinks = self._position.is_lost and self._position.at == before.at
        for share in WALK[:2] if sinks else WALK:
            self._draw(Scene(before, _shifted(direction, share)))
            yield
        if self._position.is_lost:
            shift = _shifted(direction, WALK[1] if sinks else 1)
            for fallen in SINKING:
                self._draw(Scene(before, shift, fallen))
                yield
            if self._again is None:
                self.lose()
            else:
                self._position = self._again

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))


def _shifted(direction: Cell, share: float) -> Cell:
    """How far a share of the way to the next island is, in pixels."""
    return round(PITCH * share * direction[0]), round(PITCH * share * direction[1])
