"""Draws a moment: light and shadow pixel by pixel; on them plates, pillars, things and the walker."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, paste, stamp
from games.qd41.source.rules import COLD, DARK, WARM, Board, State, bears

CELL = 7  # pixels a cell
MIDDLE = CELL / 2
BLACK, GREEN = 5, 14
BRIGHT = 3  # the highest of the steps of light, next to a lamp
REACH = 46.0  # pixels from a lamp to the middle of its last step
FADE = 0.55  # of a step of light, over which it mixes with the next

VOID, ROCK, FACE, RING = (
    0,
    4,
    5,
    6,
)  # surfaces; those of the void are four, one for each pixel of a 2x2 square

# Of plates and things, by their light: colour, highlight, shade.
INKS = {DARK: (15, 7, 4), WARM: (12, 11, 13), COLD: (9, 10, 4), WARM | COLD: (1, 0, 3)}

PILLAR = stamp("ttttttt thhhhht thhhhht thhhhht ttttttt fffffff fffffff", t=2, h=1, f=3)
GLASS = {
    WARM: stamp("ooooooo o.h.h.o oh.h.ho o.h.h.o ooooooo f.f.f.f fffffff", o=12, h=11, f=13),
    COLD: stamp("ooooooo o.h.h.o oh.h.ho o.h.h.o ooooooo f.f.f.f fffffff", o=9, h=10, f=4),
}
POST = stamp(".ppppp. ppppppp ppppppp ppppppp ppppppp fffffff .fffff.", p=2, f=3)
HOLLOW = "oo.oo o...o ..... o...o oo.oo"
LAMP = ".ooo. ohhho ohwho ohhho .ooo."
SCREEN = "ooooo obbbo obhbo obbbo ooooo"
SMALL_LAMP = "hhh hwh hhh"
SMALL_SCREEN = "ooo obo ooo"
WALKER = stamp(".ggggg. ggggggg gghgggg ggggggg ggggggg ggggggg .ggggg.", g=GREEN, h=0)
WALKER_AROUND = stamp(".ggggg. g.....g g.....g g.....g g.....g g.....g .ggggg.", g=GREEN)
GOAL = stamp("ggggggg gbbbbbg gbgggbg gbgbgbg gbgggbg gbbbbbg ggggggg", g=GREEN, b=BLACK)
FALLING = {5: ".ggg. ggggg ggggg ggggg .ggg.", 3: "ggg ggg ggg", 1: "g"}

Mask = NDArray[np.bool_]
Steps = NDArray[np.int8]
Place = tuple[int, int]  # a pixel: the top left one of a cell's place, or of a thing in motion

_ROWS, _COLUMNS = np.mgrid[0:BOARD, 0:BOARD] + 0.5
_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 - 0.5
_MIXED = np.tile(_BAYER, (BOARD // 4, BOARD // 4)) * FADE


class Moment(NamedTuple):
    """`share` of the way from one state to another; or a fall; or a wave of light from the ring."""

    before: State
    after: State
    share: float
    fall: int = 0
    """The size of the falling walker in pixels, 0 if it does not fall."""
    wave: int = 0
    """How far the wave has come, in pixels."""
    is_out: bool = False
    """Whether all lamps are out for a moment."""


def draw(board: Board, moment: Moment) -> Pixels:
    """The whole frame."""
    places = [
        _on_the_way(start, end, moment.share)
        for start, end in zip(moment.before.things, moment.after.things, strict=True)
    ]
    warm, cold = (_light(board, places, colour) for colour in (WARM, COLD))
    surfaces = _surfaces(board)
    picture = _SHADES[surfaces, 0, 0] if moment.is_out else _SHADES[surfaces, warm, cold]
    if moment.wave:
        _draw_wave(picture, surfaces, board.ring, moment.wave)
    _draw_plates(picture, board, moment)
    _draw_standing(picture, board)
    _draw_things(picture, board, moment, places)
    return picture


def _on_the_way(start: Cell, end: Cell, share: float) -> Place:
    x, y = (round(CELL * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


def _shades() -> Pixels:
    """The colour of each surface in each step of warm and of cold light."""
    shades = np.full((RING + 1, BRIGHT + 1, BRIGHT + 1), BLACK, dtype=np.int8)
    for warm in range(BRIGHT + 1):
        for cold in range(BRIGHT + 1):
            most = max(warm, cold)
            lit = (1, 1, 0) if warm and cold else (12, 11, 0) if warm else (9, 10, 0)
            shades[ROCK, warm, cold] = lit[most - 1] if most else 3
            shades[FACE, warm, cold] = 4
            for phase in range(4):
                glow = 13 if warm and (not cold or phase in (0, 3)) else 4
                is_deep = most == 1 and phase in (1, 2)
                shades[VOID + phase, warm, cold] = glow if most and not is_deep else BLACK
    return shades


_SHADES = _shades()


@lru_cache(maxsize=16)
def _surfaces(board: Board) -> Steps:
    surfaces: Steps = (_COLUMNS.astype(np.int8) % 2) + 2 * (_ROWS.astype(np.int8) % 2)
    for x, y in board.rock:
        box(surfaces, x * CELL, y * CELL, CELL, CELL, ROCK)
    for x, y in board.rock:
        if (x, y + 1) not in board.rock:
            box(surfaces, x * CELL, (y + 1) * CELL, CELL, 1, FACE)
    return surfaces


def _light(board: Board, places: list[Place], colour: int) -> Steps:
    """The steps of light of one colour on every pixel."""
    light = np.zeros((BOARD, BOARD), dtype=np.int8)
    carried = list(zip(places, board.kinds, strict=True))
    screens = [place for place, kind in carried if kind == DARK]
    posts = [((x * CELL, y * CELL), kind) for (x, y), kind in board.posts]
    pillars = tuple((x * CELL, y * CELL) for (x, y), passes in board.pillars if passes != colour)
    for lamp, kind in (*posts, *carried):
        if kind == colour:
            steps = _lit(lamp, pillars)
            for screen in screens:
                steps = steps * _seen_past(lamp, screen)
            np.maximum(light, steps, out=light)
    return light


@lru_cache(maxsize=2048)
def _lit(lamp: Place, pillars: tuple[Place, ...]) -> Steps:
    away = np.hypot(_COLUMNS - lamp[0] - MIDDLE, _ROWS - lamp[1] - MIDDLE)
    steps: Steps = np.clip(np.rint(BRIGHT - (BRIGHT - 1) * away / REACH + _MIXED), 1, BRIGHT).astype(np.int8)
    for pillar in pillars:
        steps *= _seen_past(lamp, pillar)
    return steps


@lru_cache(maxsize=4096)
def _seen_past(lamp: Place, pillar: Place) -> Mask:
    """The pixels that a straight line from a lamp reaches without crossing what stands in one cell."""
    x, y = lamp[0] + MIDDLE, lamp[1] + MIDDLE
    with np.errstate(divide="ignore", invalid="ignore"):
        spans = [
            np.sort([(edge - start) / (to - start) for edge in (low, low + CELL)], axis=0)
            for start, to, low in ((x, _COLUMNS, pillar[0]), (y, _ROWS, pillar[1]))
        ]
    enters = np.fmax(spans[0][0], spans[1][0])
    leaves = np.fmin(spans[0][1], spans[1][1])
    seen: Mask = (enters >= leaves - 1e-9) | (enters >= 1) | (leaves <= 0)
    return seen


def _draw_wave(picture: Pixels, surfaces: Steps, ring: Cell, wave: int) -> None:
    away = np.hypot(_COLUMNS - ring[0] * CELL - MIDDLE, _ROWS - ring[1] * CELL - MIDDLE)
    off = np.abs(away - wave)
    picture[(off < 1) | ((surfaces >= ROCK) & (off < 4))] = GREEN
    picture[(surfaces >= ROCK) & (off < 2)] = 0


def _draw_plates(picture: Pixels, board: Board, moment: Moment) -> None:
    for (x, y), kind in board.plates:
        is_now = bears(board, moment.after, (x, y))
        was = is_now if moment.before is moment.after else bears(board, moment.before, (x, y))
        ink, light, shade = INKS[kind]
        left, top = x * CELL, y * CELL
        paste(picture, _hollow(ink), left + 1, top + 1)
        side = 5 if was and is_now else round(5 * (was * (1 - moment.share) + is_now * moment.share))
        if side:
            gap = (CELL - side) // 2
            if side == 5:
                box(picture, left, top, CELL, CELL, BLACK)
            box(picture, left + gap, top + gap + side, side, 1, shade)
            box(picture, left + gap, top + gap, side, side, ink)
            box(picture, left + gap, top + gap, side, 1, light)


@lru_cache(maxsize=8)
def _hollow(ink: int) -> Pixels:
    return stamp(HOLLOW, o=ink)


def _draw_standing(picture: Pixels, board: Board) -> None:
    paste(picture, GOAL, board.ring[0] * CELL, board.ring[1] * CELL)
    for (x, y), passes in board.pillars:
        paste(picture, GLASS.get(passes, PILLAR), x * CELL, y * CELL)
    for (x, y), kind in board.posts:
        paste(picture, POST, x * CELL, y * CELL)
        paste(picture, _thing(kind, small=False), x * CELL + 1, y * CELL)


def _draw_things(picture: Pixels, board: Board, moment: Moment, places: list[Place]) -> None:
    held = moment.after.held
    x, y = _on_the_way(moment.before.walker, moment.after.walker, moment.share)
    is_over = False
    for index, ((left, top), kind) in enumerate(zip(places, board.kinds, strict=True)):
        if index != held:
            paste(picture, _thing(kind, small=False), left + 1, top + 1)
            is_over = is_over or (left, top) == (x, y)
    if moment.fall:
        gap = (CELL - moment.fall) // 2
        paste(picture, stamp(FALLING[moment.fall], g=GREEN), x + gap, y + gap)
        return
    paste(picture, WALKER_AROUND if is_over else WALKER, x, y)
    if held is not None:
        box(picture, x + 1, y + 1, 5, 5, GREEN)
        paste(picture, _thing(board.kinds[held], small=True), x + 2, y + 2)


@lru_cache(maxsize=16)
def _thing(kind: int, small: bool) -> Pixels:
    ink, light, shade = INKS[kind]
    if kind == DARK:
        return stamp(SMALL_SCREEN if small else SCREEN, o=ink, b=BLACK, h=ink)
    return stamp(SMALL_LAMP if small else LAMP, o=shade, h=light, w=0)
