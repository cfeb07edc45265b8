"""Tokens that fly through pieces, by half turns, by mirrors and by quarter turns.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/tb46/source/.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import cos, pi, sin
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


# --- games/tb46/source/rules.py
# Tokens fly through pieces: a piece says how a place is turned or mirrored into the place of landing.

HALF, BRITTLE, ACROSS, UPWARD, QUARTER = "oxvhq"
PIVOTS = HALF + BRITTLE + ACROSS + UPWARD + QUARTER
COLOURS = "ab"

IMAGES = {  # of the way from a piece to the token: across from across and down, down from across and down
    HALF: (-1, 0, 0, -1),
    BRITTLE: (-1, 0, 0, -1),
    ACROSS: (-1, 0, 0, 1),
    UPWARD: (1, 0, 0, -1),
    QUARTER: (0, -1, 1, 0),
}


class Plan(NamedTuple):
    """A level as two pictures: what stands where at first, and the rings."""

    picture: str
    rings: str


class Board(NamedTuple):
    """What never changes during a level. `pivots` has the brittle ones too."""

    cells: frozenset[Cell]
    pivots: Mapping[Cell, str]
    rings: frozenset[tuple[Cell, str]]


class State(NamedTuple):
    """Tokens with their colours, brittle pivots that are whole, and the token that is lit."""

    tokens: frozenset[tuple[Cell, str]]
    brittle: frozenset[Cell]
    lit: Cell | None = None


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(plan.picture))
    pivots = {at: sign for at, sign in signs.items() if sign in PIVOTS}
    rings = frozenset((at, sign) for at, sign in signs_of(plan.rings) if sign in COLOURS)
    tokens = frozenset((at, sign) for at, sign in signs.items() if sign in COLOURS)
    brittle = frozenset(at for at, sign in pivots.items() if sign == BRITTLE)
    return Board(frozenset(at for at, sign in signs.items() if sign != "-"), pivots, rings), State(
        tokens, brittle
    )


def piece_at(board: Board, state: State, at: Cell) -> str:
    """The kind of pivot that stands at a cell, as which a token counts too; nothing where none stands."""
    if any(at == token for token, _ in state.tokens):
        return HALF
    sign = board.pivots.get(at, "")
    return "" if sign == BRITTLE and at not in state.brittle else sign


def image(kind: str, pivot: Cell, at: Cell) -> Cell:
    """Where a token at a cell comes to through a pivot of this kind."""
    across, down = at[0] - pivot[0], at[1] - pivot[1]
    a, b, c, d = IMAGES[kind]
    return pivot[0] + a * across + b * down, pivot[1] + c * across + d * down


def landing(board: Board, state: State, token: Cell, pivot: Cell) -> Cell | None:
    """Where a token lands through a piece; None if there is no piece or no free place."""
    kind = piece_at(board, state, pivot)
    if not kind or pivot == token:
        return None
    to = image(kind, pivot, token)
    return to if to in board.cells and not piece_at(board, state, to) else None


def landings(board: Board, state: State) -> dict[Cell, Cell]:
    """Where the lit token can land, and through which piece; a brittle one only if no other leads there."""
    if state.lit is None:
        return {}
    pieces = {*board.pivots, *(at for at, _ in state.tokens)}
    through = sorted(pieces, key=lambda at: (at not in state.brittle, at))
    found = {landing(board, state, state.lit, pivot): pivot for pivot in through}
    return {to: pivot for to, pivot in found.items() if to is not None}


def jump(board: Board, state: State, token: Cell, pivot: Cell) -> State | None:
    """The state after a token flew through a piece; None if it cannot."""
    to = landing(board, state, token, pivot)
    if to is None:
        return None
    colour = dict(state.tokens)[token]
    tokens = state.tokens - {(token, colour)} | {(to, colour)}
    return State(tokens, state.brittle - {pivot})


def pivot_of(board: Board, state: State, at: Cell) -> Cell | None:
    """The piece that a click means while a token is lit: the one there, or the one that leads there."""
    if piece_at(board, state, at):
        return at if at != state.lit else None
    return landings(board, state).get(at)


def touch(board: Board, state: State, at: Cell) -> State:
    """The state after a click on a cell: a token is lit, let go, or flies."""
    if state.lit is None:
        return state._replace(lit=at) if any(at == token for token, _ in state.tokens) else state
    pivot = pivot_of(board, state, at)
    if pivot is None:
        return state._replace(lit=None)
    return jump(board, state, state.lit, pivot) or state


def is_solved(board: Board, state: State) -> bool:
    """Every ring has a token of its colour."""
    return board.rings <= state.tokens


# --- games/tb46/source/drawing.py
# Draws the board with its rings, pieces and tokens, and the ripples around it.

SIZE, MARGIN, SIDE = 7, 4, 8  # of a cell, around the cells (in pixels), and cells a side

SHEET, RIPPLE, FLOOR, EDGE = 0, 10, 9, 5
AXIS, PIECE, PIECE_MARK = 10, 0, 5
LIT, WAVE = 0, 11
INKS = dict(zip(COLOURS, (11, 7), strict=True))

DISC = "..xxx.. .xxxxx. xxxxxxx xxxxxxx xxxxxxx .xxxxx. ..xxx.."
TOKEN = ".xxx. xxxxx xxxxx xxxxx .xxx."
RING = "..xxx.. .x...x. x.....x x.....x x.....x .x...x. ..xxx.."
MARK = ".x. xxx .x."
PICTURES = {
    HALF: "...x... ..xxx.. .xxxxx. xxxexxx .xxxxx. ..xxx.. ...x...",
    BRITTLE: "...x... ..x.x.. .x...x. x..e..x .x...x. ..x.x.. ...x...",
    ACROSS: "xxxexxx xxxexxx xxxexxx xxxexxx xxxexxx xxxexxx xxxexxx",
    UPWARD: "xxxxxxx xxxxxxx xxxxxxx eeeeeee xxxxxxx xxxxxxx xxxxxxx",
    QUARTER: "xxxxxxx xxxeeex xxxeeex xxxeeex xxxxxxx xxxxxxx xxxxxxx",
}
BROKEN = "x..x..x ....... .x...x. ....... .x...x. ....... x..x..x"


class Flight(NamedTuple):
    """A token on its way through a piece; `share` of the way is done."""

    token: Cell
    to: Cell
    pivot: Cell
    kind: str
    share: float


class Scene(NamedTuple):
    """A moment. `glow`: how far the wave around the board has come."""

    state: State
    flight: Flight | None = None
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = _floor(board, scene.glow)
    state, flight = scene.state, scene.flight
    for at, colour in board.rings:
        _stamp(picture, RING, at, LIT if scene.glow % 4 > 1 else INKS[colour])
    for at in board.pivots:
        if kind := piece_at(board, state, at):
            is_broken = flight is not None and flight.pivot == at and kind == BRITTLE and flight.share > 0.5
            _stamp(picture, BROKEN if is_broken else PICTURES[kind], at, PIECE)
    if flight is None:
        for at in landings(board, state):
            x, y = corner(at)
            paste(picture, stamp(MARK, x=LIT), x + 2, y + 2)
    for at, colour in sorted(state.tokens, key=lambda token: token[0] == state.lit):
        x, y = _flying(flight) if flight is not None and flight.token == at else corner(at)
        if at == state.lit:
            _paste_inside(picture, stamp(DISC, x=LIT), x, y)
        _paste_inside(picture, stamp(TOKEN, x=INKS[colour]), x + 1, y + 1)
    return picture


def corner(at: Cell) -> Cell:
    """The top left pixel of a cell."""
    return MARGIN + SIZE * at[0], MARGIN + SIZE * at[1]


def cell_at(x: int, y: int) -> Cell:
    """The cell of a pixel, which may lie outside the board."""
    return (x - MARGIN) // SIZE, (y - MARGIN) // SIZE


def _flying(flight: Flight) -> Cell:
    """The top left pixel of a token on its way: round a piece that turns by a quarter, else straight."""
    (x, y), (to_x, to_y), (near, far), share = flight.token, flight.to, flight.pivot, flight.share
    across, down = x + share * (to_x - x), y + share * (to_y - y)
    if flight.kind == QUARTER:
        turned, swung = cos(share * pi / 2), sin(share * pi / 2)
        across = near + turned * (x - near) - swung * (y - far)
        down = far + swung * (x - near) + turned * (y - far)
    return round(MARGIN + SIZE * across), round(MARGIN + SIZE * down)


def _floor(board: Board, glow: int) -> Pixels:
    """The sheet, ripples that follow the shape of the board, the board, and the axes of its mirrors."""
    picture = canvas(BOARD, BOARD, SHEET)
    distance = _distances(board.cells)
    for reach in (3, 6, 10, 15, 21, 28):
        picture[distance == reach] = RIPPLE
    if glow:
        picture[(distance > 0) & (distance // 2 == glow)] = WAVE
    picture[distance == 1] = EDGE
    picture[distance == 0] = FLOOR
    for (column, row), kind in board.pivots.items():
        x, y = corner((column, row))
        if kind == ACROSS:
            picture[:, x + 3][distance[:, x + 3] == 0] = AXIS
        elif kind == UPWARD:
            picture[y + 3, :][distance[y + 3, :] == 0] = AXIS
    return picture


@cache
def _distances(cells: frozenset[Cell]) -> Pixels:
    """How many pixels each pixel is from the board, 0 on it, at most 40."""
    reached = np.zeros((BOARD, BOARD), dtype=bool)
    for at in cells:
        x, y = corner(at)
        reached[y : y + SIZE, x : x + SIZE] = True
    distance = np.where(reached, 0, 40).astype(np.int8)
    for far in range(1, 40):
        wide = np.pad(reached, 1)
        reached = wide[1:-1, 1:-1] | wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
        distance[reached & (distance == 40)] = far
    return finished(distance)


def _stamp(picture: Pixels, pattern: str, at: Cell, ink: int) -> None:
    paste(picture, stamp(pattern, x=ink, e=PIECE_MARK), *corner(at))


def _paste_inside(onto: Pixels, picture: Pixels, x: int, y: int) -> None:
    """Pastes what of a picture lies on the frame."""
    wide = np.pad(onto, BOARD)
    paste(wide, picture, x + BOARD, y + BOARD)
    onto[:] = wide[BOARD:-BOARD, BOARD:-BOARD]


# --- games/tb46/source/levels.py
# The levels: eight by eight cells.

LEVELS = (
    Plan(
        """
        --------
        --------
        ........
        .aa.....
        ........
        ........
        --------
        --------
        """,
        """
        --------
        --------
        ........
        .....aa.
        ........
        ........
        --------
        --------
        """,
    ),
    Plan(
        """
        --------
        ........
        ........
        .-.--.-.
        ..o.o...
        ........
        a....a..
        --------
        """,
        """
        --------
        ........
        a......a
        .-.--.-.
        ........
        ........
        ........
        --------
        """,
    ),
    Plan(
        """
        --------
        ...-....
        -......a
        -...v..-
        -..o...-
        ....a..-
        ....-...
        --------
        """,
        """
        --------
        a..-....
        -....a..
        -......-
        -......-
        -......-
        ....-...
        --------
        """,
    ),
    Plan(
        """
        --------
        ..b.a...
        ...v....
        ..----.h
        ..-.o-..
        ..-..-..
        ...a....
        --------
        """,
        """
        --------
        ....b...
        ........
        ..----a.
        ..-a.-..
        ..-..-..
        ........
        --------
        """,
    ),
    Plan(
        """
        --....--
        .-....-.
        .-..q.-.
        ........
        ....o..a
        ...a....
        ...--...
        --....--
        """,
        """
        --....--
        a-....-.
        .-....-.
        ........
        ........
        .a......
        ...--...
        --....--
        """,
    ),
    Plan(
        """
        ........
        ........
        --...v--
        --a.q.--
        --....--
        .....a..
        ........
        ..----.b
        """,
        """
        ....a...
        ........
        --....--
        --....--
        --....--
        ........
        ....b...
        a.----..
        """,
    ),
    Plan(
        """
        ........
        ...q....
        ..x.....
        a...x...
        ........
        ..b.....
        --....--
        -...v..-
        """,
        """
        ........
        ........
        ...b....
        ........
        ........
        ........
        --...a--
        -......-
        """,
    ),
    Plan(
        """
        --....--
        ...b....
        .....h..
        -......-
        -..a..q-
        ........
        .....x..
        ......a.
        """,
        """
        --....--
        ........
        ...a....
        -......-
        -......-
        a......b
        ........
        ........
        """,
    ),
)


# --- games/tb46/source/game.py

SHARES = (0.2, 0.4, 0.6, 0.8)  # of the way, a frame each
REFUSED = (0.25, 0.5, 0.25)
GLOWS = range(1, 11)


class Tb46(ScriptedGame):
    """Clicks and undo."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("tb46", levels, Camera(background=SHEET), available_actions=[6, 7])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self._history: list[State] = []
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        if action == GameAction.ACTION7:
            self._position = self._history.pop() if self._history else self._position
            self._draw(Scene(self._position))
            return
        before = self._position
        at = cell_at(int(self.action.data["x"]), int(self.action.data["y"]))
        after = touch(self._board, before, at)
        pivot = None if before.lit is None else pivot_of(self._board, before, at)
        if before.lit is not None and pivot is not None:
            yield from self._fly(before, before.lit, pivot, REFUSED if after == before else SHARES)
        if after == before:
            self._draw(Scene(before))
            return
        self._history.append(before)
        self._position = after
        self._draw(Scene(after))
        if is_solved(self._board, after):
            for glow in GLOWS:
                yield
                self._draw(Scene(after, glow=glow))
            yield
            self.next_level()

    def _fly(self, state: State, token: Cell, pivot: Cell, shares: tuple[float, ...]) -> Script:
        kind = piece_at(self._board, state, pivot)
        for share in shares:
            self._draw(Scene(state, Flight(token, image(kind, pivot, token), pivot, kind, share)))
            yield

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
