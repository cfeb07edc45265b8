"""The rules of the shipped tasks in which something moves, grows or is followed step by step."""

import numpy as np

from tests.games.tasks.grids import (
    AZURE,
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    SIDES,
    YELLOW,
    Array,
    inside,
    objects,
)


def fall_to_the_wall(grid: Array) -> Array:
    """All cells fall towards the side that is a grey wall, in their rows or columns."""
    turns = next(turn for turn in range(4) if (np.rot90(grid, turn)[-1] == GREY).all())
    turned = np.rot90(grid, turns).copy()
    for column in turned.T:
        loose = column[:-1][column[:-1] != BLACK]
        column[:-1] = BLACK
        column[len(column) - 1 - len(loose) : -1] = loose
    return np.rot90(turned, -turns)


def walk_and_turn(grid: Array) -> Array:
    """From the green cell a trail goes right; before red it turns right, before blue it turns left."""
    out, heading = grid.copy(), 1
    row, column = map(int, np.argwhere(grid == GREEN)[0])
    while True:
        down, right = SIDES[heading]
        ahead = (row + down, column + right)
        if not inside(grid, *ahead):
            return out
        if grid[ahead] in (RED, BLUE):
            heading = (heading + (1 if grid[ahead] == RED else -1)) % 4
            continue
        row, column = ahead
        if out[ahead] == BLACK:
            out[ahead] = YELLOW


def bounce(grid: Array) -> Array:
    """A diagonal goes from the lower left corner to the right, and changes colour where it bounces.

    The corner has the first colour, the cell above it the second.
    """
    height, width = grid.shape
    colours, turn, row, step = (grid[-1, 0], grid[-2, 0]), 0, height - 1, -1
    out = np.zeros_like(grid)
    for column in range(width):
        out[row, column] = colours[turn % 2]
        if column and row in (0, height - 1):
            step, turn = -step, turn + 1
        row += step
    return out


def pour(grid: Array) -> Array:
    """Water falls from each azure cell; on grey it spreads to both sides and falls over the edges."""
    out = grid.copy()
    waiting = [(int(row), int(column)) for row, column in np.argwhere(grid == AZURE)]
    while waiting:
        row, column = waiting.pop()
        below = (row + 1, column)
        if not inside(out, *below):
            continue
        if out[below] == BLACK:
            out[below] = AZURE
            waiting.append(below)
        elif out[below] == GREY:
            for beside in ((row, column - 1), (row, column + 1)):
                if inside(out, *beside) and out[beside] == BLACK:
                    out[beside] = AZURE
                    waiting.append(beside)
    return out


def to_their_lines(grid: Array) -> Array:
    """Single cells move to the full column of their colour and touch it; those without one vanish."""
    lines = {
        int(grid[0, at]): at for at in range(grid.shape[1]) if len(set(grid[:, at])) == 1 and grid[0, at]
    }
    out = np.zeros_like(grid)
    for colour, at in lines.items():
        out[:, at] = colour
    for row, column in np.argwhere(grid):
        colour = int(grid[row, column])
        if colour in lines and column != lines[colour]:
            out[row, lines[colour] + (1 if column > lines[colour] else -1)] = colour
    return out


def next_picture(grid: Array) -> Array:
    """Three pictures in a row show cells that move evenly and come back opposite: the fourth picture."""
    size = (grid.shape[1] - 2) // 3
    first, second = grid[:, :size], grid[:, size + 1 : 2 * size + 1]
    out = np.zeros_like(first)
    for colour in np.unique(first[first != BLACK]):
        before, after = np.argwhere(first == colour)[0], np.argwhere(second == colour)[0]
        row, column = (after + 2 * (after - before)) % first.shape
        out[row, column] = colour
    return out


def look_around(grid: Array) -> Array:
    """Red eyes look in four directions up to grey walls; what two eyes see, or more, is orange."""
    seen = np.zeros_like(grid)
    for eye in np.argwhere(grid == RED):
        for step in SIDES:
            row, column = map(int, eye + step)
            while inside(grid, row, column) and grid[row, column] == BLACK:
                seen[row, column] += 1
                row, column = row + step[0], column + step[1]
    out = grid.copy()
    out[seen == 1] = YELLOW
    out[seen > 1] = ORANGE
    return out


def join_in_order(grid: Array) -> Array:
    """The first row says in which order dots are joined: along the row first, then along the column."""
    order = [int(colour) for colour in grid[0] if colour != BLACK]
    dots = [tuple(map(int, np.argwhere(grid[1:] == colour)[0] + (1, 0))) for colour in order]
    out = grid.copy()
    for colour, (row, column), (to_row, to_column) in zip(order, dots, dots[1:], strict=False):
        for at in range(min(column, to_column), max(column, to_column) + 1):
            out[row, at] = out[row, at] or colour
        for at in range(min(row, to_row), max(row, to_row) + 1):
            out[at, to_column] = out[at, to_column] or colour
    return out


def shift_by_key(grid: Array) -> Array:
    """The first cell of each row says what becomes of the rest.

    Red: one step right; blue: one step left, both round the ends; green: reversed; black: as it is.
    """
    out = grid.copy()
    for row in out:
        if row[0] == GREEN:
            row[1:] = row[1:][::-1].copy()
        elif row[0] != BLACK:
            row[1:] = np.roll(row[1:], 1 if row[0] == RED else -1)
    return out


def stack_by_size(grid: Array) -> Array:
    """Objects stand side by side on the ground, the smallest to the left, without space between them."""
    found = sorted(objects(grid), key=lambda each: each.size)
    out = np.zeros(
        (max(len(each.part) for each in found), sum(each.part.shape[1] for each in found)), dtype=int
    )
    at = 0
    for each in found:
        height, width = each.part.shape
        out[len(out) - height :, at : at + width] = each.part
        at += width
    return out


MOTION = {
    "1d4e8a07": fall_to_the_wall,
    "27b0c35e": walk_and_turn,
    "36f9a1d2": bounce,
    "4c81e70b": pour,
    "58a2d94f": to_their_lines,
    "5e07b3c6": next_picture,
    "63d8f12a": look_around,
    "7091ce5b": join_in_order,
    "7ab46d30": shift_by_key,
    "85c3f0e9": stack_by_size,
}
