"""Cups on ledges: they roll, hold what is in them, pour it out, and fall; each thing belongs somewhere.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/kr68/source/.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite
from numpy.typing import NDArray

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


# --- games/_shared/gravity.py
# Gravity on a grid: what nothing bears falls, a cell at a time, until all rests.


def below(at: Cell) -> Cell:
    """The cell under a cell."""
    return at[0], at[1] + 1


def lowest_first(cells: Iterable[Cell]) -> list[Cell]:
    """Cells from the bottom row to the top one: in this order what lies below makes room first."""
    return sorted(cells, key=lambda at: (-at[1], at[0]))


def falling[Moment](moment: Moment, fall: Callable[[Moment], Moment]) -> Iterator[Moment]:
    """Every moment of a fall, the first one included; `fall` gives the next one, or the same at rest."""
    yield moment
    while (after := fall(moment)) != moment:
        yield after
        moment = after


# --- games/kr68/source/rules.py
# Cups of two sizes on ledges: a cup rolls or slides, holds what is in it, and what nothing bears falls.

WALL, SMOOTH = "#="
GROUND = WALL + SMOOTH
BALL, SMALL, LARGE = range(3)
SIZES = {"S": SMALL, "L": LARGE}
OPENINGS = "^>v<"  # clockwise
UP, RIGHT, DOWN, LEFT = range(4)
SIDE = 8  # cells across and down


class Plan(NamedTuple):
    """A level as a picture. Capital letters are `things`, small ones the ground under a place.

    `goals` has for these what the ground is and what belongs on it: `=La`.
    """

    picture: str
    things: Mapping[str, str]
    goals: Mapping[str, str]


class Thing(NamedTuple):
    """A ball of a colour, or a cup with an opening and perhaps something in it."""

    size: int
    colour: str = ""
    opening: int = UP
    inside: Thing | None = None


class Board(NamedTuple):
    """What never changes. `goals`: at a cell, what has to rest there, as `shape` writes it."""

    ground: Mapping[Cell, str]
    goals: Mapping[Cell, str]


State = tuple[tuple[Cell, Thing], ...]  # sorted by cell


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(plan.picture))
    ground = {at: plan.goals.get(sign, sign)[0] for at, sign in signs.items() if sign in GROUND + "wxyz"}
    goals = {beside(at, (0, -1)): plan.goals[sign][1:] for at, sign in signs.items() if sign in plan.goals}
    things = {at: thing(plan.things[sign]) for at, sign in signs.items() if sign in plan.things}
    return Board(ground, goals), _state(things)


def thing(written: str) -> Thing:
    """Reads `L^S>a`: a large cup that opens up, and in it a small one with a ball."""
    if written[0] not in SIZES:
        return Thing(BALL, written)
    inside = thing(written[2:]) if written[2:] else None
    return Thing(SIZES[written[0]], "", OPENINGS.index(written[1]), inside)


def shape(one: Thing | None) -> str:
    """What holds what, without openings: `LSa`."""
    if one is None:
        return ""
    return one.colour or " SL"[one.size] + shape(one.inside)


def move(board: Board, state: State, at: Cell, side: int) -> list[State]:
    """Every moment after the cup at a cell was moved to a side (1 right, -1 left); none if it cannot be.

    The first moment is that of the move itself, the last one is at rest.
    """
    moved = _moved(board, dict(state), at, side)
    return [] if moved is None else list(falling(moved, lambda moment: fall(board, moment)))


def slides(board: Board, at: Cell) -> bool:
    """Whether a cup at this cell stands on smooth ground, so that it is moved without a turn."""
    return board.ground.get(below(at)) == SMOOTH


def _moved(board: Board, things: dict[Cell, Thing], at: Cell, side: int) -> State | None:
    to = beside(at, (side, 0))
    cup = things.pop(at, None)
    if cup is None or cup.size == BALL or not _has_room(board, to):
        return None
    found, facing = things.get(to), RIGHT if side == 1 else LEFT
    turns = not slides(board, at)
    if turns and cup.opening == DOWN and cup.inside:
        things[at] = cup.inside
        cup = cup._replace(inside=None)
    after = turned(cup, side) if turns else cup
    if found:
        entered = put_in(found, after, (facing + 2) % 4)
        if entered is None and cup.opening == facing:
            entered = put_in(after, found, after.opening)
        if entered is None:
            return None
        after = entered
    return _state({**things, to: after})


def turned(one: Thing, quarters: int) -> Thing:
    """A thing and all that it holds, turned clockwise."""
    inside = turned(one.inside, quarters) if one.inside else None
    return one._replace(opening=(one.opening + quarters) % 4 if one.size else UP, inside=inside)


def put_in(cup: Thing, one: Thing, opening: int) -> Thing | None:
    """The cup with something more in it or in what it holds, through this opening, if there is room."""
    if cup.size <= one.size or cup.opening != opening:
        return None
    inside = put_in(cup.inside, one, opening) if cup.inside else one
    return inside and cup._replace(inside=inside)


def fall(board: Board, state: State) -> State:
    """All that nothing bears, a cell lower; the same state when all rests."""
    things = dict(state)
    for at in lowest_first(things):
        one = things.pop(at)
        lower = _lowered(board, things, at, one)
        if lower:
            things[below(at)] = lower
            continue
        things[at] = one
        while one.opening == DOWN and one.inside:
            one = one.inside
            lower = _lowered(board, things, at, one)
            if lower:
                things[at] = _without(things[at], one)
                things[below(at)] = lower
                break
    return _state(things)


def _lowered(board: Board, things: Mapping[Cell, Thing], at: Cell, one: Thing) -> Thing | None:
    """What is in the cell below once this has come down, or None if it cannot."""
    if not _has_room(board, below(at)):
        return None
    found = things.get(below(at))
    if found is None:
        return one
    return put_in(found, one, UP) or put_in(one, found, DOWN)


def _without(cup: Thing, one: Thing) -> Thing:
    inside = cup.inside
    return cup._replace(inside=None if inside is None or inside == one else _without(inside, one))


def _has_room(board: Board, at: Cell) -> bool:
    """Whether there is no ground in a cell. There is nothing under the last row."""
    return 0 <= at[0] < SIDE and 0 <= at[1] <= SIDE and at not in board.ground


def is_lost(state: State) -> bool:
    """Whether something has fallen out at the bottom."""
    return any(at[1] >= SIDE for at, _ in state)


def is_solved(board: Board, state: State) -> bool:
    """Every goal has what belongs there, neither more nor less enclosed."""
    things = dict(state)
    return all(shape(things.get(at)) == wanted for at, wanted in board.goals.items())


def _state(things: Mapping[Cell, Thing]) -> State:
    return tuple(sorted(things.items()))


# --- games/kr68/source/drawing.py
# Draws the wall with its ledges, the cups with what is in them, and what belongs where.

SIZE = 8  # pixels a cell

BACK = 10
LEDGE, TOP, DEEP = 15, 6, 13
GLAZE = 0
LARGE_CUP, SMALL_CUP = 5, 8
INSIDE = {LARGE: 2, SMALL: 7}
INK = {"a": 11, "b": 14}

WIDTH = {LARGE: 8, SMALL: 6, BALL: 4}


class Scene(NamedTuple):
    """A moment. What is at the cell `moving` is drawn `shift` pixels off; `glow` grows after a win."""

    state: State
    shift: Cell = (0, 0)
    moving: Cell | None = None
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, BACK)
    for at, sign in board.ground.items():
        _draw_ground(picture, at, sign)
    for at, wanted in board.goals.items():
        _draw_goal(picture, at, wanted, scene.glow)
    for at, one in scene.state:
        across, down = scene.shift if at == scene.moving else (0, 0)
        _draw_thing(picture, SIZE * at[0] + across, SIZE * at[1] + down, one)
    return picture


def cell_at(x: int, y: int) -> tuple[Cell, int]:
    """The cell at a pixel, and which of its sides is nearer: 1 the right one, -1 the left one."""
    return (x // SIZE, y // SIZE), 1 if x % SIZE >= SIZE // 2 else -1


def _draw_ground(picture: Pixels, at: Cell, sign: str) -> None:
    x, y = SIZE * at[0], SIZE * at[1]
    box(picture, x, y, SIZE, SIZE, LEDGE)
    box(picture, x, y + SIZE - 2, SIZE, 2, DEEP)
    box(picture, x, y, SIZE, 2 if sign == SMOOTH else 1, GLAZE if sign == SMOOTH else TOP)


def _draw_goal(picture: Pixels, at: Cell, wanted: str, glow: int) -> None:
    """On the ledge under the place: what belongs there as a band, the outermost outside."""
    x, y = SIZE * at[0], SIZE * below(at)[1]
    box(picture, x, y, SIZE, 3, GLAZE)
    for sign in wanted:
        size = {"L": LARGE, "S": SMALL}.get(sign, BALL)
        colour = {"L": LARGE_CUP, "S": SMALL_CUP}.get(sign, INK.get(sign, GLAZE))
        box(picture, x + (SIZE - WIDTH[size]) // 2, y, WIDTH[size], 3, colour)
        if size != BALL:
            box(picture, x + (SIZE - WIDTH[size]) // 2 + 1, y, WIDTH[size] - 2, 3, INSIDE[size])
    for n in range(glow):
        box(picture, x + 1, y - SIZE - 3 * n - 2, SIZE - 2, 1, GLAZE)


def _draw_thing(picture: Pixels, x: int, y: int, one: Thing) -> None:
    """A thing in the cell whose top left pixel is at x, y; it rests on the cell's lower edge."""
    drawn = _picture(one)
    side = len(drawn)
    left, top = x + (SIZE - side) // 2, y + SIZE - side
    across, down = max(-left, 0), max(-top, 0)
    shown = drawn[down : max(BOARD - top, 0), across : max(BOARD - left, 0)]
    if shown.size:
        paste(picture, shown, left + across, top + down)


def _picture(one: Thing) -> Pixels:
    width = WIDTH[one.size]
    if one.size == BALL:
        return canvas(width, width, INK[one.colour])
    drawn = canvas(width, width, LARGE_CUP if one.size == LARGE else SMALL_CUP)
    inner = width - 2
    across, down = {UP: (1, 0), RIGHT: (2, 1), DOWN: (1, 2), LEFT: (0, 1)}[one.opening]
    box(drawn, 1, 1, inner, inner, INSIDE[one.size])
    box(drawn, across, down, inner, inner, INSIDE[one.size])
    if one.inside:
        inner = WIDTH[one.inside.size]
        gap = width - 1 - inner
        across = {RIGHT: 1, LEFT: gap}.get(one.opening, (width - inner) // 2)
        down = {UP: gap, DOWN: gap + 1}.get(one.opening, width - 1 - inner)
        paste(drawn, _picture(one.inside), across, down)
    return drawn


# --- games/kr68/source/levels.py
# The levels: eight by eight cells. # is ground on which a cup rolls, = ground on which it slides.

LEVELS = (
    Plan(
        """
        ........
        ........
        ........
        .A......
        ####....
        ######..
        ######..
        ######w#
        """,
        {"A": "S^"},
        {"w": "#S"},
    ),
    Plan(
        """
        ........
        ...B....
        .A===...
        .#==#==.
        ........
        ......#w
        ........
        ........
        """,
        {"A": "S>", "B": "S^a"},
        {"w": "#a"},
    ),
    Plan(
        """
        ........
        ........
        .....###
        ..=====.
        ........
        .....B.C
        ..A..===
        ..##w#==
        """,
        {"A": "S^", "B": "L^", "C": "a"},
        {"w": "#LSa"},
    ),
    Plan(
        """
        ........
        .A......
        .###=...
        ........
        ...==B..
        ....==..
        .....#w#
        ...###..
        """,
        {"A": "L>", "B": "S^a"},
        {"w": "#La"},
    ),
    Plan(
        """
        ........
        .......#
        ..B....#
        .###....
        .A....==
        .====...
        .....C..
        .....==w
        """,
        {"A": "L>", "B": "S^", "C": "a"},
        {"w": "=La"},
    ),
    Plan(
        """
        ........
        .A......
        ###w....
        ........
        ..B.....
        ..====..
        .==...x#
        ...#####
        """,
        {"A": "S^a", "B": "S>b"},
        {"w": "#a", "x": "#b"},
    ),
    Plan(
        """
        ........
        ...A.C..
        ...#####
        ........
        ..####..
        ...B....
        ####.##w
        .#####..
        """,
        {"A": "S^a", "B": "S^b", "C": "L>"},
        {"w": "#LSb"},
    ),
    Plan(
        """
        ........
        ......BC
        ....===x
        .A..#...
        =w===###
        ........
        ####....
        ###.....
        """,
        {"A": "L>", "B": "S^b", "C": "S^a"},
        {"w": "=La", "x": "=S"},
    ),
)


# --- games/kr68/source/game.py

SHIFTS = (3, 6)  # pixels on the way to the next cell, a frame each
GLOWS = range(1, 7)


class Kr68(ScriptedGame):
    """Clicks only: a cup goes to the side on which it is clicked."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("kr68", levels, Camera(background=BACK), available_actions=[6])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        assert action == GameAction.ACTION6
        at, side = cell_at(int(self.action.data["x"]), int(self.action.data["y"]))
        moments = move(self._board, self._position, at, side)
        if not moments:
            return
        for shift in SHIFTS:
            self._draw(Scene(self._position, (side * shift, 0), at))
            yield
        for moment in moments[:-1]:
            self._draw(Scene(moment))
            yield
        self._position = moments[-1]
        self._draw(Scene(self._position))
        if is_lost(self._position):
            yield
            self.lose()
        elif is_solved(self._board, self._position):
            for glow in GLOWS:
                self._draw(Scene(self._position, glow=glow))
                yield
            self.next_level()

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
