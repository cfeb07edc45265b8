"""A lake with pads of which some bear: what is seen from a lookout has to be remembered, also turned.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/bh93/source/.

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


# --- games/bh93/source/rules.py
# Pads on a lake: some bear, and only from a lookout can it be seen which.

BEARING, FIRST, SECOND, SINKING = "oabx"
LOOKOUT, TURNER, MIRROR, GOAL = "LTMG"
PADS = BEARING + FIRST + SECOND + SINKING


class Plan(NamedTuple):
    """A level as a picture; `reach`: how many rows and columns away a pad is seen from a lookout."""

    picture: str
    reach: int = 9


class Field(NamedTuple):
    """The square of pads: its top left cell, and its side."""

    left: int
    top: int
    side: int


class Board(NamedTuple):
    """What never changes during a level. `pads`: what each is before anything turned."""

    land: Mapping[Cell, str]
    pads: Mapping[Cell, str]
    field: Field
    reach: int


class State(NamedTuple):
    """`turns`: quarters to the right, after `is_mirrored`; `colour`: of the last coloured pad."""

    walker: Cell
    turns: int = 0
    is_mirrored: bool = False
    colour: str = ""
    is_lost: bool = False


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = {at: sign for at, sign in signs_of(plan.picture) if sign != "-"}
    pads = {at: sign for at, sign in signs.items() if sign in PADS}
    land = {at: sign for at, sign in signs.items() if at not in pads}
    left, top = (min(at[axis] for at in pads) for axis in (0, 1))
    side = max(at[0] for at in pads) - left + 1
    start = next(at for at, sign in land.items() if sign == "@")
    return Board(land, pads, Field(left, top, side), plan.reach), State(start)


def step(board: Board, state: State, direction: Cell) -> State:
    """The state after a step; the same state if there is nothing to step on."""
    to = beside(state.walker, direction)
    if state.is_lost:
        return state
    if to in board.land:
        return _landed(board.land[to], state._replace(walker=to, colour=""))
    pad = pad_at(board, state, to)
    if not pad:
        return state
    bears = pad != SINKING and (pad == BEARING or pad != state.colour)
    colour = state.colour if pad == BEARING else pad
    return state._replace(walker=to, colour=colour if bears else "", is_lost=not bears)


def _landed(sign: str, state: State) -> State:
    if sign == TURNER:
        return state._replace(turns=(state.turns + 1) % 4)
    if sign == MIRROR:
        return state._replace(is_mirrored=not state.is_mirrored, turns=-state.turns % 4)
    return state


def pad_at(board: Board, state: State, at: Cell) -> str:
    """What the pad at a cell is now, or nothing where there is none."""
    return board.pads.get(origin(board, state, at), "")


def origin(board: Board, state: State, at: Cell) -> Cell:
    """The cell at which what lies here now was at first."""
    left, top, side = board.field
    x, y = at[0] - left, at[1] - top
    if not (0 <= x < side and 0 <= y < side):
        return at
    for _ in range(state.turns):
        x, y = y, side - 1 - x
    if state.is_mirrored:
        x = side - 1 - x
    return left + x, top + y


def is_seen(board: Board, state: State, at: Cell) -> bool:
    """Whether the walker sees from a lookout what the pad at a cell is."""
    if board.land.get(state.walker) != LOOKOUT:
        return False
    return max(abs(at[0] - state.walker[0]), abs(at[1] - state.walker[1])) <= board.reach


def is_solved(board: Board, state: State) -> bool:
    """The walker is at the goal."""
    return board.land.get(state.walker) == GOAL


# --- games/bh93/source/drawing.py
# Draws the lake, the land in it, the pads, and what is seen of them from a lookout.

SIZE, MARGIN = 8, 4  # of a cell and around seven of them, in pixels

LAKE, WAVE = 15, 6
LAND, SHORE = 2, 3
PAD, RIM = 5, 4
SEEN = {"o": 11, FIRST: 9, SECOND: 7, SINKING: 13}
WALKER = 0
LOOK, TURN, FLIP, HOME = 11, 10, 14, 0
MARKS = (10, 14)  # on the first corner and on the second one

DISC = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
QUARTER = "...xxx ...xxx ...xxx xxx... xxx... xxx..."
AXIS = "..xx.. x.xx.x x.xx.x x.xx.x x.xx.x ..xx.."
DIAMOND = "..xx.. .xxxx. xxxxxx xxxxxx .xxxx. ..xx.."
FIGURE = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
SUNK = (".xxxx. xxxxxx xxxxxx", "..xx..")  # what is above the water, a frame each


class Scene(NamedTuple):
    """A moment. `share`: of the way from `before`; `bare`: the pads are on their way; `sunk`: how deep."""

    state: State
    before: Cell
    share: float = 1
    is_bare: bool = False
    sunk: int = 0
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, LAKE)
    for n in range(14):
        box(picture, (n * 29) % 60, (n * 19 + 2) % 63, 4, 1, WAVE)
    for at in board.land:
        x, y = corner(at)
        box(picture, x, y + 1, SIZE, SIZE + 1, SHORE)
    for at, sign in board.land.items():
        _draw_land(picture, at, sign, scene.glow)
    for at in board.pads:
        _draw_pad(picture, board, scene, at)
    _draw_walker(picture, scene)
    return picture


def corner(at: Cell) -> Cell:
    """The top left pixel of a cell."""
    return MARGIN + SIZE * at[0], MARGIN + SIZE * at[1]


def _draw_land(picture: Pixels, at: Cell, sign: str, glow: int) -> None:
    x, y = corner(at)
    box(picture, x, y, SIZE, SIZE, LAND)
    patterns = {LOOKOUT: (DIAMOND, LOOK), TURNER: (QUARTER, TURN), MIRROR: (AXIS, FLIP)}
    if sign in patterns:
        pattern, colour = patterns[sign]
        paste(picture, stamp(pattern, x=colour), x + 1, y + 1)
    elif sign == GOAL:
        frame(picture, x + 1, y + 1, SIZE - 2, HOME)
        box(picture, x + 3, y + 3, 2, 2, HOME)
        if glow:
            frame(picture, x - glow, y - glow, SIZE + 2 * glow, HOME)


def _draw_pad(picture: Pixels, board: Board, scene: Scene, at: Cell) -> None:
    """A dark disc; what it is if that is seen, and a mark on two of the corners."""
    x, y = corner(at)
    inset = 2 if scene.is_bare else 1
    if scene.is_bare:
        box(picture, x + inset, y + inset, SIZE - 2 * inset, SIZE - 2 * inset, RIM)
    else:
        paste(picture, stamp(DISC, x=RIM), x + 1, y + 2)
        paste(picture, stamp(DISC, x=PAD), x + 1, y + 1)
    pad = pad_at(board, scene.state, at)
    is_stood_on = at == scene.state.walker and scene.share == 1
    if not scene.is_bare and pad != SINKING and (is_stood_on or is_seen(board, scene.state, at)):
        paste(picture, stamp(DISC, x=SEEN[pad]), x + 1, y + 1)
    left, top, side = board.field
    if not {TURNER, MIRROR} & set(board.land.values()):
        return
    for mark, place in zip(MARKS, ((left, top), (left + side - 1, top)), strict=True):
        if origin(board, scene.state, at) == place:
            box(picture, x + 3, y + 3, 2, 2, mark)


def _draw_walker(picture: Pixels, scene: Scene) -> None:
    x, y = (
        round(MARGIN + SIZE * (one + scene.share * (other - one))) + 1
        for one, other in zip(scene.before, scene.state.walker, strict=True)
    )
    colour = SEEN.get(scene.state.colour, WALKER)
    if scene.sunk == 0:
        paste(picture, stamp(FIGURE, x=WALKER), x, y)
        if scene.state.colour:
            box(picture, x + 1, y, 4, 2, colour)
    elif scene.sunk <= len(SUNK):
        box(picture, x - 1, y - 1, SIZE, SIZE, LAKE)
        paste(picture, stamp(SUNK[scene.sunk - 1], x=WALKER), x, y + 2 + scene.sunk)
        box(picture, x - 1, y + 6, SIZE, 1, WAVE)


# --- games/bh93/source/levels.py
# The levels: seven by seven cells of a lake.

LEVELS = (
    Plan(
        """
        -------
        -------
        -.xxx.-
        -Lxoo.-
        -@oox.-
        -.xxxG-
        -------
        """,
    ),
    Plan(
        """
        -------
        Lxxxxx-
        .ooxxx-
        @xoxxx-
        -xoxooG
        -xooox-
        -------
        """,
    ),
    Plan(
        """
        Lxoooo-
        @ooxxo-
        -xxLoo-
        -xxxox-
        -xxxooG
        -------
        -------
        """,
        reach=2,
    ),
    Plan(
        """
        -@.L---
        ---T---
        -xxxxx-
        -xxooo-
        -xxoxoG
        -xxoxx-
        -xooxx-
        """,
    ),
    Plan(
        """
        -..L.@-
        -M-----
        -xxxxo-
        -oooxo-
        -oxooo-
        -oxxxxG
        -xxxxx-
        """,
    ),
    Plan(
        """
        -------
        Laabab-
        .abxxa-
        @abbab-
        -xaxbx-
        -xxbabG
        -------
        """,
    ),
    Plan(
        """
        -..@L.-
        -T---T-
        -baxaa-
        -abaax-
        -abbbb-
        Gxaaba-
        -xaaxb-
        """,
    ),
    Plan(
        """
        -.L@..-
        -T---M-
        -xxaax-
        -aaaxb-
        -babxb-
        -xaaxaG
        -babbx-
        """,
    ),
)


# --- games/bh93/source/game.py

TURNING = 3  # frames while the pads are on their way
DEPTHS = (1, 2, 3)
RINGS = range(1, 9)


class Bh93(ScriptedGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("bh93", levels, Camera(background=LAKE), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        number = level.get_data("number")
        self._board, self._position = parse(LEVELS[number])
        self._again = self._position if number == 0 else None  # where one who sinks on level 1 stands again
        self.open_board()
        self._rest()

    def script(self, action: GameAction) -> Script:
        before = self._position
        self._position = after = step(self._board, before, DIRECTIONS[action])
        if after.walker == before.walker:
            return
        walking = before._replace(walker=after.walker, colour="")
        self._draw(Scene(walking, before.walker, 0.5))
        yield
        if (after.turns, after.is_mirrored) != (before.turns, before.is_mirrored):
            for _ in range(TURNING):
                self._draw(Scene(after, after.walker, is_bare=True))
                yield
        if after.is_lost:
            yield from self._sink(after.walker)
        self._rest()
        if is_solved(self._board, after):
            for glow in RINGS:
                yield
                self._rest(glow)
            yield
            self.next_level()

    def _sink(self, at: Cell) -> Script:
        for sunk in DEPTHS:
            self._draw(Scene(self._position, at, sunk=sunk))
            yield
        if self._again is None:
            self.lose()
        else:
            self._position = self._again

    def _rest(self, glow: int = 0) -> None:
        sunk = DEPTHS[-1] if self._position.is_lost else 0
        self._draw(Scene(self._position, self._position.walker, sunk=sunk, glow=glow))

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
