"""Draws the slab in the dark, what stands on it, and the balls with the streaks that they leave."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, canvas, finished, paste, stamp
from games.xf27.source.rules import (
    BLOCK,
    COLD,
    DISHES,
    FALLING,
    GATE,
    PLATE,
    RISING,
    STILL,
    WARM,
    Ball,
    Board,
    State,
    is_filled,
    is_open,
)

SIZE, MARGIN = 7, 4  # of a cell and around eight of them, in pixels

SPACE, STAR = 5, 4
FLOOR, EDGE = 13, 4
STONE, TOP = 3, 2
INK = {WARM: 11, COLD: 10}
STREAK = {WARM: 12, COLD: 9}
GLEAM, WALKER = 0, 7
RAMP, POST, LIT = 1, 14, 14

BALL = ".xxx. xxxxx xxxxx xxxxx .xxx."
SMALL = "..... .xxx. .xxx. .xxx. ....."
DISH = ".ddd. d...d d...d d...d .ddd."
FIGURE = "wwwww wwwww wwwww wwwww wwwww"
SHUT = "xxxxxxx x.x.x.x xx.x.xx x.x.x.x xx.x.xx x.x.x.x xxxxxxx"
AJAR = "xx...xx x.....x ....... ....... ....... x.....x xx...xx"
SLOPES = {
    RISING: "....rr ...rrr ..rrr. .rrr.. rrr... rr....",
    FALLING: "rr.... rrr... .rrr.. ..rrr. ...rrr ....rr",
}


class Scene(NamedTuple):
    """A moment: `share` of the way from the state `before` to `after`; `fallen`: how far a lost ball has."""

    before: State
    after: State
    share: float = 1
    fallen: int = 0
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = _ground(tuple(board.ground.items()), opened=is_open(board, scene.after)).copy()
    for at, sign in board.ground.items():
        if sign in DISHES:
            _draw_dish(picture, at, DISHES[sign], is_filled(scene.before, at), scene.glow)
    for before, after in zip(scene.before.balls, scene.after.balls, strict=True):
        _draw_ball(picture, board, before, after, scene)
    x, y = _between(scene.before.walker, scene.after.walker, scene.share)
    paste(picture, stamp(FIGURE, w=WALKER), x + 1, y + 1)
    return picture


@lru_cache(maxsize=16)
def _ground(signs: tuple[tuple[Cell, str], ...], *, opened: bool) -> Pixels:
    """The slab with all that never moves; drawn once, because everything else is drawn on it."""
    picture = canvas(BOARD, BOARD, SPACE)
    for n in range(16):
        box(picture, (n * 37 + 3) % 64, (n * 23 + 5) % 64, 1, 1, STAR)
    for at, _ in signs:
        x, y = corner(at)
        box(picture, x, y + 2, SIZE, SIZE, EDGE)
    for at, sign in signs:
        _draw_ground(picture, at, sign, opened=opened)
    return finished(picture)


def corner(at: Cell) -> Cell:
    """The top left pixel of a cell."""
    return MARGIN + SIZE * at[0], MARGIN + SIZE * at[1]


def _between(one: Cell, other: Cell, share: float) -> Cell:
    """The top left pixel of what is on its way from one cell to another."""
    (left, top), (right, bottom) = corner(one), corner(other)
    return round(left + share * (right - left)), round(top + share * (bottom - top))


def _draw_ground(picture: Pixels, at: Cell, sign: str, *, opened: bool) -> None:
    x, y = corner(at)
    box(picture, x, y, SIZE, SIZE, FLOOR)
    if sign == BLOCK:
        box(picture, x, y, SIZE, SIZE, STONE)
        box(picture, x, y, SIZE, SIZE - 2, TOP)
    elif sign in SLOPES:
        paste(picture, stamp(SLOPES[sign], r=RAMP), x, y)
    elif sign == PLATE:
        box(picture, x + 1, y + 1, SIZE - 2, SIZE - 2, POST)
        box(picture, x + 2, y + 2, SIZE - 4, SIZE - 4, LIT if opened else FLOOR)
    elif sign == GATE:
        paste(picture, stamp(AJAR if opened else SHUT, x=POST), x, y)


def _draw_dish(picture: Pixels, at: Cell, kind: str, filled: bool, glow: int) -> None:
    x, y = corner(at)
    paste(picture, stamp(DISH, d=GLEAM if glow else INK[kind]), x + 1, y + 1)
    if filled:
        box(picture, x + 2, y + 2, 3, 3, INK[kind])
    if glow:
        box(picture, x + 1, y + 3 - glow * 2, SIZE - 2, 1, INK[kind])


def _draw_ball(picture: Pixels, board: Board, before: Ball, after: Ball, scene: Scene) -> None:
    """A ball with the streak of its velocity; one that has left the slab shrinks and is gone."""
    if before.rests:
        return
    x, y = _between(before.at, after.at, scene.share)
    ink, shape = INK[after.kind], BALL
    if after.at not in board.ground:
        if scene.fallen > 1:
            return
        shape = SMALL if scene.fallen else BALL
        x, y = (min(max(one, -1), BOARD - SIZE + 1) for one in (x, y))
    elif after.velocity != STILL:
        across, down = after.velocity
        box(picture, x + 2 - 3 * across, y + 2 - 3 * down, 3, 3, STREAK[after.kind])
    paste(picture, stamp(shape, x=ink), x + 1, y + 1)
