"""What the rules of the shipped tasks share: grids as arrays, and their objects."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

type Array = NDArray[np.int_]

BLACK, BLUE, RED, GREEN, YELLOW, GREY, MAGENTA, ORANGE, AZURE, MAROON = range(10)
SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Up, right, down, left: row and column of one step."""


@dataclass(frozen=True)
class Thing:
    """An object: its colour (that of its first cell), its cells, and the part of the grid around them."""

    colour: int
    cells: tuple[tuple[int, int], ...]
    top: int
    left: int
    part: Array

    @property
    def size(self) -> int:
        return len(self.cells)


def array(grid: Any) -> Array:
    return np.array(grid, dtype=int)


def inside(grid: Array, row: int, column: int) -> bool:
    height, width = grid.shape
    return bool(0 <= row < height and 0 <= column < width)


def objects(grid: Array) -> list[Thing]:
    """Areas of one colour each, not black, that join along edges, by their first cell."""
    found, seen = [], set[tuple[int, int]]()
    for start in zip(*map(np.ndarray.tolist, np.nonzero(grid)), strict=True):
        if start in seen:
            continue
        cells, waiting = {start}, [start]
        while waiting:
            row, column = waiting.pop()
            for down, right in SIDES:
                near = (row + down, column + right)
                if inside(grid, *near) and near not in cells and grid[near] == grid[start]:
                    cells.add(near)
                    waiting.append(near)
        seen |= cells
        rows, columns = [row for row, _ in cells], [column for _, column in cells]
        part = np.zeros((max(rows) - min(rows) + 1, max(columns) - min(columns) + 1), dtype=int)
        for row, column in cells:
            part[row - min(rows), column - min(columns)] = grid[row, column]
        found.append(Thing(int(grid[start]), tuple(sorted(cells)), min(rows), min(columns), part))
    return found
