"""Draws a moment: whose each pixel is, and on that plates, posts, stones and the walker."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, finished, paste, stamp
from games.gn36.source.rules import BOTH, COLD, GREY, WARM, Board, State, bears

CELL = 7  # pixels a cell
MIDDLE = CELL / 2
BLACK, GREEN = 5, 14

# By the colour that they belong to: rock, a dot of the void; plates and stones with their lower edge.
ROCK = {GREY: 2, WARM: 11, COLD: 10}
DOT = {GREY: 3, WARM: 13, COLD: 9}
INKS = {GREY: (3, 4), WARM: (8, 13), COLD: (9, 15), BOTH: (0, 2)}
FACE = 4

POST = stamp("ooooooo o.....o o.....o o.....o o.....o o.....o ooooooo", o=BLACK)
HOLLOW = "oo.oo o...o ..... o...o oo.oo"
STONE = "ooooo ohhho ohhho ohhho ooooo"
SMALL = "ooo ooo ooo"
WALKER = stamp(".ggggg. ggggggg ggggggg ggggggg ggggggg ggggggg .ggggg.", g=GREEN)
AROUND = stamp(".ggggg. g.....g g.....g g.....g g.....g g.....g .ggggg.", g=GREEN)
GOAL = stamp("ggggggg gbbbbbg gbgggbg gbgbgbg gbgggbg gbbbbbg ggggggg", g=GREEN, b=BLACK)
FALLING = {5: ".ggg. ggggg ggggg ggggg .ggg.", 3: "ggg ggg ggg", 1: "g"}

Place = tuple[int, int]  # a pixel: the top left one of a cell's place, or of a stone in motion
Distances = NDArray[np.float64]

_ROWS, _COLUMNS = np.mgrid[0:BOARD, 0:BOARD] + 0.5


class Moment(NamedTuple):
    """`share` of the way from one state to another; or a fall; or a wave from the goal."""

    before: State
    after: State
    share: float
    fall: int = 0
    """The size of the falling walker in pixels, 0 if it does not fall."""
    wave: int = 0
    """How far the wave has come, in pixels."""


def draw(board: Board, moment: Moment) -> Pixels:
    """The whole frame."""
    places = [
        _on_the_way(start, end, moment.share)
        for start, end in zip(moment.before.stones, moment.after.stones, strict=True)
    ]
    picture = _ground(board, tuple(places)).copy()
    if moment.wave:
        away = np.hypot(_COLUMNS - board.goal[0] * CELL - MIDDLE, _ROWS - board.goal[1] * CELL - MIDDLE)
        picture[np.abs(away - moment.wave) < 2] = GREEN
    _draw_plates(picture, board, moment)
    paste(picture, GOAL, board.goal[0] * CELL, board.goal[1] * CELL)
    for (x, y), colour in board.posts:
        box(picture, x * CELL, y * CELL, CELL, CELL, ROCK[colour])
        paste(picture, POST, x * CELL, y * CELL)
        paste(picture, _stone(colour), x * CELL + 1, y * CELL + 1)
    _draw_stones(picture, board, moment, places)
    return picture


def _on_the_way(start: Cell, end: Cell, share: float) -> Place:
    x, y = (round(CELL * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


@lru_cache(maxsize=256)
def _ground(board: Board, places: tuple[Place, ...]) -> Pixels:
    """Rock in the colour that each of its pixels belongs to, and dots of that colour in the void."""
    least = {colour: np.full((BOARD, BOARD), 1e9) for colour in (GREY, WARM, COLD)}
    for place, stone in zip(places, board.stones, strict=True):
        _come_near(least[stone.colour], place, 1 if stone.is_strong else 4)
    for (x, y), colour in board.posts:
        _come_near(least[colour], (x * CELL, y * CELL), 4)
    owners = np.argmin(np.stack([least[GREY], least[WARM], least[COLD]]), axis=0)
    dots = np.array([DOT[GREY], DOT[WARM], DOT[COLD]], dtype=np.int8)[owners]
    rocks = np.array([ROCK[GREY], ROCK[WARM], ROCK[COLD]], dtype=np.int8)[owners]
    is_dot = (_COLUMNS.astype(int) % 4 == 1) & (_ROWS.astype(int) % 4 == 1)
    picture: Pixels = np.where(is_dot, dots, BLACK).astype(np.int8)
    for x, y in board.rock:
        if (x, y + 1) not in board.rock:
            box(picture, x * CELL, (y + 1) * CELL, CELL, 1, FACE)
    for x, y in board.rock:
        area = np.s_[y * CELL : (y + 1) * CELL, x * CELL : (x + 1) * CELL]
        picture[area] = rocks[area]
    return finished(picture)


def _come_near(least: Distances, place: Place, weight: int) -> None:
    far = (_COLUMNS - place[0] - MIDDLE) ** 2 + (_ROWS - place[1] - MIDDLE) ** 2
    np.minimum(least, far * weight, out=least)


def _draw_plates(picture: Pixels, board: Board, moment: Moment) -> None:
    """Solid where a plate bears the walker, else the corners of its frame."""
    for (x, y), kind in board.plates:
        is_now = bears(board, moment.after, (x, y))
        was = bears(board, moment.before, (x, y)) if moment.share < 1 else is_now
        ink, shade = INKS[kind]
        left, top = x * CELL, y * CELL
        paste(picture, _hollow(ink), left + 1, top + 1)
        side = round(5 * (was * (1 - moment.share) + is_now * moment.share))
        if side:
            gap = (CELL - side) // 2
            box(picture, left + gap, top + gap, side, side + 1, shade)
            box(picture, left + gap, top + gap, side, side, ink)


def _hollow(ink: int) -> Pixels:
    return stamp(HOLLOW, o=ink)


def _stone(colour: int) -> Pixels:
    ink, shade = INKS[colour]
    return stamp(STONE, o=shade, h=ink)


def _draw_stones(picture: Pixels, board: Board, moment: Moment, places: list[Place]) -> None:
    held = moment.after.held
    x, y = _on_the_way(moment.before.walker, moment.after.walker, moment.share)
    is_over = False
    for index, ((left, top), stone) in enumerate(zip(places, board.stones, strict=True)):
        if index != held:
            paste(picture, _stone(stone.colour), left + 1, top + 1)
            is_over = is_over or (left, top) == (x, y)
    if moment.fall:
        gap = (CELL - moment.fall) // 2
        paste(picture, stamp(FALLING[moment.fall], g=GREEN), x + gap, y + gap)
        return
    paste(picture, AROUND if is_over else WALKER, x, y)
    if held is not None:
        paste(picture, stamp(SMALL, o=INKS[board.stones[held].colour][0]), x + 2, y + 2)
