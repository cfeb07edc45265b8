"""Somebody walks in a room; when they call, an echo elsewhere repeats their last four steps.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/rv64/source/.

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


# --- games/rv64/source/rules.py
# Two places: in one somebody walks, in the other an echo repeats the last steps when it is called.

MEMORY = 4  # steps that are repeated
WAYS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))


class Plan(NamedTuple):
    """A level as pictures. `turns`: quarters to the right by which each echo stands turned at first."""

    room: str
    field: str
    turns: tuple[int, ...] = (0,)


class Echo(NamedTuple):
    """Who repeats: where, turned by so many quarters to the right, and mirrored or not."""

    at: Cell
    turn: int
    mirrored: bool = False


class Board(NamedTuple):
    """What never changes during a level. `bridges` are there while the walker stands on a pad."""

    room: frozenset[Cell]
    pads: frozenset[Cell]
    tiles: frozenset[Cell]
    bridges: frozenset[Cell]
    turners: frozenset[Cell]
    mirrors: frozenset[Cell]
    goals: tuple[Cell, ...]
    starts: tuple[Echo, ...]


class State(NamedTuple):
    """`memory`: the last steps of the walker, the latest one at the end."""

    walker: Cell
    memory: tuple[int, ...]
    echoes: tuple[Echo, ...]


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state. The signs are explained with the levels."""
    room, field = dict(signs_of(plan.room)), dict(signs_of(plan.field))
    starts = sorted((sign, at) for at, sign in field.items() if sign in "ab")
    board = Board(
        room=frozenset(at for at, sign in room.items() if sign != "-"),
        pads=frozenset(at for at, sign in room.items() if sign == "p"),
        tiles=frozenset(at for at, sign in field.items() if sign != "-"),
        bridges=_places(field, "p"),
        turners=_places(field, "t"),
        mirrors=_places(field, "m"),
        goals=tuple(at for _, at in sorted((sign, at) for at, sign in field.items() if sign in "AB")),
        starts=tuple(Echo(at, turn) for (_, at), turn in zip(starts, plan.turns, strict=True)),
    )
    walker = next(at for at, sign in room.items() if sign == "@")
    return board, State(walker, (), board.starts)


def _places(signs: dict[Cell, str], wanted: str) -> frozenset[Cell]:
    return frozenset(at for at, sign in signs.items() if sign == wanted)


def walk(board: Board, state: State, way: int) -> State:
    """The state after a step of the walker; without room for it, the same state."""
    to = beside(state.walker, WAYS[way])
    if to not in board.room:
        return state
    return state._replace(walker=to, memory=(*state.memory, way)[-MEMORY:])


def call(board: Board, state: State) -> State:
    """The state after all echoes have repeated what is remembered."""
    last = [list(repeated(board, state, number))[-1:] for number in range(len(state.echoes))]
    after = (found[0] if found else echo for echo, found in zip(state.echoes, last, strict=True))
    return state._replace(echoes=tuple(after))


def repeated(board: Board, state: State, number: int) -> Iterator[Echo]:
    """Where one echo is after each step that it takes: none, as long as too few are remembered.

    One that falls is back at its start, and stays there; so does one at its goal.
    """
    echo, start = state.echoes[number], board.starts[number]
    if len(state.memory) < MEMORY:
        return
    for way in state.memory:
        if echo.at == board.goals[number]:
            return
        to = beside(echo.at, WAYS[seen_by(echo, way)])
        if to not in board.tiles or (to in board.bridges and state.walker not in board.pads):
            yield start
            return
        turn = (echo.turn + (to in board.turners)) % len(WAYS)
        echo = Echo(to, turn, echo.mirrored != (to in board.mirrors))
        yield echo


def seen_by(echo: Echo, way: int) -> int:
    """The direction in which an echo takes a step of the walker."""
    return ((-way if echo.mirrored else way) + echo.turn) % len(WAYS)


def is_solved(board: Board, state: State) -> bool:
    """Every echo is at its goal."""
    return all(echo.at == goal for echo, goal in zip(state.echoes, board.goals, strict=True))


# --- games/rv64/source/drawing.py
# Draws the room at the left, the field at the right, and below them the steps that are remembered.

SIZE = 6  # pixels a cell
ROOM_WIDTH, FIELD_LEFT, TOP, HEIGHT = 24, 27, 3, 48
SLOT, SLOT_GAP, SLOTS_TOP = 9, 4, 54
SLOTS_LEFT = (BOARD - MEMORY * SLOT - (MEMORY - 1) * SLOT_GAP) // 2

NIGHT, STAR = 5, 4
FLOOR, TILE_EDGE = 2, 9
PAD, TURNER, MIRROR = 14, 10, 15
WALKER, ARM = 0, 13
ECHOES = (11, 7)
EMPTY_SLOT, MISSING = 3, 8

FIGURE = "xxxxxx xxxxxx xxxxoo xxxxoo xxxxoo xxxxoo"
SMALL = "...... .xxxx. .xxxx. .xxxx. .xxxx. ......"
SPECK = "...... ...... ..xx.. ..xx.. ...... ......"
TILE = "...... .xxxx. .x..x. .x..x. .xxxx. ......"
RING = ".xxxx. x....x x....x x....x x....x .xxxx."
SQUARE = "...... .xxxx. .xxxx. .xxxx. .xxxx. ......"
QUARTER = "...xxx ...xxx ...xxx xxx... xxx... xxx..."
AXIS = "..xx.. ..xx.. ..xx.. ..xx.. ..xx.. ..xx.."
STARS = ((5, 3), (20, 7), (58, 20), (24, 30), (3, 44), (61, 51), (13, 50), (50, 1), (2, 22), (26, 46))
FALL = (FIGURE, SMALL, SPECK)  # one that falls, a frame each


class Seen(NamedTuple):
    """An echo as it is shown, on its way from one cell to another; `fallen`: how far it has fallen."""

    start: Cell
    end: Cell
    turn: int
    mirrored: bool
    share: float = 1
    fallen: int = 0

    @classmethod
    def resting(cls, echo: Echo) -> Seen:
        """An echo that stands still."""
        return cls(echo.at, echo.at, echo.turn, echo.mirrored)


class Scene(NamedTuple):
    """A moment: the walker comes from `before`. `lit`: the slot being repeated. `glow`: around goals."""

    state: State
    before: Cell
    share: float
    echoes: tuple[Seen, ...]
    lit: int | None = None
    is_missing: bool = False
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    corner = _room_corner(board)
    picture = _ground(board, is_bridged=scene.state.walker in board.pads).copy()
    x, y = _between(scene.before, scene.state.walker, scene.share)
    paste(picture, _figure(FIGURE, WALKER, 0, False), corner[0] + x, corner[1] + y)
    for colour, seen in zip(ECHOES, scene.echoes, strict=False):
        _draw_echo(picture, colour, seen)
    for goal, colour in zip(board.goals, ECHOES, strict=False):
        if scene.glow:
            x, y = FIELD_LEFT + SIZE * goal[0] - scene.glow, TOP + SIZE * goal[1] - scene.glow
            frame(picture, x, y, SIZE + 2 * scene.glow, colour)
    _draw_memory(picture, scene)
    return picture


def _room_corner(board: Board) -> Cell:
    """Where the room begins, so that it lies in the middle of its place."""
    width, height = (SIZE * (max(at[axis] for at in board.room) + 1) for axis in (0, 1))
    return 1 + (ROOM_WIDTH - width) // 2, TOP + (HEIGHT - height) // 2


@lru_cache(maxsize=16)
def _ground(board: Board, *, is_bridged: bool) -> Pixels:
    """Both places with all that never moves; drawn once, because everything else is drawn on it."""
    picture = canvas(BOARD, BOARD, NIGHT)
    for x, y in STARS:
        box(picture, x, y, 1, 1, STAR)
    corner = _room_corner(board)
    for at in board.room:
        _put(picture, stamp(SQUARE, x=PAD if at in board.pads else FLOOR), corner, at)
    field = (FIELD_LEFT, TOP)
    present = board.tiles if is_bridged else board.tiles - board.bridges
    for at in present:
        _put(picture, stamp(TILE, x=PAD if at in board.bridges else TILE_EDGE), field, at)
    for at in board.bridges:
        _put(picture, stamp(RING, x=PAD), field, at)
    for at in board.turners:
        _put(picture, stamp(QUARTER, x=TURNER), field, at)
    for at in board.mirrors:
        _put(picture, stamp(AXIS, x=MIRROR), field, at)
    for at, colour in zip(board.goals, ECHOES, strict=False):
        _put(picture, stamp(RING, x=colour), field, at)
    return finished(picture)


def _draw_echo(picture: Pixels, colour: int, seen: Seen) -> None:
    pattern = FALL[min(seen.fallen, len(FALL) - 1)]
    x, y = _between(seen.start, seen.end, seen.share)
    x, y = FIELD_LEFT + x, TOP + y
    if 0 <= x <= BOARD - SIZE and 0 <= y <= BOARD - SIZE:
        paste(picture, _figure(pattern, colour, seen.turn, seen.mirrored), x, y)


def _draw_memory(picture: Pixels, scene: Scene) -> None:
    """Each remembered step as a bar from the middle of its slot to the side that was walked to."""
    for place in range(MEMORY):
        left = SLOTS_LEFT + place * (SLOT + SLOT_GAP)
        known = place < len(scene.state.memory)
        is_lit = scene.lit is not None and place <= scene.lit
        edge = ECHOES[0] if is_lit else MISSING if scene.is_missing and not known else EMPTY_SLOT
        frame(picture, left, SLOTS_TOP, SLOT, edge)
        if known:
            across, down = WAYS[scene.state.memory[place]]
            middle = SLOT // 2 - 1
            for reach in (0, 1, 2):
                x, y = left + middle + reach * across, SLOTS_TOP + middle + reach * down
                box(picture, x, y, 3, 3, WALKER)
            box(picture, left + middle, SLOTS_TOP + middle, 3, 3, FLOOR)


@cache
def _figure(pattern: str, colour: int, turn: int, mirrored: bool) -> Pixels:
    pixels = stamp(pattern, x=colour, o=ARM)
    return np.rot90(np.fliplr(pixels) if mirrored else pixels, -turn)


def _between(start: Cell, end: Cell, share: float) -> Cell:
    x, y = (round(SIZE * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


def _put(picture: Pixels, pixels: Pixels, corner: Cell, at: Cell) -> None:
    paste(picture, pixels, corner[0] + SIZE * at[0], corner[1] + SIZE * at[1])


# --- games/rv64/source/levels.py
# The levels: where somebody walks, and where echoes repeat it.

LEVELS = (
    Plan(
        """
        @..
        --.
        --.
        """,
        """
        ------
        ------
        --a..-
        ----.-
        ----A-
        """,
    ),
    Plan(
        """
        ...
        ...
        .@.
        """,
        """
        ------
        a.----
        -.----
        -..---
        --.---
        -..---
        -A----
        """,
    ),
    Plan(
        """
        -..
        .@.
        ..-
        """,
        """
        ------
        a-----
        ....--
        ---.--
        --..--
        --.---
        -A.---
        """,
    ),
    Plan(
        """
        ...
        .@.
        ...
        """,
        """
        ------
        ---A.-
        ----.-
        ---..-
        ---.--
        ---.--
        -a..--
        """,
        turns=(1,),
    ),
    Plan(
        """
        -..p
        .@..
        ...-
        """,
        """
        ------
        -a.---
        --.---
        -..---
        -.-.A-
        -..p--
        """,
    ),
    Plan(
        """
        ...
        .@.
        ...
        """,
        """
        ------
        ---...
        -...-.
        -a--..
        ----t-
        ----A-
        """,
    ),
    Plan(
        """
        p..
        -@.
        ..-
        """,
        """
        ------
        ------
        A-----
        .--a.m
        ...--.
        --..p.
        """,
    ),
    Plan(
        """
        ..p
        .@.
        -..
        """,
        """
        a.----
        -.----
        ..----
        .--.B-
        .A-.--
        ---.p-
        ----.-
        ----b-
        """,
        turns=(0, 3),
    ),
)


# --- games/rv64/source/game.py

HALVES = (0.5, 1.0)
RINGS = range(1, 9)


class Rv64(ScriptedGame):
    """Directions, and interact to call."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("rv64", levels, Camera(background=NIGHT), available_actions=[1, 2, 3, 4, 5])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(self._resting())

    def script(self, action: GameAction) -> Script:
        if action in DIRECTIONS:
            yield from self._walk(WAYS.index(DIRECTIONS[action]))
        elif len(self._position.memory) < MEMORY:
            self._draw(self._resting(), is_missing=True)
            yield
            self._draw(self._resting())
        else:
            yield from self._repeat()
            self._position = call(self._board, self._position)
            self._draw(self._resting())
            if is_solved(self._board, self._position):
                for glow in RINGS:
                    yield
                    self._draw(self._resting(), glow=glow)
                yield
                self.next_level()

    def _walk(self, way: int) -> Script:
        before = self._position.walker
        self._position = walk(self._board, self._position, way)
        if self._position.walker != before:
            self.show(draw(self._board, Scene(self._position, before, 0.5, self._resting())))
            yield
        self._draw(self._resting())

    def _repeat(self) -> Script:
        """All echoes at once, each step in two frames, then the fall of those that fell."""
        state = self._position
        ways = [[echo, *repeated(self._board, state, number)] for number, echo in enumerate(state.echoes)]
        shown = list(self._resting())
        falling: set[int] = set()
        for step, way in enumerate(state.memory[: max(map(len, ways)) - 1]):
            for share in HALVES:
                for number, found in enumerate(ways):
                    if step + 1 < len(found):
                        echo, then = found[step : step + 2]
                        to = beside(echo.at, WAYS[seen_by(echo, way)])
                        shown[number] = Seen(echo.at, to, echo.turn, echo.mirrored, share)
                        falling |= {number} if then.at != to else set()
                self._draw(tuple(shown), lit=step)
                yield
        for fallen in range(1, len(FALL) if falling else 1):
            for number in falling:
                shown[number] = shown[number]._replace(fallen=fallen)
            self._draw(tuple(shown), lit=MEMORY - 1)
            yield

    def _resting(self) -> tuple[Seen, ...]:
        return tuple(Seen.resting(echo) for echo in self._position.echoes)

    def _draw(
        self, echoes: tuple[Seen, ...], lit: int | None = None, glow: int = 0, is_missing: bool = False
    ) -> None:
        state = self._position
        self.show(draw(self._board, Scene(state, state.walker, 1, echoes, lit, is_missing, glow)))
