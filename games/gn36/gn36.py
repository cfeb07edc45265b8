"""Stones, and plates that bear where their own colour's stone is the nearest.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/gn36/source/.

from __future__ import annotations

from collections.abc import Iterator
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


# --- games/gn36/source/rules.py
# The rules of stones and of what belongs to them: pure functions over an immutable state.

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


# --- games/gn36/source/drawing.py
# Draws a moment: whose each pixel is, and on that plates, posts, stones and the walker.

CELL = 7  # pixels a cell
MIDDLE = CELL / 2
BLACK, GREEN = 5, 14

# By the colour that they belong to: rock, a dot of the void; plates and stones with their lower edge.
ROCK = {GREY: 2, WARM: 11, COLD: 10}
DOT = {GREY: 3, WARM: 13, COLD: 9}
INKS = {GREY: (3, 4), WARM: (8, 13), COLD: (9, 15), BOTH: (0, 2)}
FACE = 4

POST = stamp("ooooooo o.....o o.....o o.....o o.....o o.....o ooooooo", o=BLACK)
HOLLOW = "oo.oo o...o ..... o...o oo.oo"
STONE = "ooooo ohhho ohhho ohhho ooooo"
SMALL = "ooo ooo ooo"
WALKER = stamp(".ggggg. ggggggg ggggggg ggggggg ggggggg ggggggg .ggggg.", g=GREEN)
AROUND = stamp(".ggggg. g.....g g.....g g.....g g.....g g.....g .ggggg.", g=GREEN)
GOAL = stamp("ggggggg gbbbbbg gbgggbg gbgbgbg gbgggbg gbbbbbg ggggggg", g=GREEN, b=BLACK)
FALLING = {5: ".ggg. ggggg ggggg ggggg .ggg.", 3: "ggg ggg ggg", 1: "g"}

Place = tuple[int, int]  # a pixel: the top left one of a cell's place, or of a stone in motion
Distances = NDArray[np.float64]

_ROWS, _COLUMNS = np.mgrid[0:BOARD, 0:BOARD] + 0.5


class Moment(NamedTuple):
    """`share` of the way from one state to another; or a fall; or a wave from the goal."""

    before: State
    after: State
    share: float
    fall: int = 0
    """The size of the falling walker in pixels, 0 if it does not fall."""
    wave: int = 0
    """How far the wave has come, in pixels."""


def draw(board: Board, moment: Moment) -> Pixels:
    """The whole frame."""
    places = [
        _on_the_way(start, end, moment.share)
        for start, end in zip(moment.before.stones, moment.after.stones, strict=True)
    ]
    picture = _ground(board, tuple(places)).copy()
    if moment.wave:
        away = np.hypot(_COLUMNS - board.goal[0] * CELL - MIDDLE, _ROWS - board.goal[1] * CELL - MIDDLE)
        picture[np.abs(away - moment.wave) < 2] = GREEN
    _draw_plates(picture, board, moment)
    paste(picture, GOAL, board.goal[0] * CELL, board.goal[1] * CELL)
    for (x, y), colour in board.posts:
        box(picture, x * CELL, y * CELL, CELL, CELL, ROCK[colour])
        paste(picture, POST, x * CELL, y * CELL)
        paste(picture, _stone(colour), x * CELL + 1, y * CELL + 1)
    _draw_stones(picture, board, moment, places)
    return picture


def _on_the_way(start: Cell, end: Cell, share: float) -> Place:
    x, y = (round(CELL * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


@lru_cache(maxsize=256)
def _ground(board: Board, places: tuple[Place, ...]) -> Pixels:
    """Rock in the colour that each of its pixels belongs to, and dots of that colour in the void."""
    least = {colour: np.full((BOARD, BOARD), 1e9) for colour in (GREY, WARM, COLD)}
    for place, stone in zip(places, board.stones, strict=True):
        _come_near(least[stone.colour], place, 1 if stone.is_strong else 4)
    for (x, y), colour in board.posts:
        _come_near(least[colour], (x * CELL, y * CELL), 4)
    owners = np.argmin(np.stack([least[GREY], least[WARM], least[COLD]]), axis=0)
    dots = np.array([DOT[GREY], DOT[WARM], DOT[COLD]], dtype=np.int8)[owners]
    rocks = np.array([ROCK[GREY], ROCK[WARM], ROCK[COLD]], dtype=np.int8)[owners]
    is_dot = (_COLUMNS.astype(int) % 4 == 1) & (_ROWS.astype(int) % 4 == 1)
    picture: Pixels = np.where(is_dot, dots, BLACK).astype(np.int8)
    for x, y in board.rock:
        if (x, y + 1) not in board.rock:
            box(picture, x * CELL, (y + 1) * CELL, CELL, 1, FACE)
    for x, y in board.rock:
        area = np.s_[y * CELL : (y + 1) * CELL, x * CELL : (x + 1) * CELL]
        picture[area] = rocks[area]
    return finished(picture)


def _come_near(least: Distances, place: Place, weight: int) -> None:
    far = (_COLUMNS - place[0] - MIDDLE) ** 2 + (_ROWS - place[1] - MIDDLE) ** 2
    np.minimum(least, far * weight, out=least)


def _draw_plates(picture: Pixels, board: Board, moment: Moment) -> None:
    """Solid where a plate bears the walker, else the corners of its frame."""
    for (x, y), kind in board.plates:
        is_now = bears(board, moment.after, (x, y))
        was = bears(board, moment.before, (x, y)) if moment.share < 1 else is_now
        ink, shade = INKS[kind]
        left, top = x * CELL, y * CELL
        paste(picture, _hollow(ink), left + 1, top + 1)
        side = round(5 * (was * (1 - moment.share) + is_now * moment.share))
        if side:
            gap = (CELL - side) // 2
            box(picture, left + gap, top + gap, side, side + 1, shade)
            box(picture, left + gap, top + gap, side, side, ink)


def _hollow(ink: int) -> Pixels:
    return stamp(HOLLOW, o=ink)


def _stone(colour: int) -> Pixels:
    ink, shade = INKS[colour]
    return stamp(STONE, o=shade, h=ink)


def _draw_stones(picture: Pixels, board: Board, moment: Moment, places: list[Place]) -> None:
    held = moment.after.held
    x, y = _on_the_way(moment.before.walker, moment.after.walker, moment.share)
    is_over = False
    for index, ((left, top), stone) in enumerate(zip(places, board.stones, strict=True)):
        if index != held:
            paste(picture, _stone(stone.colour), left + 1, top + 1)
            is_over = is_over or (left, top) == (x, y)
    if moment.fall:
        gap = (CELL - moment.fall) // 2
        paste(picture, stamp(FALLING[moment.fall], g=GREEN), x + gap, y + gap)
        return
    paste(picture, AROUND if is_over else WALKER, x, y)
    if held is not None:
        paste(picture, stamp(SMALL, o=INKS[board.stones[held].colour][0]), x + 2, y + 2)


# --- games/gn36/source/levels.py
# The levels.

LEVELS = (
    """
    ~~~~~~~~~
    ~...~~~~~
    ~@W.wwww~
    ~...~~~w~
    ~~~~~~~w~
    ~~~~~~~wX
    ~~~~~~...
    ~~~~~~.O.
    ~~~~~~...
    """,
    """
    ~~~...~~~
    ~~~.SW~~~
    ~~~~ww~~~
    ..~...~..
    @.dd.dd.O
    ..~...~..
    ~~~dd~~~~
    ~~~...~~~
    ~~~...~~~
    """,
    """
    @.Sww...~
    ...ww.W.~
    ...~~...~
    ww~~~~dd~
    ww~X~~dd~
    ..~~~~...
    ...ww....
    ...ww...O
    ~~~~~~~~~
    """,
    """
    ~~~W..~~~
    ~~~...~~~
    ~~~~cc~~~
    ..~...~..
    @.ww.ww.O
    ..~...~..
    ~~~cc~~~~
    ~~~...~~~
    ~~~..C~~~
    """,
    """
    @.Vcc...~
    ...cc...~
    ...~~C..~
    ww~~~~ww~
    ww~~~~ww~
    ..~~~~...
    ...cc....
    ...cc...O
    ~~~~~~~~~
    """,
    """
    @..dd...~
    .S.dd...~
    ..W~~C..~
    ww~~~~ww~
    ww~~~~ww~
    ..~~~~...
    ...dd....
    ...dd...O
    ~~~~~~~~~
    """,
    """
    ~~~..C~~~
    ~~~...~~~
    ~~~~cc~~~
    ..~..W~..
    @.ww.mm.O
    ..~...~..
    ~~~cc~~~~
    ~~~...~~~
    ~~~...~~~
    """,
)


# --- games/gn36/source/game.py

STEP = (0.34, 0.67)  # shares of the way, one a frame
WAVES = range(4, 73, 8)  # how far the wave from the goal has come, in pixels


class Gn36(ScriptedGame):
    """Directions and interact."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("gn36", levels, Camera(background=BLACK), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        self._board, self._start = parse(LEVELS[level.get_data("number")])
        self._position = self._start
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        before = self._position
        if action not in DIRECTIONS:
            self._position = handle(self._board, before)
            self._rest()
            return
        after = move(self._board, before, DIRECTIONS[action])
        if after == before:
            return
        for share in STEP:
            self._draw(Moment(before, after, share))
            yield
        if after.fallen:
            yield from self._fall(after)
        else:
            self._position = after
        self._rest()
        if is_solved(self._board, self._position):
            for wave in WAVES:
                yield
                self._draw(Moment(after, after, 1, wave=wave))
            yield
            self._rest()
            self.next_level()

    def _fall(self, fallen: State) -> Script:
        """The walker falls, and the level is as it began."""
        for size in FALLING:
            self._draw(Moment(fallen, fallen, 1, fall=size))
            yield
        self._position = self._start

    def _rest(self) -> None:
        self._draw(Moment(self._position, self._position, 1))

    def _draw(self, moment: Moment) -> None:
        self.show(draw(self._board, moment))
