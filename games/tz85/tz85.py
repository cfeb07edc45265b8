"""A plate that leans under whoever walks on it; balls roll to its low side.

State is immutable and the rules are pure functions; the class below only draws them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite
from numpy.typing import NDArray

Cell = tuple[int, int]  # column, row
Pixels = NDArray[np.int8]

SIDE = 9  # cells a side
SIZE = 6  # pixels a cell
MARGIN = 5
CENTRE = SIDE // 2
STEADY = 1  # the plate stays level up to this moment (weight times cells from the centre)

CLEAR, WATER, DIPPED, GLINT, PLATE, SEAM, WALL, WELL, WALKER, STONE = -1, 10, 9, 0, 1, 2, 3, 4, 5, 13
STAY: Cell = (0, 0)
DIRECTIONS: dict[GameAction, Cell] = {
    GameAction.ACTION1: (0, -1),
    GameAction.ACTION2: (0, 1),
    GameAction.ACTION3: (-1, 0),
    GameAction.ACTION4: (1, 0),
}

# w: the walker. s: a stone. a, b: balls, A, B: their cups. h: a ball as heavy as a stone, H: its cup.
# #: wall.
BALLS = {"a": 12, "b": 15, "h": STONE}
HEAVY = "h"
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
    signs = {(x, y): sign for y, row in enumerate(picture.split()) for x, sign in enumerate(row)}
    board = Board(
        plate=frozenset(signs),
        walls=frozenset(at for at, sign in signs.items() if sign == "#"),
        cups=tuple((at, sign.lower()) for at, sign in signs.items() if sign.isupper()),
    )
    state = State(
        walker=next(at for at, sign in signs.items() if sign == "w"),
        carries=False,
        stones=frozenset(at for at, sign in signs.items() if sign == "s"),
        balls=tuple((at, sign) for at, sign in signs.items() if sign in BALLS),
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
    to = _beside(state.walker, direction)
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
        state = _roll_one(board, state, ball, _beside(ball[0], way))
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


def _beside(at: Cell, direction: Cell) -> Cell:
    return at[0] + direction[0], at[1] + direction[1]


def _stamp(picture: str, **inks: int) -> Pixels:
    """A small picture, one ink a letter, anything else clear."""
    return np.array([[inks.get(sign, CLEAR) for sign in row] for row in picture.split()], dtype=np.int8)


BODY = ".xx. xoox xoox .xx."
SLAB = "xxxx xxxx xxxx xxxx"
BALL = ".xx. xoxx xxxx .xx."
HOLLOW = ".xxxx. xoooox xoooox xoooox xoooox .xxxx."
PLUG = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
SPLASHES = (".xx. x..x x..x .xx.", "x..x .... .... x..x")
RIPPLES = (".xx. x..x x..x .xx.", "x....x ...... ...... ...... ...... x....x")
DIP_LENGTH = 12

# Sprites share these: nothing changes their cells.
PLUGS = {kind: _stamp(PLUG, x=ink) for kind, ink in BALLS.items()}
ROUND = {kind: _stamp(BALL, x=ink, o=GLINT) for kind, ink in BALLS.items()}
STONE_SLAB = _stamp(SLAB, x=STONE)
WALKERS = {carries: _stamp(BODY, x=WALKER, o=STONE if carries else WALKER) for carries in (False, True)}
DIPS = {
    way: np.full((2, DIP_LENGTH) if way[1] else (DIP_LENGTH, 2), DIPPED, dtype=np.int8)
    for way in ((-1, 0), (1, 0), (0, -1), (0, 1))
}


class Tz85(ARCBaseGame):
    """Directions, interact (lift or put down a stone) and undo."""

    def __init__(self) -> None:
        levels = [Level(data={"picture": picture}) for picture in LEVELS]
        super().__init__("tz85", levels, Camera(background=WATER), available_actions=[1, 2, 3, 4, 5, 7])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(level.get_data("picture"))
        self._history: list[State] = []
        self._script: Iterator[None] | None = None
        level.remove_all_sprites()
        level.add_sprite(Sprite(self._ground(), name="plate"))
        self._things: list[Sprite] = []
        self._show()

    def step(self) -> None:
        """Plays one frame of the current action's script."""
        if self._script is None:
            self._script = self._play(self.action.id)
        if next(self._script, self) is self:
            self._script = None
            self.complete_action()

    def _play(self, action: GameAction) -> Iterator[None]:
        if action == GameAction.RESET:
            return
        if action == GameAction.ACTION7:
            self._position = self._history.pop() if self._history else self._position
            self._show()
            return
        before, moved = self._position, act(self._board, self._position, DIRECTIONS.get(action, STAY))
        self._position = roll(self._board, moved)
        if self._position == before:
            return
        self._history.append(before)
        if moved not in (before, self._position):
            self._show(moved)
            yield
        self._show()
        if self._position.fallen:
            yield from self._ripple([at for at, _ in self._position.fallen], SPLASHES, DIPPED)
            self.lose()
        elif is_solved(self._board, self._position):
            yield from self._ripple([at for at, _ in self._board.cups], RIPPLES * 2, WALKER)
            self.next_level()

    def _ripple(self, cells: list[Cell], pictures: tuple[str, ...], ink: int) -> Iterator[None]:
        for picture in pictures:
            yield
            self._show()
            for at in cells:
                self._add(_stamp(picture, x=ink), at, layer=5)
        yield
        self._show()

    def _show(self, state: State | None = None) -> None:
        """Draws a state, the current one by default."""
        state = state or self._position
        for sprite in self._things:
            self.current_level.remove_sprite(sprite)
        self._things = []
        for at, kind in self._board.cups:
            if at in state.filled:
                self._add(PLUGS[kind], at, layer=1)
        for at in state.stones:
            self._add(STONE_SLAB, at, layer=2)
        for at, kind in state.balls:
            self._add(ROUND[kind], at, layer=3)
        self._add(WALKERS[state.carries], state.walker, layer=4)
        self._draw_low_side(lean(self._board, state))

    def _draw_low_side(self, way: Cell) -> None:
        """A dark line where the low side dips into the water."""
        if way == STAY:
            return
        across, down = way
        height, width = DIPS[way].shape
        reach = SIZE * SIDE // 2 + 2
        self._put(DIPS[way], 32 + across * reach - width // 2, 32 + down * reach - height // 2, layer=1)

    def _add(self, pixels: Pixels, at: Cell, layer: int) -> None:
        inset = (SIZE - pixels.shape[1]) // 2
        self._put(pixels, MARGIN + SIZE * at[0] + inset, MARGIN + SIZE * at[1] + inset, layer)

    def _put(self, pixels: Pixels, x: int, y: int, layer: int) -> None:
        sprite = Sprite(pixels, name="thing", x=x, y=y, layer=layer)
        self._things.append(sprite)
        self.current_level.add_sprite(sprite)

    def _ground(self) -> Pixels:
        pixels = np.full((64, 64), WATER, dtype=np.int8)
        for x, y in self._board.plate:
            left, top = MARGIN + SIZE * x, MARGIN + SIZE * y
            window = pixels[top : top + SIZE, left : left + SIZE]
            window[:] = WALL if (x, y) in self._board.walls else PLATE
            window[::5, ::5] = window[0, 0] if (x, y) in self._board.walls else SEAM
            if (x, y) == (CENTRE, CENTRE):
                window[1:5, 1:5] = SEAM
        for (x, y), kind in self._board.cups:
            left, top = MARGIN + SIZE * x, MARGIN + SIZE * y
            rim = _stamp(HOLLOW, x=BALLS[kind], o=WELL)
            window = pixels[top : top + SIZE, left : left + SIZE]
            window[rim != CLEAR] = rim[rim != CLEAR]
        return pixels
