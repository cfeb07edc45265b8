"""Draws the board with its rings, pieces and tokens, and the ripples around it."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, canvas, finished, paste, stamp
from games.tb46.source.rules import (
    ACROSS,
    BRITTLE,
    COLOURS,
    HALF,
    QUARTER,
    UPWARD,
    Board,
    State,
    landings,
    piece_at,
)

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
