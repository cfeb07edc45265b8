"""Draws the sheet with its creases and what is on it, the tabs that fold it, and the sheets that are left."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games._shared.cells import Cell
from games._shared.pictures import BOARD, CLEAR, Pixels, box, canvas, frame, paste, stamp
from games.ph79.source.rules import MIXED, WATER, Board, Crease, Ink, State

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
