"""A pond with moths that fly to the light, or to whoever walks there in the dark, and open buds on their way.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/wz16/source/.

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


# --- games/_shared/pursuit.py
# Agents that go for something: the directions that lead them nearer.

Direction = tuple[int, int]  # one step: columns, rows


def towards(at: Cell, goal: Cell) -> list[Direction]:
    """The directions that lead nearer to a goal: along the longer side first, across before down."""
    across, down = goal[0] - at[0], goal[1] - at[1]
    headings = [(abs(across), ((across > 0) - (across < 0), 0)), (abs(down), (0, (down > 0) - (down < 0)))]
    headings.sort(key=lambda heading: -heading[0])
    return [direction for length, direction in headings if length]


# --- games/wz16/source/rules.py
# Moths fly to the lantern that is lit, or to the walker if none is; buds that they pass over open.

MOTH, BEETLE = "mb"


class Flier(NamedTuple):
    """Its kind, and where it is."""

    kind: str
    at: Cell


class Board(NamedTuple):
    """What never changes during a level. Webs hold what flies into them."""

    land: frozenset[Cell]
    water: frozenset[Cell]
    buds: frozenset[Cell]
    lanterns: tuple[Cell, ...]
    webs: frozenset[Cell]
    goal: Cell


class State(NamedTuple):
    """`lit`: the lantern that shines, if one does; `opened`: buds that are open."""

    walker: Cell
    fliers: tuple[Flier, ...]
    lit: Cell | None = None
    opened: frozenset[Cell] = frozenset()
    is_caught: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(picture))
    fliers = tuple(Flier(sign.lower(), at) for at, sign in signs.items() if sign.lower() in (MOTH, BEETLE))
    water = frozenset(at for at, sign in signs.items() if sign in "-*wMB")
    board = Board(
        land=frozenset(at for at, sign in signs.items() if sign in ".@Gmb"),
        water=water,
        buds=frozenset(at for at, sign in signs.items() if sign == "*"),
        lanterns=tuple(sorted(at for at, sign in signs.items() if sign in "iI")),
        webs=frozenset(at for at, sign in signs.items() if sign == "w"),
        goal=next(at for at, sign in signs.items() if sign == "G"),
    )
    walker = next(at for at, sign in signs.items() if sign == "@")
    return board, State(walker, fliers, next((at for at, sign in signs.items() if sign == "I"), None))


def step(board: Board, state: State, direction: Cell) -> State:
    """The state after a step and the flight after it; the same state if there is nothing to step on."""
    to = beside(state.walker, direction)
    if state.is_caught or not (to in board.land or to in state.opened):
        return state
    moved = state._replace(walker=to, is_caught=any(flier.at == to for flier in state.fliers))
    return moved if moved.is_caught or is_solved(board, moved) else fly(board, moved)


def switch(board: Board, state: State, lantern: Cell) -> State:
    """The state after a lantern was lit, or put out if it shone, and the flight after it."""
    if state.is_caught:
        return state
    return fly(board, state._replace(lit=None if state.lit == lantern else lantern))


def fly(board: Board, state: State) -> State:
    """The state after every flier flew one cell, one after the other."""
    for number in range(len(state.fliers) - 1, -1, -1):
        state = _fly(board, state, number)
    return state


def _fly(board: Board, state: State, number: int) -> State:
    kind, at = state.fliers[number]
    heading = heading_of(board, state, number)
    if heading is None:
        return state
    to = beside(at, heading)
    others = (*state.fliers[:number], *state.fliers[number + 1 :])
    if to in board.webs:
        return state._replace(fliers=others)
    opened = state.opened
    if to in board.buds:
        opened = opened | {to} if kind == MOTH else opened - {to}
    has_sunk = state.walker in board.buds and state.walker not in opened
    is_caught = state.is_caught or to == state.walker or has_sunk
    fliers = (*state.fliers[:number], Flier(kind, to), *state.fliers[number + 1 :])
    return state._replace(fliers=fliers, opened=opened, is_caught=is_caught)


def heading_of(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a flier flies next, if it has room; a lantern is flown to, not over."""
    kind, at = state.fliers[number]
    headings = towards(at, state.walker if state.lit is None else state.lit)
    if kind == BEETLE:
        headings = [(-across, -down) for across, down in headings]
    return _first(board, state, at, headings)


def _first(board: Board, state: State, at: Cell, headings: Iterable[Cell]) -> Cell | None:
    taken = {flier.at for flier in state.fliers}
    for heading in headings:
        to = beside(at, heading)
        if to in board.lanterns:
            return None
        if to not in taken and (to in board.land or to in board.water):
            return heading
    return None


def is_solved(board: Board, state: State) -> bool:
    """The walker is at the goal."""
    return state.walker == board.goal and not state.is_caught


# --- games/wz16/source/drawing.py
# Draws the deep, the land in it, what can be lit, what can be opened, and who is there.

SIZE, CELLS = 8, 8  # pixels a cell, cells a side

WATER, RIPPLE = 4, 3
LAND, SHADE = 15, 5
POST, FLAME, DARK_FLAME = 12, 11, 5
BUD, TILE, RIM = 14, 7, 6
WALKER, HOME = 10, 10
THREAD = 2
CAUGHT = 8

FIGURE = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
OPEN = "hhhhhhh hxxxxxh hxxxxxh hxxxxxh hxxxxxh hxxxxxh hhhhhhh"
CLOSED = "....... .xx.xx. .x...x. ....... .x...x. .xx.xx. ......."
WEB = "x.x.x.x .x.x.x. x.x.x.x .x.x.x. x.x.x.x .x.x.x. x.x.x.x"
LANTERN = "pppppp pffffp pffffp pffffp pffffp pppppp"
FLIERS = {
    MOTH: (0, ("..xx.. .xxxx. xxxxxx .xxxx. ..xx..", "...... .xxxx. .xxxx. .xxxx. ......")),
    BEETLE: (8, ("xxxxxx xx..xx xx..xx xx..xx xxxxxx", "xxxxxx x....x x....x x....x xxxxxx")),
}


class Scene(NamedTuple):
    """A moment on the way from one state to the next. `beat`: which of its two shapes a flier has."""

    before: State
    after: State
    share: float = 1
    beat: int = 0
    glow: int = 0
    alarm: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, WATER)
    for n in range(10):
        box(picture, (n * 27 + 3) % 59, (n * 17 + 6) % 62, 4, 1, RIPPLE)
    _draw_land(picture, board)
    for at in board.webs:
        _put(picture, stamp(WEB, x=THREAD), at)
    for at in board.buds:
        is_open = at in scene.after.opened
        _put(picture, stamp(OPEN, x=TILE, h=RIM) if is_open else stamp(CLOSED, x=BUD), at)
    _draw_home(picture, board.goal, scene.glow)
    for at in board.lanterns:
        _draw_lantern(picture, at, at == scene.after.lit)
    walker = _between(scene.before.walker, scene.after.walker, scene.share)
    paste(picture, stamp(FIGURE, x=WALKER), walker[0] + 1, walker[1] + 1)
    _draw_fliers(picture, scene)
    if scene.alarm:
        x, y = SIZE * scene.after.walker[0], SIZE * scene.after.walker[1]
        frame(picture, x - scene.alarm, y - scene.alarm, SIZE + 2 * scene.alarm, CAUGHT, 2)
    return picture


def lantern_at(board: Board, x: int, y: int) -> Cell | None:
    """The lantern at a pixel."""
    return next((at for at in board.lanterns if at == (x // SIZE, y // SIZE)), None)


def _draw_land(picture: Pixels, board: Board) -> None:
    ground = board.land | set(board.lanterns)
    for at in ground:
        if beside(at, (0, 1)) not in ground:
            box(picture, SIZE * at[0], SIZE * at[1] + SIZE, SIZE, 2, SHADE)
    for at in ground:
        box(picture, SIZE * at[0], SIZE * at[1], SIZE, SIZE, LAND)


def _draw_home(picture: Pixels, at: Cell, glow: int) -> None:
    x, y = SIZE * at[0], SIZE * at[1]
    frame(picture, x + 1, y + 1, SIZE - 2, HOME)
    box(picture, x + 3, y + 3, 2, 2, HOME)
    if glow:
        frame(picture, x - glow, y - glow, SIZE + 2 * glow, HOME)


def _draw_lantern(picture: Pixels, at: Cell, is_lit: bool) -> None:
    x, y = SIZE * at[0], SIZE * at[1]
    if is_lit:
        for n in range(-3, SIZE + 3, 2):
            for across, down in ((n, -3), (n, SIZE + 2), (-3, n), (SIZE + 2, n)):
                box(picture, x + across, y + down, 1, 1, FLAME)
    paste(picture, stamp(LANTERN, p=POST, f=FLAME if is_lit else DARK_FLAME), x + 1, y + 1)


def _draw_fliers(picture: Pixels, scene: Scene) -> None:
    before, after = scene.before.fliers, scene.after.fliers
    if len(before) != len(after):
        before = after
    for old, new in zip(before, after, strict=True):
        x, y = _between(old.at, new.at, scene.share)
        paste(picture, _flier(new, scene.beat), min(x + 1, BOARD - 6), min(y + 1, BOARD - 5))


def _flier(flier: Flier, beat: int) -> Pixels:
    colour, shapes = FLIERS[flier.kind]
    return stamp(shapes[beat % 2], x=colour)


def _between(start: Cell, end: Cell, share: float) -> Cell:
    x, y = (round(SIZE * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


def _put(picture: Pixels, pixels: Pixels, at: Cell) -> None:
    paste(picture, pixels, SIZE * at[0], SIZE * at[1])


# --- games/wz16/source/levels.py
# The levels: ponds of eight by eight cells.

LEVELS = (
    """
    ----I---
    ----M---
    -...-...
    -...-...
    -@..*..G
    -...-...
    -...-...
    ----i---
    """,
    """
    .------.
    .------.
    .------.
    ...**...
    *Gi--..*
    ...--...
    -..--.@-
    --*--*M-
    """,
    """
    --------
    -------M
    -*----*-
    G--i.--.
    .--..--@
    .**..**.
    i--**---
    --------
    """,
    """
    -..--..-
    -*-**-*-
    -M--M---
    -.----G-
    -..w*..-
    ...--.i.
    ..@**...
    *------*
    """,
    """
    -.----.-
    -@.--i.-
    -..--..-
    --*-B*--
    --*--*--
    --..G.--
    --*..*M-
    ..----..
    """,
    """
    --------
    --.i..--
    -----M--
    -*.@..*M
    -G*i.*.-
    .------.
    .-*--*-.
    .--**--.
    """,
    """
    ...**...
    ....i...
    iG---B@.
    ..---M..
    ..----..
    --------
    *------*
    --****--
    """,
)


# --- games/wz16/source/game.py

SHARES = (0.35, 0.7)  # of the way, a frame each
ALARMS = (1, 2, 3)
GLOWS = range(1, 7)


class Wz16(ScriptedGame):
    """Directions, and clicks on lanterns."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("wz16", levels, Camera(background=WATER), available_actions=[1, 2, 3, 4, 6])

    def on_set_level(self, level: Level) -> None:
        number = level.get_data("number")
        self._board, self._position = parse(LEVELS[number])
        self._again = self._position if number == 0 else None  # how level 1 begins anew for one who is caught
        self.open_board()
        self._draw(Scene(self._position, self._position))

    def script(self, action: GameAction) -> Script:
        before = self._position
        after = self._after(action, before)
        if after == before:
            return
        self._position = after
        for beat, share in enumerate(SHARES, start=1):
            self._draw(Scene(before, after, share, beat))
            yield
        if after.is_caught:
            for alarm in ALARMS:
                self._draw(Scene(after, after, alarm=alarm))
                yield
            if self._again is None:
                self.lose()
            else:
                self._position = after = self._again
        elif is_solved(self._board, after):
            for glow in GLOWS:
                self._draw(Scene(after, after, beat=glow, glow=glow))
                yield
            self.next_level()
            return
        self._draw(Scene(after, after, alarm=ALARMS[-1] if after.is_caught else 0))

    def _after(self, action: GameAction, before: State) -> State:
        if action != GameAction.ACTION6:
            return step(self._board, before, DIRECTIONS[action])
        lantern = lantern_at(self._board, int(self.action.data["x"]), int(self.action.data["y"]))
        return before if lantern is None else switch(self._board, before, lantern)

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
