"""Draws the room at the left, the field at the right, and below them the steps that are remembered."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, canvas, finished, frame, paste, stamp
from games.rv64.source.rules import MEMORY, WAYS, Board, Echo, State

SIZE = 6  # pixels a cell
ROOM_WIDTH, FIELD_LEFT, TOP, HEIGHT = 24, 27, 3, 48
SLOT, SLOT_GAP, SLOTS_TOP = 9, 4, 54
SLOTS_LEFT = (BOARD - MEMORY * SLOT - (MEMORY - 1) * SLOT_GAP) // 2

NIGHT, STAR = 5, 4
FLOOR, TILE_EDGE = 2, 9
PAD, TURNER, MIRROR = 14, 10, 15
WALKER, ARM = 0, 13
ECHOES = (11, 7)
EMPTY_SLOT, MISSING = 3, 8

FIGURE = "xxxxxx xxxxxx xxxxoo xxxxoo xxxxoo xxxxoo"
SMALL = "...... .xxxx. .xxxx. .xxxx. .xxxx. ......"
SPECK = "...... ...... ..xx.. ..xx.. ...... ......"
TILE = "...... .xxxx. .x..x. .x..x. .xxxx. ......"
RING = ".xxxx. x....x x....x x....x x....x .xxxx."
SQUARE = "...... .xxxx. .xxxx. .xxxx. .xxxx. ......"
QUARTER = "...xxx ...xxx ...xxx xxx... xxx... xxx..."
AXIS = "..xx.. ..xx.. ..xx.. ..xx.. ..xx.. ..xx.."
STARS = ((5, 3), (20, 7), (58, 20), (24, 30), (3, 44), (61, 51), (13, 50), (50, 1), (2, 22), (26, 46))
FALL = (FIGURE, SMALL, SPECK)  # one that falls, a frame each


class Seen(NamedTuple):
    """An echo as it is shown, on its way from one cell to another; `fallen`: how far it has fallen."""

    start: Cell
    end: Cell
    turn: int
    mirrored: bool
    share: float = 1
    fallen: int = 0

    @classmethod
    def resting(cls, echo: Echo) -> Seen:
        """An echo that stands still."""
        return cls(echo.at, echo.at, echo.turn, echo.mirrored)


class Scene(NamedTuple):
    """A moment: the walker comes from `before`. `lit`: the slot being repeated. `glow`: around goals."""

    state: State
    before: Cell
    share: float
    echoes: tuple[Seen, ...]
    lit: int | None = None
    is_missing: bool = False
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    corner = _room_corner(board)
    picture = _ground(board, is_bridged=scene.state.walker in board.pads).copy()
    x, y = _between(scene.before, scene.state.walker, scene.share)
    paste(picture, _figure(FIGURE, WALKER, 0, False), corner[0] + x, corner[1] + y)
    for colour, seen in zip(ECHOES, scene.echoes, strict=False):
        _draw_echo(picture, colour, seen)
    for goal, colour in zip(board.goals, ECHOES, strict=False):
        if scene.glow:
            x, y = FIELD_LEFT + SIZE * goal[0] - scene.glow, TOP + SIZE * goal[1] - scene.glow
            frame(picture, x, y, SIZE + 2 * scene.glow, colour)
    _draw_memory(picture, scene)
    return picture


def _room_corner(board: Board) -> Cell:
    """Where the room begins, so that it lies in the middle of its place."""
    width, height = (SIZE * (max(at[axis] for at in board.room) + 1) for axis in (0, 1))
    return 1 + (ROOM_WIDTH - width) // 2, TOP + (HEIGHT - height) // 2


@lru_cache(maxsize=16)
def _ground(board: Board, *, is_bridged: bool) -> Pixels:
    """Both places with all that never moves; drawn once, because everything else is drawn on it."""
    picture = canvas(BOARD, BOARD, NIGHT)
    for x, y in STARS:
        box(picture, x, y, 1, 1, STAR)
    corner = _room_corner(board)
    for at in board.room:
        _put(picture, stamp(SQUARE, x=PAD if at in board.pads else FLOOR), corner, at)
    field = (FIELD_LEFT, TOP)
    present = board.tiles if is_bridged else board.tiles - board.bridges
    for at in present:
        _put(picture, stamp(TILE, x=PAD if at in board.bridges else TILE_EDGE), field, at)
    for at in board.bridges:
        _put(picture, stamp(RING, x=PAD), field, at)
    for at in board.turners:
        _put(picture, stamp(QUARTER, x=TURNER), field, at)
    for at in board.mirrors:
        _put(picture, stamp(AXIS, x=MIRROR), field, at)
    for at, colour in zip(board.goals, ECHOES, strict=False):
        _put(picture, stamp(RING, x=colour), field, at)
    return finished(picture)


def _draw_echo(picture: Pixels, colour: int, seen: Seen) -> None:
    pattern = FALL[min(seen.fallen, len(FALL) - 1)]
    x, y = _between(seen.start, seen.end, seen.share)
    x, y = FIELD_LEFT + x, TOP + y
    if 0 <= x <= BOARD - SIZE and 0 <= y <= BOARD - SIZE:
        paste(picture, _figure(pattern, colour, seen.turn, seen.mirrored), x, y)


def _draw_memory(picture: Pixels, scene: Scene) -> None:
    """Each remembered step as a bar from the middle of its slot to the side that was walked to."""
    for place in range(MEMORY):
        left = SLOTS_LEFT + place * (SLOT + SLOT_GAP)
        known = place < len(scene.state.memory)
        is_lit = scene.lit is not None and place <= scene.lit
        edge = ECHOES[0] if is_lit else MISSING if scene.is_missing and not known else EMPTY_SLOT
        frame(picture, left, SLOTS_TOP, SLOT, edge)
        if known:
            across, down = WAYS[scene.state.memory[place]]
            middle = SLOT // 2 - 1
            for reach in (0, 1, 2):
                x, y = left + middle + reach * across, SLOTS_TOP + middle + reach * down
                box(picture, x, y, 3, 3, WALKER)
            box(picture, left + middle, SLOTS_TOP + middle, 3, 3, FLOOR)


@cache
def _figure(pattern: str, colour: int, turn: int, mirrored: bool) -> Pixels:
    pixels = stamp(pattern, x=colour, o=ARM)
    return np.rot90(np.fliplr(pixels) if mirrored else pixels, -turn)


def _between(start: Cell, end: Cell, share: float) -> Cell:
    x, y = (round(SIZE * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


def _put(picture: Pixels, pixels: Pixels, corner: Cell, at: Cell) -> None:
    paste(picture, pixels, corner[0] + SIZE * at[0], corner[1] + SIZE * at[1])
