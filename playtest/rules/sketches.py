"""Which sketches of levels are alike, however one was turned, mirrored or recoloured to look new."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST_SHARE = 0.2
"""The share of the drawn cells in which two sketches have to differ."""
_COLOURS = 16
_SIDE = 64

type _Grid = NDArray[np.intp]


def alike(cells: str, others: Iterable[str]) -> list[str]:
    """Those of `others` that differ from a sketch in fewer than LEAST_SHARE of the drawn cells."""
    return [
        one for one in others if one == cells or (_may_be(cells, one) and share(cells, one) < LEAST_SHARE)
    ]


@lru_cache(maxsize=512)
def share(cells: str, other: str) -> float:
    """The share of the drawn cells in which two sketches of 4,096 hexadecimal digits differ, at the best.

    One is turned and mirrored in all eight ways, and recoloured one to one: each time the two colours are
    paired that have most cells in common. The first pair is the ground; what else there is, is drawn.
    """
    grid = _grid(cells).ravel()
    return min(_differing(grid, turned.ravel()) for turned in _turned(_grid(other)))


def _differing(one: _Grid, other: _Grid) -> float:
    pairs = np.bincount(one * _COLOURS + other, minlength=_COLOURS**2).reshape(_COLOURS, _COLOURS)
    common = []
    while pairs.any():
        first, second = np.unravel_index(pairs.argmax(), pairs.shape)
        common.append(int(pairs[first, second]))
        pairs[first, :] = pairs[:, second] = 0
    return (one.size - sum(common)) / max(1, one.size - common[0])


def _may_be(cells: str, other: str) -> bool:
    """Whether the numbers of cells of each colour allow two sketches to be alike; quick, and never wrong."""
    one, two = _numbers(cells), _numbers(other)
    most = LEAST_SHARE / (1 - LEAST_SHARE) * (_SIDE**2 - one[0])
    return sum(abs(first - second) for first, second in zip(one, two, strict=True)) <= 2 * most


@lru_cache(maxsize=1024)
def _numbers(cells: str) -> tuple[int, ...]:
    return tuple(sorted((cells.count(f"{colour:x}") for colour in range(_COLOURS)), reverse=True))


def _grid(cells: str) -> Any:
    return np.array([int(cell, 16) for cell in cells]).reshape(_SIDE, _SIDE)


def _turned(grid: _Grid) -> Iterator[_Grid]:
    for mirrored in (grid, grid.T):
        yield from (np.rot90(mirrored, quarters) for quarters in range(4))
