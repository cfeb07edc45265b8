"""Grids of a task: their type, their limits, and how one is drawn as a frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.errors import TaskError
from engine.play.frames import SIZE, Frame, checked_copy

type Grid = tuple[bytes, ...]
"""Rows of a grid from the top; a byte is the colour of one cell, 0 to 9."""

LARGEST = 30
COLOURS = 10
PALETTE_OF_COLOURS = (5, 9, 8, 14, 11, 2, 6, 12, 10, 13)
"""The index of each task colour in `engine.play.frames.PALETTE`, which has all ten (official colour names:
black, blue, red, green, yellow, grey, magenta, orange, azure, maroon)."""
OUTSIDE = 4
"""The index in the palette of what lies outside a grid."""
_FRAME_COLOURS = np.array(PALETTE_OF_COLOURS, dtype=np.uint8)


def grid_of(value: object, where: str) -> Grid:
    """The grid in a list of lists of colours; `where` names it in errors.

    Raises TaskError grid_malformed, grid_size, grid_colour.
    """
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise TaskError("grid_malformed", f"{where} is not a list of rows.", where=where)
    height, width = len(value), len(value[0]) if value else 0
    for number, row in enumerate(value, start=1):
        if len(row) != width:
            message = (
                f"{where} has rows of different lengths: {width} cells in row 1, {len(row)} in row {number}."
            )
            raise TaskError("grid_malformed", message, where=where)
    if not (1 <= height <= LARGEST and 1 <= width <= LARGEST):
        message = f"{where} has {height} rows of {width} cells: give 1 to {LARGEST} of each."
        raise TaskError("grid_size", message, where=where)
    for number, row in enumerate(value, start=1):
        for column, cell in enumerate(row, start=1):
            if type(cell) is not int or not 0 <= cell < COLOURS:
                message = (
                    f"{where} has a cell that is no colour from 0 to 9 in row {number}, column {column}."
                )
                raise TaskError("grid_colour", message, where=where)
    return tuple(bytes(row) for row in value)


def listed(grid: Grid) -> list[list[int]]:
    """The grid as official JSON has it."""
    return [list(row) for row in grid]


def blank(height: int, width: int) -> Grid:
    """A grid of colour 0."""
    return (bytes(width),) * height


def size_of(grid: Grid) -> tuple[int, int]:
    """Height and width."""
    return len(grid), len(grid[0])


def picture(grid: Grid) -> Frame:
    """The 64x64 frame that shows a grid from the upper left, in the largest cells of equal size that fit."""
    height, width = size_of(grid)
    scale = SIZE // max(height, width)
    cells = _FRAME_COLOURS[np.array([list(row) for row in grid], dtype=np.uint8)]
    frame = np.full((SIZE, SIZE), OUTSIDE, dtype=np.uint8)
    frame[: height * scale, : width * scale] = cells.repeat(scale, axis=0).repeat(scale, axis=1)
    return checked_copy(frame)


def with_cells(grid: Grid, cells: Sequence[tuple[int, int]], colour: int) -> Grid:
    """The grid with these cells (row, column) in one colour; cells outside it are passed over."""
    height, width = size_of(grid)
    rows = [bytearray(row) for row in grid]
    for row, column in cells:
        if row < height and column < width:
            rows[row][column] = colour
    return tuple(bytes(row) for row in rows)


def resized(grid: Grid, height: int, width: int) -> Grid:
    """The grid cut off or continued with colour 0 to another size."""
    rows = [row[:width].ljust(width, b"\0") for row in grid[:height]]
    return (*rows, *blank(height - len(rows), width))


def filled(grid: Grid, row: int, column: int, colour: int) -> Grid:
    """The grid with the area of one colour around a cell in another; areas join along edges of cells."""
    height, width = size_of(grid)
    old = grid[row][column]
    found, waiting = {(row, column)}, [(row, column)]
    while waiting:
        y, x = waiting.pop()
        for near in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            inside = 0 <= near[0] < height and 0 <= near[1] < width
            if inside and near not in found and grid[near[0]][near[1]] == old:
                found.add(near)
                waiting.append(near)
    return with_cells(grid, sorted(found), colour)


def pasted(grid: Grid, part: Grid, row: int, column: int) -> Grid:
    """The grid with a part laid over it from a cell on; what lies outside the grid is cut off."""
    height, width = size_of(grid)
    rows = [bytearray(each) for each in grid]
    for y, line in enumerate(part, start=row):
        if y < height and column < width:
            rows[y][column:width] = (line + rows[y][column + len(line) : width])[: width - column]
    return tuple(bytes(each) for each in rows)


def cut(grid: Grid, row: int, column: int, height: int, width: int) -> Grid | None:
    """The part of a grid in a rectangle, or None if no cell of the grid lies in it."""
    lines = tuple(line[column : column + width] for line in grid[row : row + height])
    return lines if lines and lines[0] else None
