"""The rules of the shipped tasks in which something is counted, compared, or stands for something else."""

from collections import Counter
from itertools import pairwise

import numpy as np

from tests.games.tasks.grids import AZURE, BLACK, GREEN, GREY, MAGENTA, MAROON, RED, Array, objects


def colours_by_rank(grid: Array) -> Array:
    """The first row lists colours: the largest grey object gets the first one, and so on."""
    out = grid.copy()
    listed = [int(colour) for colour in grid[0] if colour != BLACK]
    below = [each for each in objects(grid) if each.top > 0]
    for colour, each in zip(listed, sorted(below, key=lambda each: -each.size), strict=True):
        for cell in each.cells:
            out[cell] = colour
    return out


def mirror_by_mark(grid: Array) -> Array:
    """The inside of the grey frame, mirrored from the side on which a red cell is."""
    rows, columns = np.nonzero((grid == GREY) | (grid == RED))
    frame = grid[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    across = RED in frame[:, 0] or RED in frame[:, -1]
    return frame[1:-1, 1:-1][:, ::-1] if across else frame[1:-1, 1:-1][::-1]


def combine_by_line(grid: Array) -> Array:
    """Two pictures, combined as the line between them says.

    Azure: what both have; magenta: what one of them has or both; maroon: what one alone has.
    """
    middle = grid.shape[1] // 2
    first, second = grid[:, :middle] != BLACK, grid[:, middle + 1 :] != BLACK
    colour = int(grid[0, middle])
    combined = {AZURE: first & second, MAGENTA: first | second, MAROON: first ^ second}[colour]
    return np.where(combined, colour, BLACK)


def bars_of_counts(grid: Array) -> Array:
    """How many objects each colour has, as bars from the left, the longest on top."""
    counts = Counter(each.colour for each in objects(grid)).most_common()
    out = np.zeros((len(counts), counts[0][1]), dtype=int)
    for row, (colour, count) in zip(out, counts, strict=True):
        row[:count] = colour
    return out


def whirl(grid: Array) -> Array:
    """Four copies of a square, each a quarter turn on clockwise; grey cells take the rarer colour."""
    colours = Counter(int(cell) for cell in grid.flat if cell not in (BLACK, GREY))
    rare = min(colours, key=lambda colour: colours[colour])
    square = np.where(grid == GREY, rare, grid)
    turned = [np.rot90(square, -turns) for turns in range(4)]
    return np.block([[turned[0], turned[1]], [turned[3], turned[2]]])


def behind_the_patch(grid: Array) -> Array:
    """What the grey patch hides in a pattern that looks the same after each quarter turn."""
    whole = grid.copy()
    for _ in range(3):
        turned = np.rot90(whole)
        whole = np.where(whole == GREY, turned, whole)
    rows, columns = np.nonzero(grid == GREY)
    return whole[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def fill_the_fullest(grid: Array) -> Array:
    """The grey box with the most dots is filled with their colour, all other boxes are emptied."""
    out = grid.copy()
    boxes = [each for each in objects(grid) if each.colour == GREY]
    insides = [
        (
            slice(each.top + 1, each.top + each.part.shape[0] - 1),
            slice(each.left + 1, each.left + each.part.shape[1] - 1),
        )
        for each in boxes
    ]
    fullest = max(insides, key=lambda area: np.count_nonzero(grid[area]))
    for area in insides:
        out[area] = grid[area].max() if area is fullest else BLACK
    return out


def odd_one(grid: Array) -> Array:
    """Of the tiles between grey lines, all are turns of one another but one: that one."""
    lines = [-1, *(row for row in range(len(grid)) if (grid[row] == GREY).all()), len(grid)]
    across = [-1, *(at for at in range(grid.shape[1]) if (grid[:, at] == GREY).all()), grid.shape[1]]
    tiles = [
        grid[top + 1 : bottom, left + 1 : right]
        for top, bottom in pairwise(lines)
        for left, right in pairwise(across)
    ]
    kinds = [min(np.rot90(tile, turns).tobytes() for turns in range(4)) for tile in tiles]
    return next(tile for tile, kind in zip(tiles, kinds, strict=True) if kinds.count(kind) == 1)


def enlarge_by_dots(grid: Array) -> Array:
    """The coloured picture, each cell as many cells wide and high as there are single grey dots."""
    dots = np.count_nonzero(grid == GREY)
    rows, columns = np.nonzero((grid != GREY) & (grid != BLACK))
    picture = grid[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    return picture.repeat(dots, axis=0).repeat(dots, axis=1)


def rings(grid: Array) -> Array:
    """A row of colours becomes rings, the first one outside; a green one is followed by a black ring."""
    colours = [ring for colour in grid[0] for ring in ((colour, BLACK) if colour == GREEN else (colour,))]
    size = 2 * len(colours) - 1
    out = np.zeros((size, size), dtype=int)
    for depth, colour in enumerate(colours):
        out[depth : size - depth, depth : size - depth] = colour
    return out


MEANING = {
    "8e15a7b4": colours_by_rank,
    "9b62d0f8": mirror_by_mark,
    "a3f7041c": combine_by_line,
    "ac90e5d1": bars_of_counts,
    "b45c82f6": whirl,
    "c0d3917e": behind_the_patch,
    "cb7e46a5": fill_the_fullest,
    "d98105bc": odd_one,
    "e2f4c673": enlarge_by_dots,
    "f50b9d28": rings,
}
