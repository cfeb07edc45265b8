"""A slab in the dark with balls that go on until something stops or turns them; each belongs in a dish.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/xf27/source/.

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


# --- games/xf27/source/rules.py
# A slab with balls that never stop by themselves: kicked, caught, handed on, turned, dropped into dishes.

STILL = (0, 0)
BLOCK, RISING, FALLING, GATE, PLATE = "#/\\HP"
WARM, COLD = "ab"
DISHES = {"A": WARM, "B": COLD}
SOLID = BLOCK + RISING + FALLING  # what nobody walks on


class Ball(NamedTuple):
    """`velocity` in cells an action; `rests` in its dish for good."""

    kind: str
    at: Cell
    velocity: Cell = STILL
    rests: bool = False


class Board(NamedTuple):
    """What never changes during a level: the sign of every cell of the slab."""

    ground: Mapping[Cell, str]


class State(NamedTuple):
    """The walker, and the balls in the order of the picture; `is_lost` once one has left the slab."""

    walker: Cell
    balls: tuple[Ball, ...]
    is_lost: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = {at: sign for at, sign in signs_of(picture) if sign != "-"}
    balls = tuple(Ball(sign, at) for at, sign in signs.items() if sign in (WARM, COLD))
    walker = next(at for at, sign in signs.items() if sign == "@")
    ground = {at: "." if sign in ("@", WARM, COLD) else sign for at, sign in signs.items()}
    return Board(ground), State(walker, balls)


def act(board: Board, state: State, direction: Cell) -> State:
    """The state after an action: a step, a kick or, against what is solid, a moment's wait."""
    if state.is_lost:
        return state
    to = beside(state.walker, direction)
    kicked = ball_at(state, to)
    if kicked is not None:
        state = _with(state, kicked, state.balls[kicked]._replace(velocity=direction))
    elif is_walkable(board, state, to):
        state = state._replace(walker=to)
    began = state.balls
    for number, ball in enumerate(began):
        if ball.velocity != STILL and state.balls[number] == ball:  # else it was hit in this moment
            state = _rolled(board, state, number)
    return state


def _rolled(board: Board, state: State, number: int) -> State:
    """The state after one moving ball has gone on by one cell, or met something."""
    ball = state.balls[number]
    across, down = ball.velocity
    to = beside(ball.at, ball.velocity)
    if to == state.walker:
        return _with(state, number, ball._replace(velocity=STILL))
    met = ball_at(state, to)
    if met is not None:
        other = state.balls[met]
        state = _with(state, met, other._replace(velocity=ball.velocity))
        return _with(state, number, ball._replace(velocity=other.velocity))
    sign = board.ground.get(to, "")
    if sign == BLOCK or (sign == GATE and not is_open(board, state)):
        return _with(state, number, ball._replace(velocity=(-across, -down)))
    if sign == RISING:
        return _with(state, number, ball._replace(at=to, velocity=(-down, -across)))
    if sign == FALLING:
        return _with(state, number, ball._replace(at=to, velocity=(down, across)))
    if DISHES.get(sign) == ball.kind and not is_filled(state, to):
        return _with(state, number, ball._replace(at=to, velocity=STILL, rests=True))
    moved = _with(state, number, ball._replace(at=to))
    return moved if sign else moved._replace(is_lost=True)


def ball_at(state: State, at: Cell) -> int | None:
    """The number of the ball that lies or rolls at a cell, not of one in its dish."""
    return next((n for n, ball in enumerate(state.balls) if ball.at == at and not ball.rests), None)


def is_filled(state: State, at: Cell) -> bool:
    """Whether the dish at a cell has its ball."""
    return any(ball.rests and ball.at == at for ball in state.balls)


def is_open(board: Board, state: State) -> bool:
    """Whether the gates are open: something is on a plate, or stands between their posts."""
    occupied = [state.walker, *(ball.at for ball in state.balls)]
    return any(board.ground.get(at, "") in (PLATE, GATE) for at in occupied)


def is_walkable(board: Board, state: State, at: Cell) -> bool:
    """Whether the walker can step there, as far as there is no ball."""
    sign = board.ground.get(at, "")
    return bool(sign) and sign not in SOLID and (sign != GATE or is_open(board, state))


def is_solved(board: Board, state: State) -> bool:
    """Every ball rests in its dish."""
    return not state.is_lost and all(ball.rests for ball in state.balls)


def _with(state: State, number: int, ball: Ball) -> State:
    return state._replace(balls=(*state.balls[:number], ball, *state.balls[number + 1 :]))


# --- games/xf27/source/drawing.py
# Draws the slab in the dark, what stands on it, and the balls with the streaks that they leave.

SIZE, MARGIN = 7, 4  # of a cell and around eight of them, in pixels

SPACE, STAR = 5, 4
FLOOR, EDGE = 13, 4
STONE, TOP = 3, 2
INK = {WARM: 11, COLD: 10}
STREAK = {WARM: 12, COLD: 9}
GLEAM, WALKER = 0, 7
RAMP, POST, LIT = 1, 14, 14

BALL = ".xxx. xxxxx xxxxx xxxxx .xxx."
SMALL = "..... .xxx. .xxx. .xxx. ....."
DISH = ".ddd. d...d d...d d...d .ddd."
FIGURE = "wwwww wwwww wwwww wwwww wwwww"
SHUT = "xxxxxxx x.x.x.x xx.x.xx x.x.x.x xx.x.xx x.x.x.x xxxxxxx"
AJAR = "xx...xx x.....x ....... ....... ....... x.....x xx...xx"
SLOPES = {
    RISING: "....rr ...rrr ..rrr. .rrr.. rrr... rr....",
    FALLING: "rr.... rrr... .rrr.. ..rrr. ...rrr ....rr",
}


class Scene(NamedTuple):
    """A moment: `share` of the way from the state `before` to `after`; `fallen`: how far a lost ball has."""

    before: State
    after: State
    share: float = 1
    fallen: int = 0
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = _ground(tuple(board.ground.items()), opened=is_open(board, scene.after)).copy()
    for at, sign in board.ground.items():
        if sign in DISHES:
            _draw_dish(picture, at, DISHES[sign], is_filled(scene.before, at), scene.glow)
    for before, after in zip(scene.before.balls, scene.after.balls, strict=True):
        _draw_ball(picture, board, before, after, scene)
    x, y = _between(scene.before.walker, scene.after.walker, scene.share)
    paste(picture, stamp(FIGURE, w=WALKER), x + 1, y + 1)
    return picture


@lru_cache(maxsize=16)
def _ground(signs: tuple[tuple[Cell, str], ...], *, opened: bool) -> Pixels:
    """The slab with all that never moves; drawn once, because everything else is drawn on it."""
    picture = canvas(BOARD, BOARD, SPACE)
    for n in range(16):
        box(picture, (n * 37 + 3) % 64, (n * 23 + 5) % 64, 1, 1, STAR)
    for at, _ in signs:
        x, y = corner(at)
        box(picture, x, y + 2, SIZE, SIZE, EDGE)
    for at, sign in signs:
        _draw_ground(picture, at, sign, opened=opened)
    return finished(picture)


def corner(at: Cell) -> Cell:
    """The top left pixel of a cell."""
    return MARGIN + SIZE * at[0], MARGIN + SIZE * at[1]


def _between(one: Cell, other: Cell, share: float) -> Cell:
    """The top left pixel of what is on its way from one cell to another."""
    (left, top), (right, bottom) = corner(one), corner(other)
    return round(left + share * (right - left)), round(top + share * (bottom - top))


def _draw_ground(picture: Pixels, at: Cell, sign: str, *, opened: bool) -> None:
    x, y = corner(at)
    box(picture, x, y, SIZE, SIZE, FLOOR)
    if sign == BLOCK:
        box(picture, x, y, SIZE, SIZE, STONE)
        box(picture, x, y, SIZE, SIZE - 2, TOP)
    elif sign in SLOPES:
        paste(picture, stamp(SLOPES[sign], r=RAMP), x, y)
    elif sign == PLATE:
        box(picture, x + 1, y + 1, SIZE - 2, SIZE - 2, POST)
        box(picture, x + 2, y + 2, SIZE - 4, SIZE - 4, LIT if opened else FLOOR)
    elif sign == GATE:
        paste(picture, stamp(AJAR if opened else SHUT, x=POST), x, y)


def _draw_dish(picture: Pixels, at: Cell, kind: str, filled: bool, glow: int) -> None:
    x, y = corner(at)
    paste(picture, stamp(DISH, d=GLEAM if glow else INK[kind]), x + 1, y + 1)
    if filled:
        box(picture, x + 2, y + 2, 3, 3, INK[kind])
    if glow:
        box(picture, x + 1, y + 3 - glow * 2, SIZE - 2, 1, INK[kind])


def _draw_ball(picture: Pixels, board: Board, before: Ball, after: Ball, scene: Scene) -> None:
    """A ball with the streak of its velocity; one that has left the slab shrinks and is gone."""
    if before.rests:
        return
    x, y = _between(before.at, after.at, scene.share)
    ink, shape = INK[after.kind], BALL
    if after.at not in board.ground:
        if scene.fallen > 1:
            return
        shape = SMALL if scene.fallen else BALL
        x, y = (min(max(one, -1), BOARD - SIZE + 1) for one in (x, y))
    elif after.velocity != STILL:
        across, down = after.velocity
        box(picture, x + 2 - 3 * across, y + 2 - 3 * down, 3, 3, STREAK[after.kind])
    paste(picture, stamp(shape, x=ink), x + 1, y + 1)


# --- games/xf27/source/levels.py
# The levels: eight by eight cells of a slab in the dark.

LEVELS = (
    """
    --------
    -######-
    -#....#-
    -#@.a.#-
    -#....#-
    -#..A.#-
    -######-
    --------
    """,
    """
    ........
    ........
    ........
    #.......
    ...a....
    ........
    -.A.@..-
    -..#...-
    """,
    """
    -....@.-
    ---.a---
    ---..---
    ---..---
    ...#....
    ....../.
    ........
    .A..\\../
    """,
    """
    --....--
    --....--
    --....--
    ........
    .A..a.a.
    .......A
    .....#..
    --.@..--
    """,
    """
    ...-#.--
    ...-....
    ...-....
    ...-....
    A..H....
    ...-a.#.
    --.-...P
    --.-...@
    """,
    """
    ...#....
    --.a..--
    --.../--
    --.@..--
    --..#.--
    .\\......
    ....b..A
    ..B.....
    """,
    """
    -...-.--
    ....HA--
    P...-...
    @A.a-...
    ....-...
    .#..-...
    -..a-...
    -..#-...
    """,
    """
    -#..-..-
    -@.B-A..
    ....-...
    P..bH/..
    ....-...
    .a..-...
    ....-...
    -...-...
    """,
)


# --- games/xf27/source/game.py

SHARES = (0.35, 0.7)  # of the way, a frame each
FALL = (1, 2)
GLOWS = range(1, 7)


class Xf27(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("xf27", levels, Camera(background=SPACE), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(Scene(self._position, self._position))

    def script(self, action: GameAction) -> Script:
        before = self._position
        self._position = after = act(self._board, before, DIRECTIONS[action])
        if after == before:
            return
        for share in SHARES:
            self._draw(Scene(before, after, share))
            yield
        if after.is_lost:
            for fallen in FALL:
                self._draw(Scene(before, after, fallen=fallen))
                yield
            self.lose()
        elif is_solved(self._board, after):
            for glow in GLOWS:
                self._draw(Scene(after, after, glow=glow))
                yield
            self.next_level()
            return
        self._draw(Scene(after, after, fallen=FALL[-1] if after.is_lost else 0))

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
