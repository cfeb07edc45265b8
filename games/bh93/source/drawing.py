"""Draws the lake, the land in it, the pads, and what is seen of them from a lookout."""

from __future__ import annotations

from typing import NamedTuple

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, canvas, frame, paste, stamp
from games.bh93.source.rules import (
    FIRST,
    GOAL,
    LOOKOUT,
    MIRROR,
    SECOND,
    SINKING,
    TURNER,
    Board,
    State,
    is_seen,
    origin,
    pad_at,
)

SIZE, MARGIN = 8, 4  # of a cell and around seven of them, in pixels

LAKE, WAVE = 15, 6
LAND, SHORE = 2, 3
PAD, RIM = 5, 4
SEEN = {"o": 11, FIRST: 9, SECOND: 7, SINKING: 13}
WALKER = 0
LOOK, TURN, FLIP, HOME = 11, 10, 14, 0
MARKS = (10, 14)  # on the first corner and on the second one

DISC = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
QUARTER = "...xxx ...xxx ...xxx xxx... xxx... xxx..."
AXIS = "..xx.. x.xx.x x.xx.x x.xx.x x.xx.x ..xx.."
DIAMOND = "..xx.. .xxxx. xxxxxx xxxxxx .xxxx. ..xx.."
FIGURE = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
SUNK = (".xxxx. xxxxxx xxxxxx", "..xx..")  # what is above the water, a frame each


class Scene(NamedTuple):
    """A moment. `share`: of the way from `before`; `bare`: the pads are on their way; `sunk`: how deep."""

    state: State
    before: Cell
    share: float = 1
    is_bare: bool = False
    sunk: int = 0
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, LAKE)
    for n in range(14):
        box(picture, (n * 29) % 60, (n * 19 + 2) % 63, 4, 1, WAVE)
    for at in board.land:
        x, y = corner(at)
        box(picture, x, y + 1, SIZE, SIZE + 1, SHORE)
    for at, sign in board.land.items():
        _draw_land(picture, at, sign, scene.glow)
    for at in board.pads:
        _draw_pad(picture, board, scene, at)
    _draw_walker(picture, scene)
    return picture


def corner(at: Cell) -> Cell:
    """The top left pixel of a cell."""
    return MARGIN + SIZE * at[0], MARGIN + SIZE * at[1]


def _draw_land(picture: Pixels, at: Cell, sign: str, glow: int) -> None:
    x, y = corner(at)
    box(picture, x, y, SIZE, SIZE, LAND)
    patterns = {LOOKOUT: (DIAMOND, LOOK), TURNER: (QUARTER, TURN), MIRROR: (AXIS, FLIP)}
    if sign in patterns:
        pattern, colour = patterns[sign]
        paste(picture, stamp(pattern, x=colour), x + 1, y + 1)
    elif sign == GOAL:
        frame(picture, x + 1, y + 1, SIZE - 2, HOME)
        box(picture, x + 3, y + 3, 2, 2, HOME)
        if glow:
            frame(picture, x - glow, y - glow, SIZE + 2 * glow, HOME)


def _draw_pad(picture: Pixels, board: Board, scene: Scene, at: Cell) -> None:
    """A dark disc; what it is if that is seen, and a mark on two of the corners."""
    x, y = corner(at)
    inset = 2 if scene.is_bare else 1
    if scene.is_bare:
        box(picture, x + inset, y + inset, SIZE - 2 * inset, SIZE - 2 * inset, RIM)
    else:
        paste(picture, stamp(DISC, x=RIM), x + 1, y + 2)
        paste(picture, stamp(DISC, x=PAD), x + 1, y + 1)
    pad = pad_at(board, scene.state, at)
    is_stood_on = at == scene.state.walker and scene.share == 1
    if not scene.is_bare and pad != SINKING and (is_stood_on or is_seen(board, scene.state, at)):
        paste(picture, stamp(DISC, x=SEEN[pad]), x + 1, y + 1)
    left, top, side = board.field
    if not {TURNER, MIRROR} & set(board.land.values()):
        return
    for mark, place in zip(MARKS, ((left, top), (left + side - 1, top)), strict=True):
        if origin(board, scene.state, at) == place:
            box(picture, x + 3, y + 3, 2, 2, mark)


def _draw_walker(picture: Pixels, scene: Scene) -> None:
    x, y = (
        round(MARGIN + SIZE * (one + scene.share * (other - one))) + 1
        for one, other in zip(scene.before, scene.state.walker, strict=True)
    )
    colour = SEEN.get(scene.state.colour, WALKER)
    if scene.sunk == 0:
        paste(picture, stamp(FIGURE, x=WALKER), x, y)
        if scene.state.colour:
            box(picture, x + 1, y, 4, 2, colour)
    elif scene.sunk <= len(SUNK):
        box(picture, x - 1, y - 1, SIZE, SIZE, LAKE)
        paste(picture, stamp(SUNK[scene.sunk - 1], x=WALKER), x, y + 2 + scene.sunk)
        box(picture, x - 1, y + 6, SIZE, 1, WAVE)
