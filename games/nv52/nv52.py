"""A board on which hunters go for the walker, and take away the blocks that are in their way.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/nv52/source/.

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
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


# --- games/nv52/source/rules.py
# Hunters go for the walker, and take away the hedges (blocks) that are in their way.

FOLLOWER, CHARGER, PLANTER = "acp"
NEAR = 2  # rows and columns within which a planter flees


class Hunter(NamedTuple):
    """Its kind, and where it is."""

    kind: str
    at: Cell


class Board(NamedTuple):
    """What never changes during a level."""

    floor: frozenset[Cell]
    goal: Cell


class State(NamedTuple):
    """What is now where. A hole that a hunter fell into is floor again."""

    walker: Cell
    hunters: tuple[Hunter, ...]
    hedges: frozenset[Cell]
    holes: frozenset[Cell]
    is_caught: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(picture))
    floor = frozenset(at for at, sign in signs.items() if sign != "#")
    goal = next(at for at, sign in signs.items() if sign == "G")
    walker = next(at for at, sign in signs.items() if sign == "@")
    hunters = tuple(Hunter(sign, at) for at, sign in signs.items() if sign in (FOLLOWER, CHARGER, PLANTER))
    hedges = frozenset(at for at, sign in signs.items() if sign == "*")
    holes = frozenset(at for at, sign in signs.items() if sign == "o")
    return Board(floor, goal), State(walker, hunters, hedges, holes)


def step(board: Board, state: State, direction: Cell) -> State:
    """The state after a step of the walker and of all hunters; the same state if the step is not possible."""
    *_, after = moments(board, state, direction)
    return after


def moments(board: Board, state: State, direction: Cell) -> Iterator[State]:
    """The states from the present one on: after the walker's step, and after each cell of a hunter's way."""
    yield state
    to = beside(state.walker, direction)
    if state.is_caught or to not in board.floor or to in state.hedges or to in state.holes:
        return
    state = state._replace(walker=to, is_caught=any(hunter.at == to for hunter in state.hunters))
    yield state
    kinds = [hunter.kind for hunter in state.hunters]
    number = 0
    for kind in kinds:
        if state.is_caught or is_solved(board, state):
            return
        count = len(state.hunters)
        for moment in ACTS[kind](board, state, number):
            yield moment
            state = moment
        number += len(state.hunters) == count


def is_solved(board: Board, state: State) -> bool:
    """The walker is at the goal."""
    return state.walker == board.goal and not state.is_caught


def towards(at: Cell, walker: Cell) -> list[Cell]:
    """The directions that lead nearer to the walker: along the longer side first, across before down."""
    across, down = walker[0] - at[0], walker[1] - at[1]
    ways = [(abs(across), ((across > 0) - (across < 0), 0)), (abs(down), (0, (down > 0) - (down < 0)))]
    ways.sort(key=lambda way: -way[0])
    return [direction for length, direction in ways if length]


def way_of_follower(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a follower acts: the first one that leads nearer and has room."""
    at = state.hunters[number].at
    return _first_open(board, state, [beside(at, way) for way in towards(at, state.walker)], at)


def way_of_planter(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a planter flees, if the walker is near."""
    at = state.hunters[number].at
    if max(abs(at[0] - state.walker[0]), abs(at[1] - state.walker[1])) > NEAR:
        return None
    away = [beside(at, (-across, -down)) for across, down in towards(at, state.walker)]
    return _first_open(board, state, [to for to in away if to not in state.hedges], at)


def way_of_charger(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a charger runs: straight to the walker, with no water or hunter between."""
    at = state.hunters[number].at
    ways = towards(at, state.walker)
    if len(ways) != 1:
        return None
    to = beside(at, ways[0])
    others = {hunter.at for hunter in state.hunters}
    while to != state.walker:
        if to not in board.floor or to in others:
            return None
        to = beside(to, ways[0])
    return ways[0]


def _first_open(board: Board, state: State, cells: list[Cell], at: Cell) -> Cell | None:
    taken = {hunter.at for hunter in state.hunters}
    for to in cells:
        if to in board.floor and to not in taken:
            return to[0] - at[0], to[1] - at[1]
    return None


def _follow(board: Board, state: State, number: int) -> Iterator[State]:
    """One step to the walker, or one hedge that is in the way."""
    way = way_of_follower(board, state, number)
    if way is not None:
        yield _go(state, number, way)


def _charge(board: Board, state: State, number: int) -> Iterator[State]:
    """As far as the walker, or the first hedge, which is gone then, or the first hole."""
    way = way_of_charger(board, state, number)
    is_running = way is not None
    while is_running and way is not None:
        count, before = len(state.hunters), state.hedges
        state = _go(state, number, way)
        yield state
        is_running = not state.is_caught and len(state.hunters) == count and state.hedges == before


def _plant(board: Board, state: State, number: int) -> Iterator[State]:
    """One step away from the walker; a hedge grows where it was."""
    way = way_of_planter(board, state, number)
    if way is not None:
        at = state.hunters[number].at
        yield _go(state, number, way)._replace(hedges=state.hedges | {at})


ACTS = {FOLLOWER: _follow, CHARGER: _charge, PLANTER: _plant}


def _go(state: State, number: int, way: Cell) -> State:
    kind, at = state.hunters[number]
    to = beside(at, way)
    if to in state.hedges:
        return state._replace(hedges=state.hedges - {to})
    others = state.hunters[:number], state.hunters[number + 1 :]
    if to in state.holes:
        return state._replace(hunters=(*others[0], *others[1]), holes=state.holes - {to})
    is_caught = to == state.walker
    return state._replace(hunters=(*others[0], Hunter(kind, to), *others[1]), is_caught=is_caught)


# --- games/nv52/source/drawing.py
# Draws the floor with its channels and blocks, the holes, and who is there.

SIZE, SIDE = 7, 9  # pixels a cell, cells a side

SAND, SPECK = 1, 2
WATER, RIPPLE = 9, 10
HEDGE, SHADE, LIT = 11, 12, 7
HOLE, RIM = 5, 2
WALKER, LIGHT = 6, 7
HEAD = 0
CAUGHT = 8

FIGURE = ".xxxxx. xyyyyyx xyyyyyx xyyyyyx xyyyyyx xyyyyyx .xxxxx."
KINDS = {
    FOLLOWER: (8, "xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxxxxxx"),
    CHARGER: (15, "...x... ..xxx.. .xxxxx. xxxxxxx .xxxxx. ..xxx.. ...x..."),
    PLANTER: (13, "xxxxxxx xxxxxxx xx...xx xx...xx xx...xx xxxxxxx xxxxxxx"),
}
WAYS = {FOLLOWER: way_of_follower, CHARGER: way_of_charger, PLANTER: way_of_planter}


class Scene(NamedTuple):
    """A moment on the way from one state to the next. `bloom`: how far from the goal the blocks are lit."""

    before: State
    after: State
    share: float = 1
    bloom: int = 0
    alarm: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = _ground(board).copy()
    for at in scene.before.holes | scene.after.holes:
        _draw_hole(picture, at)
    _put(picture, _goal(), board.goal)
    _draw_hedges(picture, board, scene)
    _draw_hunters(picture, board, scene)
    paste(
        picture,
        stamp(FIGURE, x=WALKER, y=LIGHT),
        *_between(scene.before.walker, scene.after.walker, scene.share),
    )
    if scene.alarm:
        x, y = (SIZE * part for part in scene.after.walker)
        frame(picture, x - scene.alarm, y - scene.alarm, SIZE + 2 * scene.alarm, CAUGHT, 2)
    return picture


@cache
def _ground(board: Board) -> Pixels:
    picture = canvas(BOARD, BOARD, WATER)
    for x, y in board.floor:
        box(picture, SIZE * x, SIZE * y, SIZE, SIZE, SAND)
        for across, down in (
            ((3 * x + 5 * y) % 7, (2 * x + 3 * y) % 7),
            ((x + 4 * y + 3) % 7, (5 * x + y + 1) % 7),
        ):
            box(picture, SIZE * x + across, SIZE * y + down, 1, 1, SPECK)
    for x in range(SIDE):
        for y in range(SIDE):
            if (x, y) in board.floor:
                continue
            if (x, y - 1) in board.floor:
                box(picture, SIZE * x, SIZE * y, SIZE, 1, RIM)
                box(picture, SIZE * x, SIZE * y + 1, SIZE, 1, RIPPLE)
            if (x * 5 + y * 3) % 4 == 0:
                box(picture, SIZE * x + 1 + (x + y) % 3, SIZE * y + 4, 3, 1, RIPPLE)
    return finished(picture)


def _draw_hole(picture: Pixels, at: Cell) -> None:
    _put(picture, stamp(".rrrrr. rdddddr rdddddr rdddddr rdddddr rdddddr .rrrrr.", r=RIM, d=HOLE), at)


def _goal() -> Pixels:
    return stamp("xx...xx x.....x ..yyy.. ..y.y.. ..yyy.. x.....x xx...xx", x=WALKER, y=LIGHT)


def _draw_hedges(picture: Pixels, board: Board, scene: Scene) -> None:
    before, after = scene.before.hedges, scene.after.hedges
    for at in before | after:
        size = 1.0 if at in before and at in after else scene.share if at in after else 1 - scene.share
        inset = round((1 - size) * SIZE / 2)
        x, y = SIZE * at[0] + inset, SIZE * at[1] + inset
        side = SIZE - 2 * inset
        if side <= 0:
            continue
        box(picture, x, y, side, side, HEDGE)
        if beside(at, (0, 1)) not in after:
            box(picture, x, y + side - 1, side, 1, SHADE)
        if abs(at[0] - board.goal[0]) + abs(at[1] - board.goal[1]) < scene.bloom:
            box(picture, x + 1, y + 1, side - 2, side - 3, LIT)


def _draw_hunters(picture: Pixels, board: Board, scene: Scene) -> None:
    before, after = scene.before.hunters, scene.after.hunters
    if len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            way = WAYS[new.kind](board, scene.after, number)
            paste(picture, _hunter(new.kind, way), *_between(old.at, new.at, scene.share))
        return
    [hole] = scene.before.holes - scene.after.holes
    for old in before:
        if old in after:
            _put(picture, _hunter(old.kind, WAYS[old.kind](board, scene.after, after.index(old))), old.at)
        elif scene.share < 1:
            _draw_fall(picture, old, hole)


def _draw_fall(picture: Pixels, hunter: Hunter, hole: Cell) -> None:
    colour = KINDS[hunter.kind][0]
    box(picture, SIZE * hole[0] + 2, SIZE * hole[1] + 2, 3, 3, colour)


@cache
def _hunter(kind: str, way: Cell | None) -> Pixels:
    """A bar lies where it would act now; it is a dot in the middle if it would not."""
    colour, shape = KINDS[kind]
    pixels = stamp(shape, x=colour).copy()
    if way is None:
        box(pixels, 3, 3, 1, 1, HEAD)
    elif way[0]:
        box(pixels, 3 + 2 * way[0], 2, 1, 3, HEAD)
    else:
        box(pixels, 2, 3 + 2 * way[1], 3, 1, HEAD)
    return finished(pixels)


def _between(start: Cell, end: Cell, share: float) -> Cell:
    x, y = (round(SIZE * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


def _put(picture: Pixels, pixels: Pixels, at: Cell) -> None:
    paste(picture, pixels, SIZE * at[0], SIZE * at[1])


# --- games/nv52/source/levels.py
# The levels: boards of nine by nine cells.

LEVELS = (
    """
    @......*.
    *......*.
    ..#####..
    ..#.a.#..
    ..#.*.#..
    ..#####..
    *.......*
    **.***.**
    *...G...*
    """,
    """
    ........@
    #**...**#
    **.....**
    ..#*#*#..
    *..*.*..*
    ..#*#*#..
    **.....**
    #**...**#
    ..G.a....
    """,
    """
    @........
    #*.*.*.*#
    .*.....*.
    .*#...#*.
    a.#...#a.
    G*#...#*.
    .*...o.*.
    #*.*.*.*#
    .........
    """,
    """
    ......##.
    #.....#..
    ##..*....
    @..***.c.
    ..**G**..
    ...***...
    ....*..##
    ..#.....#
    .##......
    """,
    """
    .......@.
    ..#...#..
    #*#...#*#
    **.*.*.**
    a..*.*...
    **.*o*.**
    #*#...#*#
    ..#...#..
    ...c....G
    """,
    """
    .........
    #*.*.*.*#
    #*..a..*#
    #.#*.*#.#
    #*#.p.#*#
    #G#*.*#.#
    #*.....*#
    #*.*.*.*#
    ........@
    """,
    """
    .#.@...#.
    ##..p..##
    ...***...
    .*..*.c*.
    .*.#.#.*.
    ..##.##..
    ###G..###
    ..#...#..
    .##...##.
    """,
    """
    .*...*...
    ...G.*o@*
    ....##...
    **#*.*.p.
    ..#...#..
    ...*.*#**
    ..a##....
    *a.*.....
    ...*...*.
    """,
)


# --- games/nv52/source/game.py

ALARM = (6, 4, 2, 1)  # how far the frame around one that is caught is away, one a frame
BLOOM = range(1, 18, 2)


class Nv52(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("nv52", levels, Camera(background=WATER), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        for before, after in pairwise(moments(self._board, self._position, DIRECTIONS[action])):
            if after != before:
                self.show(draw(self._board, Scene(before, after, 0.5)))
                yield
            self._position = after
            self._rest()
        if self._position.is_caught:
            for alarm in ALARM:
                self._rest(alarm=alarm)
                yield
            self.lose()
        elif is_solved(self._board, self._position):
            for bloom in BLOOM:
                self._rest(bloom=bloom)
                yield
            self.next_level()

    def _rest(self, bloom: int = 0, alarm: int = 0) -> None:
        self.show(draw(self._board, Scene(self._position, self._position, 1, bloom, alarm)))
