"""Writes `tests/vectors/tasks.json`, to which both machines of tasks are held: the engine's and the page's.

python -m tests.engine.tasks.task_vectors

Each vector: `name`; `task` in the official JSON; `tries`, `most`, `feedback`; `steps`, each [edit, seen],
where `seen` is what a person sees after the edit: `error` or null, `open` (from 1), `inputs`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.errors import ActionError
from engine.tasks.edits import edit_of
from engine.tasks.state import Submissions, TaskState, apply, start
from engine.tasks.task import Task, task_of
from tests.engine.tasks.strategies import SOLUTION, TWO_INPUTS, task

VECTORS = Path(__file__).parents[2] / "vectors" / "tasks.json"
WIDE = task(([[1, 2, 3], [4, 5, 6]], [[1, 2, 3, 0]]))
TWO = Submissions()
SUBMIT, UNDO, REDO = {"op": "submit"}, {"op": "undo"}, {"op": "redo"}
SEQUENCES: tuple[tuple[str, Task, Submissions, Sequence[dict[str, Any]]], ...] = (
    ("two inputs solved", TWO_INPUTS, TWO, [*SOLUTION, SUBMIT, SUBMIT, SUBMIT]),
    ("both tries used", TWO_INPUTS, TWO, [SUBMIT, SUBMIT, {"op": "open", "input": 1}, UNDO, SUBMIT]),
    ("right only after the counted tries", TWO_INPUTS, Submissions(1, 3), [SUBMIT, *SOLUTION, SUBMIT]),
    (
        "no feedback",
        TWO_INPUTS,
        Submissions(2, 2, feedback=False),
        [*SOLUTION, SUBMIT, UNDO, REDO, SUBMIT, SUBMIT],
    ),
    (
        "undo and redo belong to an input",
        TWO_INPUTS,
        TWO,
        [
            *SOLUTION,
            UNDO,
            UNDO,
            {"op": "open", "input": 2},
            UNDO,
            {"op": "open", "input": 1},
            REDO,
            REDO,
            REDO,
        ],
    ),
    ("an edit after undo ends redo", WIDE, TWO, [*SOLUTION, UNDO, {"op": "clear"}, REDO, UNDO]),
    (
        "sizes from one cell to the largest",
        WIDE,
        TWO,
        [
            {"op": "resize", "height": 30, "width": 30},
            {"op": "fill", "colour": 4, "cell": 899},
            {"op": "resize", "height": 1, "width": 2},
            {"op": "resize", "height": 2, "width": 3},
            {"op": "fill", "colour": 8, "cell": 89},
        ],
    ),
    (
        "areas join along edges of cells",
        WIDE,
        TWO,
        [
            {"op": "paint", "colour": 3, "cells": [1, 30, 32, 61, 99]},
            {"op": "fill", "colour": 9, "cell": 31},
            {"op": "fill", "colour": 3, "cell": 1},
            {"op": "fill", "colour": 3, "cell": 1},
        ],
    ),
    (
        "parts are cut off at the edges",
        WIDE,
        TWO,
        [
            {"op": "paste", "from": "input", "rect": [0, 1, 2, 30], "cell": 31},
            {"op": "paste", "from": "output", "rect": [1, 1, 2, 2], "cell": 0},
            {"op": "paste", "from": "demo_input", "pair": 1, "rect": [0, 0, 2, 2], "cell": 62},
            {"op": "paste", "from": "demo_output", "pair": 1, "rect": [1, 0, 1, 1], "cell": 300},
            {"op": "paste", "from": "demo_output", "pair": 2, "rect": [0, 0, 1, 1], "cell": 0},
            {"op": "paste", "from": "input", "rect": [2, 0, 1, 1], "cell": 0},
        ],
    ),
)


def vectors() -> list[dict[str, Any]]:
    """Every vector, as the engine's machine answers now."""
    return [
        {
            "name": name,
            "task": json.loads(played.text),
            "tries": rule.tries,
            "most": rule.most,
            "feedback": rule.feedback,
            "steps": steps(played, rule, edits),
        }
        for name, played, rule, edits in SEQUENCES
    ]


def steps(played: Task, rule: Submissions, edits: Sequence[dict[str, Any]]) -> list[list[Any]]:
    """Each edit with what a person sees after it."""
    state, found = start(played), []
    for edit in edits:
        error = None
        try:
            state = apply(played, rule, state, edit_of(edit))
        except ActionError as refusal:
            error = refusal.code
        found.append([edit, {"error": error, **_seen(state, rule)}])
    return found


def _seen(state: TaskState, rule: Submissions) -> dict[str, Any]:
    inputs = [
        {
            "grid": ["".join(map(str, row)) for row in each.grid],
            "right": list(each.submissions),
            "closed": each.closed(rule),
            "solved": each.solved(rule),
            "can_undo": bool(each.past),
            "can_redo": bool(each.future),
        }
        for each in state.inputs
    ]
    return {"open": state.open + 1, "inputs": inputs}


def text(found: Sequence[dict[str, Any]]) -> str:
    """The file: a line for each step."""
    return "[\n" + ",\n".join(_text(vector) for vector in found) + "\n]\n"


def _text(vector: dict[str, Any]) -> str:
    head = {name: value for name, value in vector.items() if name != "steps"}
    lines = ",\n  ".join(json.dumps(step) for step in vector["steps"])
    return json.dumps(head)[:-1] + f',\n "steps": [\n  {lines}]}}'


def read(vector: dict[str, Any]) -> Task:
    """A stored vector's task."""
    return task_of(json.dumps(vector["task"]))


if __name__ == "__main__":
    VECTORS.write_text(text(vectors()))
