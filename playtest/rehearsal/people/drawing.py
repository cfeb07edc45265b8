"""The edits by which somebody draws an output grid, one colour after another, in strokes along rows."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from engine.tasks.edits import position
from engine.tasks.grids import COLOURS, Grid, resized, size_of

type EditDocument = dict[str, Any]


def edits_to(wanted: Grid, now: Grid, given: Grid) -> Iterator[EditDocument]:
    """The edits from the grid `now` to `wanted`, by way of a copy of the input where that is less work."""
    if size_of(wanted) == size_of(given) and _differing(wanted, given) < _differing(wanted, now):
        yield {"op": "copy_input"}
        now = given
    if size_of(wanted) != size_of(now):
        height, width = size_of(wanted)
        yield {"op": "resize", "height": height, "width": width}
        now = resized(now, height, width)
    for colour in range(COLOURS):
        for row, line in enumerate(wanted):
            wrong = [column for column, cell in enumerate(line) if cell == colour != now[row][column]]
            for _, run in groupby(enumerate(wrong), lambda each: each[1] - each[0]):
                stroke = [position(row, column) for _, column in run]
                yield {"op": "paint", "colour": colour, "cells": stroke}


def _differing(one: Grid, other: Grid) -> int:
    """How many cells differ; all of them if the sizes do."""
    if size_of(one) != size_of(other):
        return sum(map(len, one)) + 1
    return sum(a != b for row, line in zip(one, other, strict=True) for a, b in zip(row, line, strict=True))
