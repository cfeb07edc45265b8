"""Draws the deep, the land in it, what can be lit, what can be opened, and who is there."""

from __future__ import annotations

from typing import NamedTuple

from games._shared.cells import Cell, beside
from games._shared.pictures import BOARD, Pixels, box, canvas, frame, paste, stamp
from games.wz16.source.rules import BEETLE, MOTH, Board, Flier, State

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
