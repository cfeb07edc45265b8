"""Lamps, screens, and plates that are there in one light only.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/qd41/source/.

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


# --- games/qd41/source/rules.py
# The rules of lamps, screens and plates: pure functions over an immutable state.

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


# --- games/qd41/source/drawing.py
# Draws a moment: light and shadow pixel by pixel; on them plates, pillars, things and the walker.

CELL = 7  # pixels a cell
MIDDLE = CELL / 2
BLACK, GREEN = 5, 14
BRIGHT = 3  # the highest of the steps of light, next to a lamp
REACH = 46.0  # pixels from a lamp to the middle of its last step
FADE = 0.55  # of a step of light, over which it mixes with the next

VOID, ROCK, FACE, RING = (
    0,
    4,
    5,
    6,
)  # surfaces; those of the void are four, one for each pixel of a 2x2 square

# Of plates and things, by their light: colour, highlight, shade.
INKS = {DARK: (15, 7, 4), WARM: (12, 11, 13), COLD: (9, 10, 4), WARM | COLD: (1, 0, 3)}

PILLAR = stamp("ttttttt thhhhht thhhhht thhhhht ttttttt fffffff fffffff", t=2, h=1, f=3)
GLASS = {
    WARM: stamp("ooooooo o.h.h.o oh.h.ho o.h.h.o ooooooo f.f.f.f fffffff", o=12, h=11, f=13),
    COLD: stamp("ooooooo o.h.h.o oh.h.ho o.h.h.o ooooooo f.f.f.f fffffff", o=9, h=10, f=4),
}
POST = stamp(".ppppp. ppppppp ppppppp ppppppp ppppppp fffffff .fffff.", p=2, f=3)
HOLLOW = "oo.oo o...o ..... o...o oo.oo"
LAMP = ".ooo. ohhho ohwho ohhho .ooo."
SCREEN = "ooooo obbbo obhbo obbbo ooooo"
SMALL_LAMP = "hhh hwh hhh"
SMALL_SCREEN = "ooo obo ooo"
WALKER = stamp(".ggggg. ggggggg gghgggg ggggggg ggggggg ggggggg .ggggg.", g=GREEN, h=0)
WALKER_AROUND = stamp(".ggggg. g.....g g.....g g.....g g.....g g.....g .ggggg.", g=GREEN)
GOAL = stamp("ggggggg gbbbbbg gbgggbg gbgbgbg gbgggbg gbbbbbg ggggggg", g=GREEN, b=BLACK)
FALLING = {5: ".ggg. ggggg ggggg ggggg .ggg.", 3: "ggg ggg ggg", 1: "g"}

Mask = NDArray[np.bool_]
Steps = NDArray[np.int8]
Place = tuple[int, int]  # a pixel: the top left one of a cell's place, or of a thing in motion

_ROWS, _COLUMNS = np.mgrid[0:BOARD, 0:BOARD] + 0.5
_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 - 0.5
_MIXED = np.tile(_BAYER, (BOARD // 4, BOARD // 4)) * FADE


class Moment(NamedTuple):
    """`share` of the way from one state to another; or a fall; or a wave of light from the ring."""

    before: State
    after: State
    share: float
    fall: int = 0
    """The size of the falling walker in pixels, 0 if it does not fall."""
    wave: int = 0
    """How far the wave has come, in pixels."""
    is_out: bool = False
    """Whether all lamps are out for a moment."""


def draw(board: Board, moment: Moment) -> Pixels:
    """The whole frame."""
    places = [
        _on_the_way(start, end, moment.share)
        for start, end in zip(moment.before.things, moment.after.things, strict=True)
    ]
    warm, cold = (_light(board, places, colour) for colour in (WARM, COLD))
    surfaces = _surfaces(board)
    picture = _SHADES[surfaces, 0, 0] if moment.is_out else _SHADES[surfaces, warm, cold]
    if moment.wave:
        _draw_wave(picture, surfaces, board.ring, moment.wave)
    _draw_plates(picture, board, moment)
    _draw_standing(picture, board)
    _draw_things(picture, board, moment, places)
    return picture


def _on_the_way(start: Cell, end: Cell, share: float) -> Place:
    x, y = (round(CELL * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


def _shades() -> Pixels:
    """The colour of each surface in each step of warm and of cold light."""
    shades = np.full((RING + 1, BRIGHT + 1, BRIGHT + 1), BLACK, dtype=np.int8)
    for warm in range(BRIGHT + 1):
        for cold in range(BRIGHT + 1):
            most = max(warm, cold)
            lit = (1, 1, 0) if warm and cold else (12, 11, 0) if warm else (9, 10, 0)
            shades[ROCK, warm, cold] = lit[most - 1] if most else 3
            shades[FACE, warm, cold] = 4
            for phase in range(4):
                glow = 13 if warm and (not cold or phase in (0, 3)) else 4
                is_deep = most == 1 and phase in (1, 2)
                shades[VOID + phase, warm, cold] = glow if most and not is_deep else BLACK
    return shades


_SHADES = _shades()


@lru_cache(maxsize=16)
def _surfaces(board: Board) -> Steps:
    surfaces: Steps = (_COLUMNS.astype(np.int8) % 2) + 2 * (_ROWS.astype(np.int8) % 2)
    for x, y in board.rock:
        box(surfaces, x * CELL, y * CELL, CELL, CELL, ROCK)
    for x, y in board.rock:
        if (x, y + 1) not in board.rock:
            box(surfaces, x * CELL, (y + 1) * CELL, CELL, 1, FACE)
    return surfaces


def _light(board: Board, places: list[Place], colour: int) -> Steps:
    """The steps of light of one colour on every pixel."""
    light = np.zeros((BOARD, BOARD), dtype=np.int8)
    carried = list(zip(places, board.kinds, strict=True))
    screens = [place for place, kind in carried if kind == DARK]
    posts = [((x * CELL, y * CELL), kind) for (x, y), kind in board.posts]
    pillars = tuple((x * CELL, y * CELL) for (x, y), passes in board.pillars if passes != colour)
    for lamp, kind in (*posts, *carried):
        if kind == colour:
            steps = _lit(lamp, pillars)
            for screen in screens:
                steps = steps * _seen_past(lamp, screen)
            np.maximum(light, steps, out=light)
    return light


@lru_cache(maxsize=2048)
def _lit(lamp: Place, pillars: tuple[Place, ...]) -> Steps:
    away = np.hypot(_COLUMNS - lamp[0] - MIDDLE, _ROWS - lamp[1] - MIDDLE)
    steps: Steps = np.clip(np.rint(BRIGHT - (BRIGHT - 1) * away / REACH + _MIXED), 1, BRIGHT).astype(np.int8)
    for pillar in pillars:
        steps *= _seen_past(lamp, pillar)
    return steps


@lru_cache(maxsize=4096)
def _seen_past(lamp: Place, pillar: Place) -> Mask:
    """The pixels that a straight line from a lamp reaches without crossing what stands in one cell."""
    x, y = lamp[0] + MIDDLE, lamp[1] + MIDDLE
    with np.errstate(divide="ignore", invalid="ignore"):
        spans = [
            np.sort([(edge - start) / (to - start) for edge in (low, low + CELL)], axis=0)
            for start, to, low in ((x, _COLUMNS, pillar[0]), (y, _ROWS, pillar[1]))
        ]
    enters = np.fmax(spans[0][0], spans[1][0])
    leaves = np.fmin(spans[0][1], spans[1][1])
    seen: Mask = (enters >= leaves - 1e-9) | (enters >= 1) | (leaves <= 0)
    return seen


def _draw_wave(picture: Pixels, surfaces: Steps, ring: Cell, wave: int) -> None:
    away = np.hypot(_COLUMNS - ring[0] * CELL - MIDDLE, _ROWS - ring[1] * CELL - MIDDLE)
    off = np.abs(away - wave)
    picture[(off < 1) | ((surfaces >= ROCK) & (off < 4))] = GREEN
    picture[(surfaces >= ROCK) & (off < 2)] = 0


def _draw_plates(picture: Pixels, board: Board, moment: Moment) -> None:
    for (x, y), kind in board.plates:
        is_now = bears(board, moment.after, (x, y))
        was = is_now if moment.before is moment.after else bears(board, moment.before, (x, y))
        ink, light, shade = INKS[kind]
        left, top = x * CELL, y * CELL
        paste(picture, _hollow(ink), left + 1, top + 1)
        side = 5 if was and is_now else round(5 * (was * (1 - moment.share) + is_now * moment.share))
        if side:
            gap = (CELL - side) // 2
            if side == 5:
                box(picture, left, top, CELL, CELL, BLACK)
            box(picture, left + gap, top + gap + side, side, 1, shade)
            box(picture, left + gap, top + gap, side, side, ink)
            box(picture, left + gap, top + gap, side, 1, light)


@lru_cache(maxsize=8)
def _hollow(ink: int) -> Pixels:
    return stamp(HOLLOW, o=ink)


def _draw_standing(picture: Pixels, board: Board) -> None:
    paste(picture, GOAL, board.ring[0] * CELL, board.ring[1] * CELL)
    for (x, y), passes in board.pillars:
        paste(picture, GLASS.get(passes, PILLAR), x * CELL, y * CELL)
    for (x, y), kind in board.posts:
        paste(picture, POST, x * CELL, y * CELL)
        paste(picture, _thing(kind, small=False), x * CELL + 1, y * CELL)


def _draw_things(picture: Pixels, board: Board, moment: Moment, places: list[Place]) -> None:
    held = moment.after.held
    x, y = _on_the_way(moment.before.walker, moment.after.walker, moment.share)
    is_over = False
    for index, ((left, top), kind) in enumerate(zip(places, board.kinds, strict=True)):
        if index != held:
            paste(picture, _thing(kind, small=False), left + 1, top + 1)
            is_over = is_over or (left, top) == (x, y)
    if moment.fall:
        gap = (CELL - moment.fall) // 2
        paste(picture, stamp(FALLING[moment.fall], g=GREEN), x + gap, y + gap)
        return
    paste(picture, WALKER_AROUND if is_over else WALKER, x, y)
    if held is not None:
        box(picture, x + 1, y + 1, 5, 5, GREEN)
        paste(picture, _thing(board.kinds[held], small=True), x + 2, y + 2)


@lru_cache(maxsize=16)
def _thing(kind: int, small: bool) -> Pixels:
    ink, light, shade = INKS[kind]
    if kind == DARK:
        return stamp(SMALL_SCREEN if small else SCREEN, o=ink, b=BLACK, h=ink)
    return stamp(SMALL_LAMP if small else LAMP, o=shade, h=light, w=0)


# --- games/qd41/source/levels.py
# The levels.

LEVELS = (
    """
    ~~~~~~~~~
    ~...~~~~~
    ~@W.wwww~
    ~...#~~w~
    ~~~~~~~w~
    ~~~~~~~w~
    ~~~~~~...
    ~~~~~~.O.
    ~~~~~~...
    """,
    """
    ~~~W..~~~
    ~~~...~~~
    ~~~~ww~~~
    ..~...~..
    @.ww.dd.O
    ..~...~..
    ~~~ww~~~~
    ~~~.#.~~~
    ~~~...~~~
    """,
    """
    @..dd...~
    ...dd..S~
    W.#~~...~
    dd~~~~ww~
    dd~~~~ww~
    ..~~~~..~
    ...ww...~
    ...ww..O~
    ~~~~~~~~~
    """,
    """
    ~~~..S~~~
    ~~~...~~~
    ~~~~ww~~~
    ..~...~..
    @.ww.dd.O
    ..~...~..
    ~~~ww~~~~
    ~~~...~~~
    ~~~..W~~~
    """,
    """
    @..~Y~.W.
    .S.ddd...
    ...~~~...
    ~d~~~~~~~
    ~d~~~~~~~
    ~d~~~#~~~
    ...~~~...
    ...www...
    ...~~~..O
    """,
    """
    ~~~.C.~~~
    ~~~...~~~
    ~~~~cc~~~
    ..~...~..
    @.cc.ww.O
    ......~..
    ~~~cc~~~~
    ~~~.#.~~~
    ~~~.W.~~~
    """,
    """
    @........
    ......C..
    ~w~%w~~d~
    ~w~~w~~d~
    ...~.~...
    W..&.~...
    ~d~~c~~w~
    ~d~~c~~w~
    ..#.....O
    """,
    """
    @..dd...~
    W..dd...~
    .S&~~#.C~
    cc~~~~mm~
    cc~~~~mm~
    ..~~~~..~
    ...ww...~
    ...ww..O~
    ~~~~~~~~~
    """,
)


# --- games/qd41/source/game.py

STEP = (0.34, 0.67)  # shares of the way, one a frame
NUDGE = 0.2
WAVES = range(4, 73, 8)  # how far the wave of light from the ring has come, in pixels


class Qd41(ScriptedGame):
    """Directions and interact."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("qd41", levels, Camera(background=BLACK), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        self._plan, self._start = parse(LEVELS[level.get_data("number")])
        self._position = self._start
        self.open_board()
        self._show(self._start)

    def script(self, action: GameAction) -> Script:
        if action not in DIRECTIONS:
            self._position = handle(self._plan, self._position)
            self._show(self._position)
            return
        before, direction = self._position, DIRECTIONS[action]
        after = move(self._plan, before, direction)
        if after == before:
            yield from self._nudge(direction)
            return
        for share in STEP:
            self.show(draw(self._plan, Moment(before, after, share)))
            yield
        if after.fallen:
            yield from self._fall(after)
            return
        self._position = after
        self._show(after)
        if is_solved(self._plan, after):
            for wave in WAVES:
                yield
                self.show(draw(self._plan, Moment(after, after, 1, wave=wave)))
            yield
            self._show(after)
            self.next_level()

    def _fall(self, fallen: State) -> Script:
        """The walker falls, the lamps go out, and the level is as it began."""
        for size in FALLING:
            self.show(draw(self._plan, Moment(fallen, fallen, 1, fall=size)))
            yield
        self._position = self._start
        for _ in range(2):
            self.show(draw(self._plan, Moment(self._start, self._start, 1, is_out=True)))
            yield
        self._show(self._start)

    def _nudge(self, direction: Cell) -> Script:
        """The walker leans towards where it cannot go, and comes back."""
        to = beside(self._position.walker, direction)
        if 0 <= to[0] < SIDE and 0 <= to[1] < SIDE:
            self.show(draw(self._plan, Moment(self._position, brought(self._position, to), NUDGE)))
            yield
            self._show(self._position)

    def _show(self, state: State) -> None:
        self.show(draw(self._plan, Moment(state, state, 1)))
