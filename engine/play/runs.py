"""Runs: the cells of a frame that changed, two bytes for each gap and the cells of one colour after it.

A run is a byte `gap`, so many cells that stay as they are, and a byte `length * 16 + colour`: `length` cells
of that colour. The runs of a frame are all its gap bytes and then all its length bytes, because bytes of a
kind deflate best side by side. A gap of more than 255 cells begins with runs of length 0.

Compiled (`runs.h`) where there is a C compiler, else with NumPy.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.play import render_build

CELLS = 64 * 64
LONGEST_GAP = 255
LONGEST_RUN = 15

type _Cells = npt.NDArray[np.uint8]
type _Numbers = npt.NDArray[np.int64]


def runs_with_numpy(before: _Cells, after: _Cells) -> bytes:
    """The runs of a frame against the frame before it, both 4,096 cells."""
    changed = np.flatnonzero(before != after)
    colours = after[changed]
    first = np.ones(len(changed), dtype=np.bool_)
    first[1:] = (changed[1:] != changed[:-1] + 1) | (colours[1:] != colours[:-1])
    [firsts] = first.nonzero()
    starts, lengths = _split(changed[firsts], np.diff(firsts, append=len(changed)))
    gaps = starts - np.concatenate(([0], (starts + lengths)[:-1]))[: len(starts)]
    cells = lengths * 16 + after[starts]
    skips = np.maximum(gaps - 1, 0) // LONGEST_GAP
    places = np.cumsum(skips + 1) - 1
    pairs = np.zeros((2, len(gaps) + int(skips.sum())), dtype=np.uint8)
    pairs[0] = LONGEST_GAP
    pairs[:, places] = gaps - skips * LONGEST_GAP, cells
    return pairs.tobytes()


def apply_with_numpy(runs: bytes, cells: _Cells) -> bool:
    """Changes the 4,096 cells as the runs say; False, and nothing changes, if they reach beyond the frame."""
    if len(runs) % 2:
        return False
    gaps, lengths = np.frombuffer(runs, dtype=np.uint8).reshape(2, -1)
    colours, lengths = lengths & 15, (lengths >> 4).astype(np.int64)
    ends = np.cumsum(gaps + lengths)
    if len(ends) and ends[-1] > CELLS:
        return False
    counted = np.cumsum(lengths)
    places = np.repeat(ends - counted, lengths) + np.arange(lengths.sum())
    cells[places] = np.repeat(colours, lengths)
    return True


def _split(starts: _Numbers, lengths: _Numbers) -> tuple[_Numbers, _Numbers]:
    """The same runs in pieces of at most 15 cells."""
    pieces = (lengths + LONGEST_RUN - 1) // LONGEST_RUN
    before = np.repeat(np.cumsum(pieces) - pieces, pieces)
    offsets = LONGEST_RUN * (np.arange(pieces.sum()) - before)
    return np.repeat(starts, pieces) + offsets, np.minimum(np.repeat(lengths, pieces) - offsets, LONGEST_RUN)


_module = render_build.loaded()
runs_between = runs_with_numpy if _module is None else _module.runs_between
apply_runs = apply_with_numpy if _module is None else _module.apply_runs
