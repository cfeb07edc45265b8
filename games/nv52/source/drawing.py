"""Draws the floor with its channels and blocks, the holes, and who is there."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games._shared.cells import Cell, beside
from games._shared.pictures import BOARD, Pixels, box, canvas, finished, frame, paste, stamp
from games.nv52.source.rules import (
    CHARGER,
    FOLLOWER,
    PLANTER,
    Board,
    Hunter,
    State,
    way_of_charger,
    way_of_follower,
    way_of_planter,
)

SIZE, SIDE = 7, 9  # pixels a cell, cells a side

SAND, SPECK = 1, 2
WATER, RIPPLE = 9, 10
HEDGE, SHADE, LIT = 11, 12, 7
HOLE, RIM = 5, 2
WALKER, LIGHT = 6, 7
HEAD = 0
CAUGHT = 8

FIGURE = ".xxxxx. xyyyyyx xyyyyyx xyyyyyx xyyyyyx xyyyyyx .xxxxx."
KINDS = {
    FOLLOWER: (8, "xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxxxxxx"),
    CHARGER: (15, "...x... ..xxx.. .xxxxx. xxxxxxx .xxxxx. ..xxx.. ...x..."),
    PLANTER: (13, "xxxxxxx xxxxxxx xx...xx xx...xx xx...xx xxxxxxx xxxxxxx"),
}
WAYS = {FOLLOWER: way_of_follower, CHARGER: way_of_charger, PLANTER: way_of_planter}


class Scene(NamedTuple):
    """A moment on the way from one state to the next. `bloom`: how far from the goal the blocks are lit."""

    before: State
    after: State
    share: float = 1
    bloom: int = 0
    alarm: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = _ground(board).copy()
    for at in scene.before.holes | scene.after.holes:
        _draw_hole(picture, at)
    _put(picture, _goal(), board.goal)
    _draw_hedges(picture, board, scene)
    _draw_hunters(picture, board, scene)
    paste(
        picture,
        stamp(FIGURE, x=WALKER, y=LIGHT),
        *_between(scene.before.walker, scene.after.walker, scene.share),
    )
    if scene.alarm:
        x, y = (SIZE * part for part in scene.after.walker)
        frame(picture, x - scene.alarm, y - scene.alarm, SIZE + 2 * scene.alarm, CAUGHT, 2)
    return picture


@cache
def _ground(board: Board) -> Pixels:
    picture = canvas(BOARD, BOARD, WATER)
    for x, y in board.floor:
        box(picture, SIZE * x, SIZE * y, SIZE, SIZE, SAND)
        for across, down in (
            ((3 * x + 5 * y) % 7, (2 * x + 3 * y) % 7),
            ((x + 4 * y + 3) % 7, (5 * x + y + 1) % 7),
        ):
            box(picture, SIZE * x + across, SIZE * y + down, 1, 1, SPECK)
    for x in range(SIDE):
        for y in range(SIDE):
            if (x, y) in board.floor:
                continue
            if (x, y - 1) in board.floor:
                box(picture, SIZE * x, SIZE * y, SIZE, 1, RIM)
                box(picture, SIZE * x, SIZE * y + 1, SIZE, 1, RIPPLE)
            if (x * 5 + y * 3) % 4 == 0:
                box(picture, SIZE * x + 1 + (x + y) % 3, SIZE * y + 4, 3, 1, RIPPLE)
    return finished(picture)


def _draw_hole(picture: Pixels, at: Cell) -> None:
    _put(picture, stamp(".rrrrr. rdddddr rdddddr rdddddr rdddddr rdddddr .rrrrr.", r=RIM, d=HOLE), at)


def _goal() -> Pixels:
    return stamp("xx...xx x.....x ..yyy.. ..y.y.. ..yyy.. x.....x xx...xx", x=WALKER, y=LIGHT)


def _draw_hedges(picture: Pixels, board: Board, scene: Scene) -> None:
    before, after = scene.before.hedges, scene.after.hedges
    for at in before | after:
        size = 1.0 if at in before and at in after else scene.share if at in after else 1 - scene.share
        inset = round((1 - size) * SIZE / 2)
        x, y = SIZE * at[0] + inset, SIZE * at[1] + inset
        side = SIZE - 2 * inset
        if side <= 0:
            continue
        box(picture, x, y, side, side, HEDGE)
        if beside(at, (0, 1)) not in after:
            box(picture, x, y + side - 1, side, 1, SHADE)
        if abs(at[0] - board.goal[0]) + abs(at[1] - board.goal[1]) < scene.bloom:
            box(picture, x + 1, y + 1, side - 2, side - 3, LIT)


def _draw_hunters(picture: Pixels, board: Board, scene: Scene) -> None:
    before, after = scene.before.hunters, scene.after.hunters
    if len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            way = WAYS[new.kind](board, scene.after, number)
            paste(picture, _hunter(new.kind, way), *_between(old.at, new.at, scene.share))
        return
    [hole] = scene.before.holes - scene.after.holes
    for old in before:
        if old in after:
            _put(picture, _hunter(old.kind, WAYS[old.kind](board, scene.after, after.index(old))), old.at)
        elif scene.share < 1:
            _draw_fall(picture, old, hole)


def _draw_fall(picture: Pixels, hunter: Hunter, hole: Cell) -> None:
    colour = KINDS[hunter.kind][0]
    box(picture, SIZE * hole[0] + 2, SIZE * hole[1] + 2, 3, 3, colour)


@cache
def _hunter(kind: str, way: Cell | None) -> Pixels:
    """A bar lies where it would act now; it is a dot in the middle if it would not."""
    colour, shape = KINDS[kind]
    pixels = stamp(shape, x=colour).copy()
    if way is None:
        box(pixels, 3, 3, 1, 1, HEAD)
    elif way[0]:
        box(pixels, 3 + 2 * way[0], 2, 1, 3, HEAD)
    else:
        box(pixels, 2, 3 + 2 * way[1], 3, 1, HEAD)
    return finished(pixels)


def _between(start: Cell, end: Cell, share: float) -> Cell:
    x, y = (round(SIZE * (one + share * (other - one))) for one, other in zip(start, end, strict=True))
    return x, y


def _put(picture: Pixels, pixels: Pixels, at: Cell) -> None:
    paste(picture, pixels, SIZE * at[0], SIZE * at[1])
