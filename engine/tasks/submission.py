"""The official file of a program's answers: two attempts for each test input of each task."""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.errors import TaskError
from engine.tasks.grids import Grid, grid_of
from engine.tasks.task import Task

ATTEMPTS = ("attempt_1", "attempt_2")
MOST_SUBMISSION_TEXT = 64 * 1024 * 1024

type Answers = tuple[tuple[Grid, ...], ...]
"""For each test input of a task the grids of its attempts, in order."""


def submission_of(text: str, tasks: Mapping[str, Task]) -> dict[str, Answers]:
    """Reads `{task: [{"attempt_1": grid, "attempt_2": grid}, ...]}`. A task may be left out: it is unsolved.

    Raises TaskError submission_too_large, submission_malformed, task_unknown, pairs_mismatched,
    attempts_missing, grid_malformed, grid_size, grid_colour; `where` names the task and attempt.
    """
    document = _document(text)
    for name in document:
        if name not in tasks:
            raise TaskError("task_unknown", f"There is no task {name!r}: import it first.", where=name)
    return {name: _answers(name, value, len(tasks[name].tests)) for name, value in document.items()}


def names_in(text: str) -> list[str]:
    """The ids of the tasks that a file has answers to. Raises submission_too_large, submission_malformed."""
    return list(_document(text))


def _document(text: str) -> dict[str, object]:
    if len(text) > MOST_SUBMISSION_TEXT:
        raise TaskError("submission_too_large", "The file has more than 64 MB, which no submission needs.")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TaskError("submission_malformed", f"The file is not JSON: {error}.") from error
    if not isinstance(document, dict) or not document:
        raise TaskError("submission_malformed", "The file is not an object with tasks by their ids.")
    return document


def judged(task: Task, answers: Answers) -> list[list[bool]]:
    """For each test input whether each of its attempts is right; none where there is no answer."""
    if not answers:
        return [[] for _ in task.tests]
    return [
        [grid == pair.output for grid in attempts] for pair, attempts in zip(task.tests, answers, strict=True)
    ]


def _answers(name: str, value: object, tests: int) -> Answers:
    if not isinstance(value, list) or len(value) != tests:
        message = f"{name} needs a list of {tests}, one for each test input."
        raise TaskError("pairs_mismatched", message, where=name)
    return tuple(
        _attempts(f"{name}, test input {number}", each) for number, each in enumerate(value, start=1)
    )


def _attempts(where: str, value: object) -> tuple[Grid, ...]:
    if not isinstance(value, dict) or not set(ATTEMPTS) <= value.keys():
        raise TaskError("attempts_missing", f"{where} needs {' and '.join(ATTEMPTS)}.", where=where)
    return tuple(grid_of(value[attempt], f"{where}, {attempt}") for attempt in ATTEMPTS)
