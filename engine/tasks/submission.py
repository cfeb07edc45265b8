"""Files of a program's answers: two attempts for each test input of each task.

Three forms are read: `{task: [{"attempt_1": grid, "attempt_2": grid}, ...]}`, as at Kaggle since 2024; a list
of such items whose attempts are `{"answer": grid, "metadata": {"task_id", "pair_index"}}`, as the official
benchmarking writes it; and the table `output_id,output` of 2020, with `task_0` and `|12|34| |56|78|`.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.errors import TaskError
from engine.tasks.grids import Grid, grid_of
from engine.tasks.task import MOST_PAIRS, Task, json_in

ATTEMPTS = ("attempt_1", "attempt_2")
MOST_SUBMISSION_TEXT = 64 * 1024 * 1024

_NUMBER = re.compile("[0-9]{1,2}")
_TABLE = re.compile(r"\s*output_id\s*,\s*output\s*[\r\n]")

type Answers = tuple[tuple[Grid | None, ...], ...]
"""For each test input of a task the grids of its attempts, in order; None for one that gives no answer."""


def submission_of(text: str, tasks: Mapping[str, Task]) -> dict[str, Answers]:
    """The answers by task. A task may be left out: it is unsolved.

    Raises TaskError submission_too_large, submission_malformed, key_repeated, task_unknown, pairs_mismatched,
    attempts_missing, attempts_too_many, grid_malformed, grid_size, grid_colour; `where` names the task and
    attempt.
    """
    document = _document(text)
    for name in document:
        if name not in tasks:
            raise TaskError("task_unknown", f"There is no task {name!r}: import it first.", where=name)
    return {name: _answers(name, value, len(tasks[name].tests)) for name, value in document.items()}


def names_in(text: str) -> list[str]:
    """The tasks that a file answers. Raises submission_too_large, submission_malformed, key_repeated."""
    return list(_document(text))


def cost_in(text: str) -> float | None:
    """What a list of the official benchmarking says that its attempts cost, in US dollars; else None."""
    document = [] if _TABLE.match(text) else json_in(text, "submission_malformed")
    items = document if isinstance(document, list) else []
    found: list[float] = []
    for attempt in (one for item in items if isinstance(item, dict) for one in item.values()):
        said = attempt.get("metadata") if isinstance(attempt, dict) else None
        cost = said.get("cost") if isinstance(said, dict) else None
        total = cost.get("total_cost") if isinstance(cost, dict) else None
        if isinstance(total, int | float) and not isinstance(total, bool) and 0 <= total < math.inf:
            found.append(total)
    return sum(found) if found else None


def _document(text: str) -> dict[str, object]:
    if len(text) > MOST_SUBMISSION_TEXT:
        raise TaskError("submission_too_large", "The file has more than 64 MB, which no submission needs.")
    document = _by_task(_rows(text)) if _TABLE.match(text) else json_in(text, "submission_malformed")
    if isinstance(document, list):
        document = _by_task(map(_item, document, range(1, len(document) + 1)))
    if not isinstance(document, dict) or not document:
        raise TaskError("submission_malformed", "The file has no tasks by their ids.")
    return document


def _rows(text: str) -> Iterator[tuple[str, int, object]]:
    """The task, the number of the test input from 0, and the attempts in each row of a table."""
    try:
        for number, row in enumerate(csv.reader(io.StringIO(text.lstrip())), start=1):
            if number == 1 or not row:
                continue
            name, _, at = row[0].strip().rpartition("_")
            if len(row) != 2 or not name or not _NUMBER.fullmatch(at):
                message = f"Row {number} is no id such as 00576224_0 and an output such as |12|34|."
                raise TaskError("submission_malformed", message, where=f"row {number}")
            grids = [
                [
                    [int(cell) if cell in "0123456789" else cell for cell in line]
                    for line in one.strip("|").split("|")
                ]
                for one in row[1].split()
            ]
            given = {f"attempt_{which}": grid for which, grid in enumerate(grids, start=1)}
            yield name, int(at), dict.fromkeys(ATTEMPTS) | given
    except csv.Error as error:
        raise TaskError("submission_malformed", f"The file is no table: {error}.") from error


def _item(value: object, number: int) -> tuple[str, int, object]:
    """The same of an item of a list."""
    for attempt in value.values() if isinstance(value, dict) else ():
        said = attempt.get("metadata") if isinstance(attempt, dict) else None
        name, at = (said.get("task_id"), said.get("pair_index", 0)) if isinstance(said, dict) else (None, 0)
        if isinstance(name, str) and type(at) is int:
            return name, at, dict.fromkeys(ATTEMPTS) | value  # type: ignore[operator]
    message = (
        f"Item {number} of the list names no task: an attempt has task_id and pair_index in its metadata."
    )
    raise TaskError("submission_malformed", message, where=f"item {number}")


def _by_task(answered: Iterable[tuple[str, int, object]]) -> dict[str, object]:
    found: dict[str, dict[int, object]] = {}
    for name, at, attempts in answered:
        of_task = found.setdefault(name, {})
        if at in of_task:
            raise TaskError("key_repeated", f"{name}, test input {at + 1}, is answered twice.", where=name)
        if not 0 <= at < MOST_PAIRS:
            raise TaskError("pairs_mismatched", f"{name} has no test input {at + 1}.", where=name)
        of_task[at] = attempts
    none = dict.fromkeys(ATTEMPTS)
    return {name: [one.get(at, none) for at in range(max(one) + 1)] for name, one in found.items()}


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


def _attempts(where: str, value: object) -> tuple[Grid | None, ...]:
    if not isinstance(value, dict) or not set(ATTEMPTS) <= value.keys():
        raise TaskError("attempts_missing", f"{where} needs {' and '.join(ATTEMPTS)}.", where=where)
    for name in value.keys() - set(ATTEMPTS):
        if name.startswith("attempt_") and value[name] is not None:
            message = f"{where} has {name}: two attempts count, so leave it out."
            raise TaskError("attempts_too_many", message, where=where)
    return tuple(_grid(value[attempt], f"{where}, {attempt}") for attempt in ATTEMPTS)


def _grid(value: Any, where: str) -> Grid | None:
    """The grid of an attempt; None if it is null (in a list also empty): an answer that solves nothing."""
    answer = (value.get("answer") or None) if isinstance(value, dict) else value
    return None if answer is None else grid_of(answer, where)
