"""A sheet with wet ink is folded along its creases until everything is printed where it belongs.

State is immutable and the rules are pure functions; the class below only shows them. NOTE.md says what the
levels are for.
"""

# Packed by `manage.py pack_environments`. To change it, edit games/ph79/source/.

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


# --- games/ph79/source/rules.py
# A sheet is folded along a crease: wet ink prints on the cell that it meets, and dries with the fold.

SHEETS = 3
WATER, MIXED = "w", "x"


class Plan(NamedTuple):
    """A level as pictures: what is on the sheet, and what belongs on it. `creases` as in `crease_of`."""

    sheet: str
    wanted: str
    creases: str


class Crease(NamedTuple):
    """A line: a cell x, y meets the cell (a x + b y + c, d x + e y + f)."""

    name: str
    across: tuple[int, int, int]
    down: tuple[int, int, int]


class Ink(NamedTuple):
    """What is on a cell: a colour's letter or water, wet or dry."""

    colour: str
    is_wet: bool


class Board(NamedTuple):
    """What never changes during a level."""

    side: int
    cells: frozenset[Cell]
    wanted: Mapping[Cell, str]
    creases: tuple[Crease, ...]
    printed: tuple[tuple[Cell, Ink], ...]  # what is on a new sheet


class State(NamedTuple):
    """The sheet that is worked on, sorted, and how many there are with it."""

    inks: tuple[tuple[Cell, Ink], ...]
    sheets: int = SHEETS


def crease_of(name: str, side: int) -> Crease:
    """v3: upright, before column 3; h3: level, before row 3; d: down to the right; u: up to the right."""
    if name == "d":
        return Crease(name, (0, 1, 0), (1, 0, 0))
    if name == "u":
        return Crease(name, (0, -1, side - 1), (-1, 0, side - 1))
    line = 2 * int(name[1:]) - 1
    if name[0] == "v":
        return Crease(name, (-1, 0, line), (0, 1, 0))
    return Crease(name, (1, 0, 0), (0, -1, line))


def met_by(crease: Crease, at: Cell) -> Cell:
    """The cell that lies on this one when the sheet is folded; it may be outside the sheet."""
    x, y = at
    (a, b, c), (d, e, f) = crease.across, crease.down
    return a * x + b * y + c, d * x + e * y + f


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs, wanted = dict(signs_of(plan.sheet)), dict(signs_of(plan.wanted))
    side = max(x for x, _ in signs) + 1
    inks = {at: Ink(sign.lower(), sign.islower()) for at, sign in signs.items() if sign.isalpha()}
    board = Board(
        side=side,
        cells=frozenset(at for at, sign in signs.items() if sign != "#"),
        wanted={at: sign for at, sign in wanted.items() if sign.isalpha()},
        creases=tuple(crease_of(name, side) for name in plan.creases.split()),
        printed=tuple(sorted(inks.items())),
    )
    return board, State(board.printed)


def fold(board: Board, state: State, crease: Crease) -> State:
    """The state after the sheet was folded there and opened again; it may be spoilt.

    Only what this fold printed or moistened is wet afterwards.
    """
    before = dict(state.inks)
    after = {at: Ink(ink.colour, ink.colour == WATER) for at, ink in before.items()}
    for at, ink in before.items():
        other = met_by(crease, at)
        if not ink.is_wet or other == at or other not in board.cells:
            continue
        found = before.get(other)
        if ink.colour == WATER:
            if found is not None and not found.is_wet:
                after[other] = Ink(found.colour, True)
                del after[at]
        elif found is None:
            after[other] = ink
        elif found.colour != WATER:
            after[other] = Ink(ink.colour if ink.colour == found.colour else MIXED, True)
    return state._replace(inks=tuple(sorted(after.items())))


def is_spoilt(board: Board, state: State) -> bool:
    """Ink is where none of its colour belongs, or something is missing and nothing can print any more."""
    inks = {at: ink for at, ink in state.inks if ink.colour != WATER}
    if any(board.wanted.get(at) != ink.colour for at, ink in inks.items()):
        return True
    is_dry = not any(ink.is_wet for ink in inks.values())
    return is_dry and not is_solved(board, state) and not _can_be_moistened(board, state)


def _can_be_moistened(board: Board, state: State) -> bool:
    inks = dict(state.inks)
    places = (
        inks.get(met_by(crease, at), ink)
        for at, ink in inks.items()
        if ink.colour == WATER
        for crease in board.creases
    )
    return any(place.colour != WATER for place in places)


def is_solved(board: Board, state: State) -> bool:
    """Every colour is where it belongs, and nowhere else."""
    return {at: ink.colour for at, ink in state.inks if ink.colour != WATER} == board.wanted


def turn(board: Board, state: State, crease: Crease) -> State:
    """The state after a fold; a spoilt sheet gives way to the next one, if there is one."""
    after = fold(board, state, crease)
    if not is_spoilt(board, after):
        return after
    return State(board.printed, state.sheets - 1)


# --- games/ph79/source/drawing.py
# Draws the sheet with its creases and what is on it, the tabs that fold it, and the sheets that are left.

SIZE = 6  # pixels a cell
LEFT, SIDE = 8, 48  # of the sheet, in pixels
TAB = 5

TABLE, GRAIN = 12, 13
PAPER, BACK, EDGE, FOLD_LINE = 0, 1, 2, 1
TAB_COLOUR, TAB_SHADE = 5, 6
COLOURS = {"a": 9, "b": 8, "c": 14, WATER: 10, MIXED: 5}
GLOSS = 0
PILE_LEFT, PILE_TOP, PILE_STEP = 25, 58, 9


OPEN, HALF, FOLDED = range(3)


class Scene(NamedTuple):
    """A moment. `flap`: whether the sheet is open, half folded or folded; `size`: of all of it."""

    state: State
    crease: Crease | None = None
    flap: int = OPEN
    size: float = 1
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, TABLE)
    for y in range(3, BOARD, 7):
        box(picture, (y * 5) % 23, y, 17, 1, GRAIN)
        box(picture, 34 + (y * 3) % 13, y, 13, 1, GRAIN)
    for number in range(scene.state.sheets - 1):
        frame(picture, PILE_LEFT + PILE_STEP * number, PILE_TOP, 5, EDGE)
        box(picture, PILE_LEFT + PILE_STEP * number, PILE_TOP, 4, 4, PAPER)
    sheet = _sheet(board, scene)
    if scene.crease is not None and scene.flap != OPEN:
        sheet = _folded(sheet, scene.crease, scene.flap)
    if scene.size < 1:
        _draw_small(picture, scene.size)
    else:
        paste(picture, sheet, LEFT, LEFT)
    for crease in board.creases:
        colour = TAB_SHADE if crease == scene.crease else TAB_COLOUR
        _draw_tab(picture, *tab(crease), colour)
    if scene.glow:
        frame(picture, LEFT - scene.glow, LEFT - scene.glow, SIDE + 2 * scene.glow, TAB_COLOUR)
    return picture


def tab(crease: Crease) -> Cell:
    """The top left pixel of the tab at one end of a crease; a tab is five pixels wide and high."""
    near, far = LEFT - TAB - 1, LEFT + SIDE + 1
    if crease.name in "du":
        return near if crease.name == "d" else far, near
    along = LEFT + SIZE * int(crease.name[1:]) - TAB // 2
    return (along, near) if crease.name[0] == "v" else (near, along)


def crease_at(board: Board, x: int, y: int) -> Crease | None:
    """The crease whose tab is at a pixel."""
    for crease in board.creases:
        left, top = tab(crease)
        if left <= x < left + TAB and top <= y < top + TAB:
            return crease
    return None


def _sheet(board: Board, scene: Scene) -> Pixels:
    sheet = canvas(SIDE, SIDE, PAPER)
    for x, y in ((x, y) for x in range(board.side) for y in range(board.side)):
        if (x, y) not in board.cells:
            box(sheet, SIZE * x, SIZE * y, SIZE, SIZE, CLEAR)
    for crease in board.creases:
        _draw_crease(sheet, crease)
    for at, colour in board.wanted.items():
        _draw_wanted(sheet, at, COLOURS[colour])
    for at, ink in scene.state.inks:
        _draw_ink(sheet, at, ink)
    return sheet


def _draw_crease(sheet: Pixels, crease: Crease) -> None:
    for n in range(0, SIDE, 4):
        if crease.name in "du":
            for k in (n, n + 1):
                x, y = k, k if crease.name == "d" else SIDE - 1 - k
                if sheet[y, x] == PAPER:
                    sheet[y, x] = EDGE
            continue
        line = SIZE * int(crease.name[1:])
        part = (
            sheet[n : n + 2, line : line + 1] if crease.name[0] == "v" else sheet[line : line + 1, n : n + 2]
        )
        part[part == PAPER] = EDGE


def _draw_wanted(sheet: Pixels, at: Cell, colour: int) -> None:
    """A small square in the colour that belongs there."""
    x, y = SIZE * at[0] + 1, SIZE * at[1] + 1
    box(sheet, x, y, SIZE - 2, SIZE - 2, PAPER)
    frame(sheet, x, y, SIZE - 2, colour)


def _draw_ink(sheet: Pixels, at: Cell, ink: Ink) -> None:
    x, y, colour = SIZE * at[0], SIZE * at[1], COLOURS[ink.colour]
    if ink.colour == WATER:
        paste(sheet, stamp("xxxxxx xggggx xgxxgx xgxxgx xggggx xxxxxx", x=colour, g=GLOSS), x, y)
        return
    box(sheet, x, y, SIZE, SIZE, colour)
    if ink.is_wet:
        paste(sheet, stamp(".gg... g..... ...... ...... ...... .....g", g=GLOSS), x, y)
    else:
        paste(sheet, stamp("p.p.p. .p.p.p p.p.p. .p.p.p p.p.p. .p.p.p", p=BACK), x, y)


def _folded(sheet: Pixels, crease: Crease, flap: int) -> Pixels:
    """The sheet with its smaller side lifted, which is narrower then, or lying on the other side."""
    sheet = sheet.copy()
    if crease.name in "du":
        turned = sheet if crease.name == "d" else np.fliplr(sheet)
        for y in range(SIDE):
            turned[y, y + 1 :] = CLEAR
            if flap == HALF:
                turned[y, y + 1 : y + 1 + (SIDE - 1 - y) // 3] = BACK
        if flap == FOLDED:
            np.fill_diagonal(turned, EDGE)
            turned[np.tril_indices(SIDE, -1)] = BACK
        return turned if crease.name == "d" else np.fliplr(turned)
    is_upright, line = crease.name[0] == "v", SIZE * int(crease.name[1:])
    turned = sheet if is_upright else sheet.T
    is_far = line > SIDE // 2
    turned = np.fliplr(turned) if is_far else turned
    line = SIDE - line if is_far else line
    turned[:, :line] = CLEAR
    if flap == HALF:
        turned[:, line - line // 2 : line] = BACK
    else:
        turned[:, line : 2 * line] = BACK
        turned[:, line] = EDGE
        turned[:, 2 * line - 1] = EDGE
    turned = np.fliplr(turned) if is_far else turned
    return turned if is_upright else turned.T


def _draw_small(picture: Pixels, size: float) -> None:
    """A crumpled sheet."""
    side = round(SIDE * size)
    corner = LEFT + (SIDE - side) // 2
    box(picture, corner, corner, side, side, BACK)
    for n in range(0, side - 3, 4):
        box(picture, corner + n, corner + (n * 3) % max(side - 2, 1), 3, 1, EDGE)
        box(picture, corner + (n * 5) % max(side - 2, 1), corner + n, 1, 3, EDGE)


def _draw_tab(picture: Pixels, x: int, y: int, colour: int) -> None:
    box(picture, x + 1, y, 3, 5, colour)
    box(picture, x, y + 1, 5, 3, colour)
    box(picture, x + 2, y + 2, 1, 1, TABLE)


# --- games/ph79/source/levels.py
# The levels: what is on the sheet, what belongs on it, and where it is creased.

LEVELS = (
    Plan(
        """
        ........
        ........
        ...a....
        ..aa....
        ........
        ........
        ........
        ........
        """,
        """
        ........
        ........
        ...aa...
        ..aaaa..
        ..aaaa..
        ...aa...
        ........
        ........
        """,
        "v4 h4",
    ),
    Plan(
        """
        ........
        ........
        ........
        ........
        .......a
        .......a
        .......a
        ........
        """,
        """
        .a...aa.
        .a..a..a
        .a..a..a
        .a..a..a
        .a.....a
        .a.....a
        .a.....a
        .a......
        """,
        "v1 v2 v3 v4 v5 v6 h4 h7",
    ),
    Plan(
        """
        ........
        ........
        a.......
        a.......
        a......b
        .......b
        .......b
        ........
        """,
        """
        a......b
        a......b
        a......b
        a......b
        a......b
        .......b
        a......b
        a......b
        """,
        "v1 v2 v3 v4 v5 h1 h4 h6",
    ),
    Plan(
        """
        ........
        ........
        ........
        aa.#....
        ........
        ........
        ........
        ........
        """,
        """
        ........
        ...a....
        ...a..a.
        aaa.....
        ........
        .....aa.
        ..aa....
        ........
        """,
        "v2 v3 v5 v6 h2 h4 h5 h6",
    ),
    Plan(
        """
        ........
        ........
        ........
        .......a
        .......a
        ......wa
        ........
        ........
        """,
        """
        ........
        ........
        a.......
        a..a..aa
        a..a..aa
        a......a
        a.....a.
        a.......
        """,
        "v2 v5 v7 h1 h2 h5 h7",
    ),
    Plan(
        """
        ......aa
        ......a.
        ........
        ........
        ........
        ........
        ........
        ........
        """,
        """
        aa....aa
        .a....a.
        aaa.....
        aaaa....
        ....a...
        ....aa..
        ....aaaa
        ....aa.a
        """,
        "v1 v2 v4 v6 v7 h1 h7 u",
    ),
    Plan(
        """
        ..w.a...
        ....a...
        ....a...
        ........
        ........
        ........
        ........
        b.......
        """,
        """
        b.aaa...
        ...aa...
        ...aa...
        ........
        ........
        b......b
        ........
        bb..b..b
        """,
        "v3 v4 v6 h2 h3 h5 h7 u",
    ),
    Plan(
        """
        ..bb....
        .....#..
        .....#..
        ...#....
        ........
        ......w.
        .....a..
        ........
        """,
        """
        ..bb...b
        ......ab
        ....b..b
        ....b..b
        ....b..b
        ....b..b
        .....aab
        ..bb..bb
        """,
        "h4 v3 h3 v6 v7 h2 d",
    ),
)


# --- games/ph79/source/game.py

CRUMPLE = (0.75, 0.45, 0.2)
GLOW = (1, 2, 3, 4, 3, 2, 1)


class Ph79(ScriptedGame):
    """Clicks only."""

    def __init__(self) -> None:
        levels = [Level(data={"number": number}) for number in range(len(LEVELS))]
        super().__init__("ph79", levels, Camera(background=TABLE), available_actions=[6])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(LEVELS[level.get_data("number")])
        self.open_board()
        self._draw(Scene(self._position))

    def script(self, action: GameAction) -> Script:
        crease = crease_at(self._board, int(self.action.data["x"]), int(self.action.data["y"]))
        if crease is None:
            return
        before, after = self._position, fold(self._board, self._position, crease)
        for state, flap in ((before, HALF), (before, FOLDED), (after, HALF)):
            self._draw(Scene(state, crease, flap))
            yield
        self._position = turn(self._board, before, crease)
        if is_spoilt(self._board, after):
            yield from self._spoil(Scene(after))
        self._draw(Scene(self._position))
        if is_solved(self._board, self._position):
            for glow in GLOW:
                yield
                self._draw(Scene(self._position, glow=glow))
            yield
            self.next_level()

    def _spoil(self, scene: Scene) -> Script:
        """The sheet is seen, then crumpled; the last one takes the level with it."""
        self._draw(scene)
        yield
        self._draw(scene)
        yield
        for size in CRUMPLE:
            self._draw(scene._replace(size=size))
            yield
        if self._position.sheets == 0:
            self.lose()

    def _draw(self, scene: Scene) -> None:
        self.show(draw(self._board, scene))
