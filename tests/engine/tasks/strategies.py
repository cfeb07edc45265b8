"""Tasks and edits for property tests."""

import json
from typing import Any

from hypothesis import strategies as st

from engine.tasks.task import Task, task_of


def task(*tests: tuple[list[list[int]], list[list[int]]]) -> Task:
    """A task with one demonstration and these test pairs."""
    pairs = [{"input": one, "output": other} for one, other in tests]
    train = [{"input": [[1, 2], [3, 4]], "output": [[4, 3], [2, 1]]}]
    return task_of(json.dumps({"train": train, "test": pairs}))


TWO_INPUTS = task(([[5, 6, 7]], [[7, 6, 5]]), ([[1]], [[0, 0, 0]] * 3))
"""A task of two test inputs; the second is solved by the grid that everybody starts with."""

SOLUTION: tuple[dict[str, Any], ...] = (
    {"op": "copy_input"},
    {"op": "paint", "colour": 7, "cells": [0]},
    {"op": "paint", "colour": 5, "cells": [2]},
)
"""Edits that solve the first test input of TWO_INPUTS once they are submitted."""

_POSITIONS = st.builds(lambda row, column: row * 30 + column, st.integers(0, 4), st.integers(0, 4))
_COLOURS = st.integers(0, 9)
_SIZES = st.integers(1, 5)


def _edit(op: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"op": st.just(op), **fields})


_RECT = st.tuples(st.integers(0, 3), st.integers(0, 3), _SIZES, _SIZES).map(list)

GRID_EDITS = st.one_of(
    _edit("resize", height=_SIZES, width=_SIZES),
    _edit("paint", colour=_COLOURS, cells=st.lists(_POSITIONS, min_size=1, max_size=6)),
    _edit("fill", colour=_COLOURS, cell=_POSITIONS),
    _edit("copy_input"),
    _edit("clear"),
    _edit("paste", **{"from": st.sampled_from(["input", "output"]), "rect": _RECT, "cell": _POSITIONS}),
    _edit(
        "paste",
        **{"from": st.sampled_from(["demo_input", "demo_output"]), "pair": st.integers(1, 2)},
        rect=_RECT,
        cell=_POSITIONS,
    ),
)
ANY_EDITS = st.one_of(
    GRID_EDITS,
    st.sampled_from([{"op": op} for op in ("undo", "redo", "submit", "submit")]),
    _edit("open", input=st.integers(1, 3)),
)
