"""Draws the plate: light where it is high, dark where it is low, and lower still the water comes over it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from games._shared.cells import Cell, beside
from games._shared.pictures import BOARD, Pixels, box, canvas, finished, frame, paste, stamp
from games.tz85.source.rules import CENTRE, HEAVY, SIDE, Board, State, lean

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
