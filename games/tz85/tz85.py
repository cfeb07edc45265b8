"""A plate that leans under whoever walks on it; balls roll to its low side.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/tz85/source/.

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


# --- games/tz85/source/rules.py
# What happens on the plate, as pure functions of immutable states.

SIDE = 9  # cells a side
CENTRE = SIDE // 2
STEADY = 1  # the plate stays level up to this moment (weight times cells from the centre)
STAY: Cell = (0, 0)
KINDS = "abh"  # of balls
HEAVY = "h"


class Board(NamedTuple):
    """What never changes during a level."""

    plate: frozenset[Cell]
    walls: frozenset[Cell]
    cups: tuple[tuple[Cell, str], ...]


class State(NamedTuple):
    """Where things are. `balls` are those still rolling, `fallen` those that fell off the plate."""

    walker: Cell
    carries: bool
    stones: frozenset[Cell]
    balls: tuple[tuple[Cell, str], ...]
    filled: frozenset[Cell]
    fallen: tuple[tuple[Cell, str], ...]


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state from nine rows of nine signs."""
    signs = dict(signs_of(picture))
    board = Board(
        plate=frozenset(signs),
        walls=frozenset(at for at, sign in signs.items() if sign == "#"),
        cups=tuple((at, sign.lower()) for at, sign in signs.items() if sign.isupper()),
    )
    state = State(
        walker=next(at for at, sign in signs.items() if sign == "w"),
        carries=False,
        stones=frozenset(at for at, sign in signs.items() if sign == "s"),
        balls=tuple((at, sign) for at, sign in signs.items() if sign in KINDS),
        filled=frozenset(),
        fallen=(),
    )
    return board, state


def lean(board: Board, state: State) -> Cell:
    """The direction of the low side: the one the moment about the centre points to, if one clearly wins."""
    weights = [(state.walker, 2 if state.carries else 1), *((at, 1) for at in state.stones)]
    weights += [(at, 1) for at, kind in state.balls if kind == HEAVY]
    weights += [(at, 1) for at, kind in board.cups if kind == HEAVY and at in state.filled]
    across = sum(weight * (at[0] - CENTRE) for at, weight in weights)
    down = sum(weight * (at[1] - CENTRE) for at, weight in weights)
    if max(abs(across), abs(down)) <= STEADY or abs(across) == abs(down):
        return STAY
    if abs(across) > abs(down):
        return (1 if across > 0 else -1), 0
    return 0, (1 if down > 0 else -1)


def act(board: Board, state: State, direction: Cell) -> State:
    """The state after the walker has stepped in a direction, or with STAY has lifted or put down a stone."""
    if direction == STAY:
        return _handle(board, state)
    to = beside(state.walker, direction)
    free = to in board.plate and to not in board.walls and all(at != to for at, _ in state.balls)
    free = free and all(at != to or at in state.filled for at, _ in board.cups)
    return state._replace(walker=to) if free else state


def _handle(board: Board, state: State) -> State:
    here = frozenset({state.walker})
    if not state.carries and here <= state.stones:
        return state._replace(carries=True, stones=state.stones - here)
    if state.carries and not here <= state.stones and all(at != state.walker for at, _ in board.cups):
        return state._replace(carries=False, stones=state.stones | here)
    return state


def roll(board: Board, state: State) -> State:
    """The state after every ball has rolled one cell towards the low side, those in front first."""
    way = lean(board, state)
    if way == STAY:
        return state
    for ball in sorted(state.balls, key=lambda ball: -(ball[0][0] * way[0] + ball[0][1] * way[1])):
        state = _roll_one(board, state, ball, beside(ball[0], way))
    return state


def _roll_one(board: Board, state: State, ball: tuple[Cell, str], to: Cell) -> State:
    index = state.balls.index(ball)
    others = (*state.balls[:index], *state.balls[index + 1 :])
    blocked = board.walls | state.stones | {state.walker} | {at for at, _ in others}
    blocked |= {at for at, kind in board.cups if kind != ball[1] and at not in state.filled}
    if to in blocked:
        return state
    if to not in board.plate:
        return state._replace(balls=others, fallen=(*state.fallen, (to, ball[1])))
    if (to, ball[1]) in board.cups and to not in state.filled:
        return state._replace(balls=others, filled=state.filled | {to})
    return state._replace(balls=(*state.balls[:index], (to, ball[1]), *state.balls[index + 1 :]))


def turn(board: Board, state: State, direction: Cell) -> State:
    """The state after one action of the walker and the roll that follows it."""
    return roll(board, act(board, state, direction))


def is_solved(board: Board, state: State) -> bool:
    """Every cup is filled."""
    return not state.fallen and len(state.filled) == len(board.cups)


# --- games/tz85/source/drawing.py
# Draws the plate: light where it is high, dark where it is low, and lower still the water comes over it.

SIZE = 6  # pixels a cell
MARGIN = (BOARD - SIZE * SIDE) // 2
EDGE = SIZE * SIDE
SHARE_OF_BAND = 0.36  # of the way from the middle to the edge: where the light and the dark band begin

WATER, DEEP, FOAM = 10, 9, 0
HIGH, LEVEL, LOW, UNDERSIDE = 0, 1, 2, 4
WALL, WALL_SIDE, WELL = 3, 4, 5
WALKER, WEIGHT, GLINT = 11, 13, 0
COLOURS = {"a": 12, "b": 15, "h": WEIGHT}

BALL = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
CUP = ".xxxx. xoooox xoooox xoooox xoooox .xxxx."
FILLED = ".xxxx. xxxxxx xxooxx xxooxx xxxxxx .xxxx."
STONE = "xxxxxx xoooox xoooox xoooox xoooox xxxxxx"
FIGURE = ".xxxx. xxxxxx xxooxx xxooxx xxxxxx .xxxx."
LOADED = ".xxxx. xoooox xoooox xoooox xoooox .xxxx."
PIVOT = "...... .xxxx. .x..x. .x..x. .xxxx. ......"
RIPPLE = "xxxx"


class Moment(NamedTuple):
    """A moment between two states: `share` of the way. `rings`, by cell and colour, reach so far out."""

    before: State
    after: State
    share: float
    rings: tuple[tuple[Cell, int], ...] = ()
    reach: int = 0


def draw(board: Board, moment: Moment) -> Pixels:
    """The whole frame."""
    slope = _slope(board, moment)
    picture = _plate(board, slope).copy()
    state = moment.after
    for at, kind in board.cups:
        pattern, inside = (FILLED, COLOURS[kind]) if at in state.filled else (CUP, WELL)
        inks = {"x": COLOURS[kind], "o": GLINT if at in state.filled and kind != HEAVY else inside}
        _put(picture, stamp(pattern, **inks), at)
    for at in state.stones:
        _put(picture, stamp(STONE, x=WEIGHT, o=WEIGHT), at)
    for start, end, kind in _moves(board, moment):
        _put(picture, stamp(BALL, x=COLOURS[kind]), start, end, moment.share)
    figure = stamp(LOADED if state.carries else FIGURE, x=WALKER, o=WEIGHT)
    _put(picture, figure, moment.before.walker, state.walker, moment.share)
    for at, colour in moment.rings:
        x, y = (MARGIN + SIZE * place - moment.reach for place in at)
        frame(picture, x, y, SIZE + 2 * moment.reach, colour)
    return picture


def _slope(board: Board, moment: Moment) -> tuple[float, float]:
    """How far the plate leans each way, from -1 to 1; on the way from one lean to another, between them."""
    ways = (lean(board, moment.before), lean(board, moment.after))
    across, down = (one + moment.share * (other - one) for one, other in zip(*ways, strict=True))
    return across, down


def _water() -> Pixels:
    picture = canvas(BOARD, BOARD, WATER)
    for place, (x, y) in enumerate(((3, 1), (26, 2), (47, 1), (9, 62), (33, 61), (55, 62))):
        box(picture, x, y, 4 + place % 2, 1, DEEP)
        box(picture, y, x, 1, 4 + place % 2, DEEP)
    return picture


@lru_cache(maxsize=64)
def _plate(board: Board, slope: tuple[float, float]) -> Pixels:
    """The plate in the water with its walls; drawn once a slope, because everything else is drawn on it."""
    picture = _water()
    across, down = slope
    places = (np.arange(EDGE) + 0.5) / EDGE * 2 - 1
    height = across * places[np.newaxis, :] + down * places[:, np.newaxis]
    floor = np.select([height < -SHARE_OF_BAND, height > SHARE_OF_BAND], [HIGH, LOW], LEVEL).astype(np.int8)
    box(picture, MARGIN - 1, MARGIN - 1, EDGE + 2, EDGE + 2, DEEP)
    _draw_edges(picture, slope)
    paste(picture, floor, MARGIN, MARGIN)
    for at in board.walls:
        _draw_wall(picture, board, at)
    _put(picture, stamp(PIVOT, x=LOW), (CENTRE, CENTRE))
    return finished(picture)


def _draw_edges(picture: Pixels, slope: tuple[float, float]) -> None:
    """The underside where the plate stands out of the water."""
    for axis, amount in enumerate(slope):
        thickness = round(3 * abs(amount))
        start = MARGIN + EDGE if amount < 0 else MARGIN - thickness
        x, y, width, height = (
            (start, MARGIN, thickness, EDGE) if axis == 0 else (MARGIN, start, EDGE, thickness)
        )
        box(picture, x, y, width, height, UNDERSIDE)
        foam = MARGIN - 2 if amount < 0 else MARGIN + EDGE + 1
        if abs(amount) == 1:
            for step in range(0, EDGE, 9):
                x, y = (foam, MARGIN + step + 2) if axis == 0 else (MARGIN + step + 2, foam)
                box(picture, x, y, 1 if axis == 0 else 5, 5 if axis == 0 else 1, FOAM)


def _draw_wall(picture: Pixels, board: Board, at: Cell) -> None:
    x, y = (MARGIN + SIZE * place for place in at)
    box(picture, x, y, SIZE, SIZE, WALL)
    if beside(at, (0, 1)) not in board.walls:
        box(picture, x, y + SIZE - 2, SIZE, 2, WALL_SIDE)


def _moves(board: Board, moment: Moment) -> Iterator[tuple[Cell, Cell, str]]:
    """Each ball with the cells that it comes from and goes to, those in front first."""
    way = lean(board, moment.before)
    cups = [(at, kind) for at, kind in board.cups if at in moment.after.filled - moment.before.filled]
    rest = [*moment.after.balls, *moment.after.fallen, *cups]
    for at, kind in sorted(
        moment.before.balls, key=lambda ball: -(ball[0][0] * way[0] + ball[0][1] * way[1])
    ):
        to = beside(at, way) if (beside(at, way), kind) in rest else at
        rest.remove((to, kind))
        yield at, to, kind


def _put(picture: Pixels, pixels: Pixels, at: Cell, to: Cell | None = None, share: float = 1) -> None:
    """Draws a picture in a cell, or on the way from one to another; what lies outside is left out."""
    to = to or at
    x, y = (MARGIN + round(SIZE * (one + share * (other - one))) for one, other in zip(at, to, strict=True))
    if 0 <= x <= BOARD - SIZE and 0 <= y <= BOARD - SIZE:
        paste(picture, pixels, x, y)


# --- games/tz85/source/levels.py
# The levels, nine rows of nine signs: w the walker, s a stone, # wall.

LEVELS = (
    """
    #########
    #....A..#
    #.......#
    #.......#
    #...w...#
    #.......#
    #.a.....#
    #.......#
    #########
    """,
    """
    #########
    #..#.#..#
    #.#.#.#.#
    #.#.#A#a#
    #a..w...#
    #.#.#A#.#
    #.#.#.#.#
    #..#.#..#
    #########
    """,
    """
    .#.....#.
    .A..#....
    .#..#..#.
    #.#...#.#
    .a..w....
    #.#...#a#
    .#..#A.#.
    ....#....
    .#.....#.
    """,
    """
    #.......#
    a..#.#...
    .#######A
    ..#.s.#..
    .##.w.##A
    ..#...#..
    .#######.
    .........
    ..a#.#...
    """,
    """
    #########
    ###...###
    .s##.##..
    ..#...#..
    #...wa.A#
    ..#...#..
    #.##A##.#
    #a......#
    ##.###.##
    """,
    """
    .B..#a...
    .........
    #.#...#.#
    .........
    #...w...#
    .........
    #.#...#.#
    ..A.....b
    ....#....
    """,
    """
    ###..H###
    #.......#
    #.#...#.#
    .........
    ....w....
    ..A......
    #.#.h.#.#
    #......a#
    ###...###
    """,
    """
    ##.....##
    #...H...#
    ....#.h..
    ...A.....
    ..#.w.#..
    ....a....
    ....#....
    #.......#
    ##s....##
    """,
)


# --- games/tz85/source/game.py

SPLASH = range(1, 5)  # how far rings reach, in pixels from the edge of a cell, a frame each
RINGS = range(1, 9)


class Tz85(ScriptedGame):
    """Directions, interact (lift or put down a stone) and undo."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("tz85", levels, Camera(background=WATER), available_actions=[1, 2, 3, 4, 5, 7])

    def on_set_level(self, level: Level) -> None:
        self._plate, self._position = parse(LEVELS[level.get_data("number")])
        self._history: list[State] = []
        self.open_board()
        self._draw()

    def script(self, action: GameAction) -> Script:
        if action == GameAction.ACTION7:
            self._position = self._history.pop() if self._history else self._position
            self._draw()
            return
        before, moved = self._position, act(self._plate, self._position, DIRECTIONS.get(action, STAY))
        self._position = roll(self._plate, moved)
        if self._position == before:
            return
        self._history.append(before)
        for start, end in ((before, moved), (moved, self._position)):
            if start != end:
                self.show(draw(self._plate, Moment(start, end, 0.5)))
                yield
        self._draw()
        if self._position.fallen:
            yield from self._rings([(at, DEEP) for at, _ in self._position.fallen], SPLASH)
            self.lose()
        elif is_solved(self._plate, self._position):
            yield from self._rings([(at, COLOURS[kind]) for at, kind in self._plate.cups], RINGS)
            self.next_level()

    def _rings(self, around: Iterable[tuple[Cell, int]], reaches: range) -> Script:
        rings = tuple(around)
        for reach in reaches:
            yield
            self._draw(rings, reach)
        yield
        self._draw()

    def _draw(self, rings: tuple[tuple[Cell, int], ...] = (), reach: int = 0) -> None:
        self.show(draw(self._plate, Moment(self._position, self._position, 1, rings, reach)))
