"""Official JSON is read as a task, or refused with a code that says what is wrong."""

import json
from typing import Any

import pytest

from engine.errors import TaskError
from engine.tasks.task import task_of

PAIR = {"input": [[0]], "output": [[1]]}


def text(train: Any = (PAIR,), test: Any = (PAIR,)) -> str:
    return json.dumps({"train": train, "test": test})


def test_equal_tasks_have_one_text_and_one_digest() -> None:
    spaced = json.dumps({"test": [PAIR], "name": "x", "train": [{**PAIR, "note": 1}]}, indent=2)
    assert task_of(spaced).text == task_of(text()).text
    assert task_of(spaced).digest == task_of(text()).digest
    assert task_of(task_of(spaced).text) == task_of(spaced)


def test_solutions_do_not_show_where_a_task_is_printed() -> None:
    assert "output" not in repr(task_of(text()))


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("{", "task_malformed"),
        ("[]", "task_malformed"),
        ("[" * 100_000, "task_malformed"),
        (" " * (512 * 1024 + 1), "task_too_large"),
        (text(train=[]), "pairs_missing"),
        (text(test={}), "pairs_missing"),
        (text(test=[PAIR] * 31), "pairs_too_many"),
        (text(test=[{"input": [[0]]}]), "task_malformed"),
        (text(test=[{"input": [], "output": [[0]]}]), "grid_size"),
        (text(test=[{"input": [[]], "output": [[0]]}]), "grid_size"),
        (text(test=[{"input": [[0] * 31], "output": [[0]]}]), "grid_size"),
        (text(test=[{"input": [[0]] * 31, "output": [[0]]}]), "grid_size"),
        (text(test=[{"input": [[0, 1], [0]], "output": [[0]]}]), "grid_malformed"),
        (text(test=[{"input": "0", "output": [[0]]}]), "grid_malformed"),
        (text(test=[{"input": [[10]], "output": [[0]]}]), "grid_colour"),
        (text(test=[{"input": [[-1]], "output": [[0]]}]), "grid_colour"),
        (text(test=[{"input": [[True]], "output": [[0]]}]), "grid_colour"),
        (text(test=[{"input": [[1.0]], "output": [[0]]}]), "grid_colour"),
    ],
)
def test_what_is_no_task_is_refused(document: str, code: str) -> None:
    with pytest.raises(TaskError) as raised:
        task_of(document)
    assert raised.value.code == code


def test_grids_of_thirty_are_the_largest() -> None:
    whole = [[9] * 30] * 30
    assert task_of(text(test=[{"input": whole, "output": whole}])).tests[0].input == (bytes([9] * 30),) * 30
