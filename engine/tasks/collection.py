"""Files with many tasks: an object by id, with its solutions or apart from them (Kaggle), or one a line."""

from __future__ import annotations

import json
from typing import Any

from engine.errors import TaskError
from engine.tasks.task import json_in

MOST_COLLECTION_BYTES = 64 * 1024 * 1024
_IDS = ("id", "task_id", "name")


def tasks_in(text: str, solutions: str | None = None) -> dict[str, str] | None:
    """The official JSON of each task by id; None if this is no object of tasks.

    `solutions` is the JSON of `{task: [grid, ...]}`, for test inputs without an output.
    Raises TaskError task_malformed, key_repeated, solutions_missing.
    """
    document = json_in(text, "task_malformed")
    if not isinstance(document, dict) or not document:
        return None
    if not all(isinstance(one, dict) and "train" in one for one in document.values()):
        return None
    given = {} if solutions is None else json_in(solutions, "task_malformed")
    return {name: json.dumps(_solved(name, task, given)) for name, task in document.items()}


def tasks_by_line(text: str) -> dict[str, str]:
    """The same with one task a line. Raises TaskError task_malformed, key_repeated, id_malformed."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        task = json_in(line, "task_malformed")
        name = next((task[one] for one in _IDS if one in task), None) if isinstance(task, dict) else None
        if not isinstance(name, str):
            raise TaskError("id_malformed", f"Line {number} is no task with its id as {', '.join(_IDS)}.")
        if name in found:
            raise TaskError("key_repeated", f"Line {number} has the id {name[:100]!r} a second time.")
        found[name] = line
    return found


def _solved(name: str, task: dict[str, Any], solutions: Any) -> dict[str, Any]:
    tests = task.get("test")
    if not isinstance(tests, list) or not all(isinstance(pair, dict) for pair in tests):
        return task
    if all("output" in pair for pair in tests):
        return task
    grids = solutions.get(name) if isinstance(solutions, dict) else None
    if not isinstance(grids, list) or len(grids) != len(tests):
        message = f"{name} has no solutions: put their file beside it, named solutions for challenges."
        raise TaskError("solutions_missing", message, where=name)
    return {**task, "test": [{"output": grid, **pair} for pair, grid in zip(tests, grids, strict=True)]}
