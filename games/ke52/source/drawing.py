"""Draws the room with its table, and on it the model, which holds the table again: three scales."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, canvas, frame, paste
from games.ke52.source.rules import SIDE, TABLE, Board, State, figure_of, is_open

CELL = 5  # pixels a cell of the room
SQUARE = 2 * CELL
MARGIN = 2
SCALES = (SQUARE, CELL, 2)  # pixels a square: in the room, in the model, in the model's own model

RIM, FLOOR, WALL = 5, 4, 1
TABLE_TOP, MODEL_FLOOR, NAIL = 2, 3, 5
BLOCK, BLOCK_SIDE = 11, 12
WATER, RIPPLE = 9, 10
WALKER, LIGHT = 6, 0
GATE_COLOURS = {"a": 15, "b": 14}
STUB = 0.2  # of a gate's length, seen at each end of an open one


class Motion(NamedTuple):
    """A moment between two states: `share` of the way from one to the other. `glow`: rings around the mat."""

    before: State
    after: State
    share: float
    glow: int = 0

    def between(self, start: Cell, end: Cell, unit: int) -> Cell:
        """The pixel on the way from one place to another, each counted in units of so many half pixels."""
        x, y = (unit * (one + self.share * (other - one)) / 2 for one, other in zip(start, end, strict=True))
        return int(x), int(y)


def draw(board: Board, motion: Motion) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, RIM)
    paste(picture, _draw_room(board, motion, 0), MARGIN, MARGIN)
    return picture


def _draw_room(board: Board, motion: Motion, depth: int) -> Pixels:
    scale = SCALES[depth]
    room = canvas(SIDE * scale, SIDE * scale, MODEL_FLOOR if depth else FLOOR)
    _draw_ground(room, board, scale)
    _draw_table(room, board, motion, depth)
    _draw_walls(room, board, motion, scale)
    _draw_blocks(room, board, motion, depth)
    _draw_walker(room, *motion.between(motion.before.walker, motion.after.walker, scale), scale // 2)
    if motion.glow:
        x, y = (scale * place + scale // 2 for place in board.mat)
        for reach in range(max(motion.glow - 2, 1), motion.glow + 1):
            half = reach * scale // 2
            frame(room, x - half, y - half, 2 * half, WALKER if reach % 2 else LIGHT, max(scale // 5, 1))
    return room


def _draw_ground(room: Pixels, board: Board, scale: int) -> None:
    for x, y in board.water:
        box(room, x * scale, y * scale, scale, scale, WATER)
        if scale > 2:
            box(room, x * scale + scale // 5, y * scale + scale // 2, scale // 2, 1, RIPPLE)
    for (x, y), kind in board.plates:
        gap = scale // 10
        frame(room, x * scale + gap, y * scale + gap, scale - 2 * gap, GATE_COLOURS[kind], max(scale // 5, 1))
    x, y = board.mat
    for ring in range(0, scale // 2, 2):
        frame(room, x * scale + ring, y * scale + ring, scale - 2 * ring, WALKER)


def _draw_table(room: Pixels, board: Board, motion: Motion, depth: int) -> None:
    scale = SCALES[depth]
    left, top = motion.between(motion.before.table, motion.after.table, 2 * scale)
    side = TABLE * scale
    box(room, left, top, side, side, TABLE_TOP)
    if depth + 1 < len(SCALES):
        model = np.rot90(_draw_room(board, motion, depth + 1), -board.plan.turns)
        gap = (side - model.shape[0]) // 2
        paste(room, model[:, ::-1] if board.plan.mirrored else model, left + gap, top + gap)
    if board.plan.nailed:
        for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)):
            box(room, left + x * (side - 1), top + y * (side - 1), 1, 1, NAIL)


def _draw_blocks(room: Pixels, board: Board, motion: Motion, depth: int) -> None:
    scale = SCALES[depth]
    for square in sorted(motion.before.blocks & motion.after.blocks):
        _draw_block(room, square[0] * scale, square[1] * scale, scale, square in board.water)
    gone, come = _changed(motion.before.blocks, motion.after.blocks)
    if gone and come:
        _draw_block(room, *motion.between(gone, come, 2 * scale), scale, come in board.water)
    elif depth == 0 and (place := gone or come):
        size = int(scale * ((1 - motion.share) if gone else motion.share))
        x, y = (scale * part + (scale - size) // 2 for part in place)
        _draw_block(room, x, y, size, sunk=False)
    for start, end in _pebbles_in_motion(board, motion, depth):
        x, y = motion.between(start, end, scale)
        _draw_block(room, x, y, scale // 2, sunk=False)


def _changed(before: frozenset[Cell], after: frozenset[Cell]) -> tuple[Cell | None, Cell | None]:
    """The place that is left and the one that is taken, where at most one thing moves."""
    return next(iter(before - after), None), next(iter(after - before), None)


def _pebbles_in_motion(board: Board, motion: Motion, depth: int) -> list[tuple[Cell, Cell]]:
    """Where pebbles come from and go to; one that enters or leaves the table is seen in the room alone."""
    before, after = motion.before, motion.after
    moves = [(at, at) for at in sorted(before.pebbles & after.pebbles)]
    gone, come = _changed(before.pebbles, after.pebbles)
    lifted, placed = _changed(before.blocks, after.blocks)
    if gone and come:
        moves.append((gone, come))
    elif depth == 0 and gone and placed:
        moves.append((gone, figure_of(board, after, placed)))
    elif depth == 0 and come and lifted:
        moves.append((figure_of(board, before, lifted), come))
    return moves


def _draw_block(room: Pixels, x: int, y: int, size: int, sunk: bool) -> None:
    """A block, a figure or a pebble: one that is large casts a side; one in water shows its top alone."""
    gap = 1 if size > 4 else 0
    side = size - gap - (1 if size > 7 else 0)
    box(room, x + gap, y + gap, side, side, BLOCK_SIDE)
    if not sunk and size > 2:
        box(room, x + gap, y + gap, side, side - max(size // 5, 1), BLOCK)
    elif size <= 2:
        box(room, x, y, size, size, BLOCK)
    elif sunk and size > 4:
        box(room, x + gap + 1, y + gap + 1, side - 2, side - 2, BLOCK)


def _draw_walker(room: Pixels, x: int, y: int, size: int) -> None:
    if size < CELL:
        box(room, x, y, size, size, WALKER)
        return
    box(room, x + 1, y, size - 2, size, WALKER)
    box(room, x, y + 1, size, size - 2, WALKER)
    box(room, x + 2, y + 2, 1, 1, LIGHT)


def _draw_walls(room: Pixels, board: Board, motion: Motion, scale: int) -> None:
    for edge in board.walls:
        _draw_edge(room, edge, scale, scale // 2 + 1, WALL)
    for edge, kind in board.gates:
        was, is_now = (is_open(board, state, kind) for state in (motion.before, motion.after))
        shut = (1 - was) * (1 - motion.share) + (1 - is_now) * motion.share
        _draw_edge(room, edge, scale, ceil(scale * (STUB + shut * (0.5 - STUB))), GATE_COLOURS[kind])


def _draw_edge(room: Pixels, edge: frozenset[Cell], scale: int, reach: int, colour: int) -> None:
    """A line between two squares: so many pixels from each of its ends."""
    (x, y), (to_x, to_y) = sorted(edge)
    thick = 2 if scale == SQUARE else 1
    for start in (0, scale - reach):
        if x < to_x:
            box(room, to_x * scale - thick // 2, y * scale + start, thick, reach, colour)
        else:
            box(room, x * scale + start, to_y * scale - thick // 2, reach, thick, colour)
