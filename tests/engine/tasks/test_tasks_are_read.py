"""Official tasks, edits and submissions are read, or refused with a code."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from engine.errors import TaskError
from engine.tasks.edits import KINDS, edit_in, edit_of
from engine.tasks.grids import listed
from engine.tasks.submission import judged, submission_of
from engine.tasks.task import task_of
from playtest.rules.errors import RuleError
from playtest.rules.tasks.success import SetScore, set_score, task_score
from tests.engine.tasks.strategies import ANY_EDITS

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


@given(value=ANY_EDITS)
def test_an_edit_is_read_back_from_the_text_that_the_journal_stores(value: dict[str, Any]) -> None:
    edit = edit_of(value)
    assert edit_in(edit.text) == edit
    assert edit.kind is KINDS[value["op"]]


def test_cells_are_stored_once_and_in_order() -> None:
    assert edit_of({"op": "paint", "colour": 1, "cells": [31, 0, 31]}).fields["cells"] == [0, 31]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([], "edit_malformed"),
        ({}, "edit_unknown"),
        ({"op": "solve"}, "edit_unknown"),
        ({"op": ["undo"]}, "edit_unknown"),
        ({"op": "undo", "steps": 2}, "edit_malformed"),
        ({"op": "resize", "height": 31, "width": 3}, "edit_malformed"),
        ({"op": "resize", "height": 0, "width": 3}, "edit_malformed"),
        ({"op": "paint", "colour": 10, "cells": [0]}, "edit_malformed"),
        ({"op": "paint", "colour": True, "cells": [0]}, "edit_malformed"),
        ({"op": "paint", "colour": 1, "cells": []}, "edit_malformed"),
        ({"op": "paint", "colour": 1, "cells": [900]}, "edit_malformed"),
        ({"op": "paint", "colour": 1, "cells": list(range(200))}, "edit_malformed"),
        ({"op": "fill", "colour": 1, "cell": 1.0}, "edit_malformed"),
        ({"op": "open", "input": 0}, "edit_malformed"),
        ({"op": "paste", "from": "solution", "rect": [0, 0, 1, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "input", "rect": [0, 0, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "input", "rect": [0, 30, 1, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "demo_input", "rect": [0, 0, 1, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "input", "pair": 1, "rect": [0, 0, 1, 1], "cell": 0}, "edit_malformed"),
    ],
)
def test_what_is_no_edit_is_refused(value: Any, code: str) -> None:
    with pytest.raises(TaskError) as raised:
        edit_of(value)
    assert raised.value.code == code


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(TaskError):
        edit_in(text)


FOLDER = Path(__file__).parents[3] / "games" / "tasks"
TASKS = {file.stem: task_of(file.read_text()) for file in FOLDER.glob("*.json")}
THREE_PAIRS, ONE_PAIR, TWO_PAIRS = "a3f7041c", "f50b9d28", "1d4e8a07"
WRONG = [[0]]


def answers(name: str, *right: int | None) -> list[dict[str, Any]]:
    """For each test input, at which attempt it is right (1, 2), or never."""
    solutions = [listed(pair.output) for pair in TASKS[name].tests]
    return [
        {f"attempt_{attempt}": solution if attempt == at else WRONG for attempt in (1, 2)}
        for solution, at in zip(solutions, right, strict=True)
    ]


def scored(document: dict[str, Any]) -> SetScore:
    found = submission_of(json.dumps(document), TASKS)
    asked = (THREE_PAIRS, ONE_PAIR, TWO_PAIRS)
    return set_score([task_score(judged(TASKS[name], found.get(name, ())), 2) for name in asked])


def test_a_pair_is_solved_at_either_attempt_and_a_task_left_out_is_unsolved() -> None:
    document = {THREE_PAIRS: answers(THREE_PAIRS, 1, 2, None), ONE_PAIR: answers(ONE_PAIR, 2)}
    assert scored(document) == SetScore(3, 1, 6, 3, Fraction(5, 9))


def test_all_and_nothing_right() -> None:
    all_right = {
        name: answers(name, *[1] * len(TASKS[name].tests)) for name in (THREE_PAIRS, ONE_PAIR, TWO_PAIRS)
    }
    assert scored(all_right) == SetScore(3, 3, 6, 6, Fraction(1))
    assert scored({ONE_PAIR: answers(ONE_PAIR, None)}) == SetScore(3, 0, 6, 0, Fraction())


@pytest.mark.parametrize(
    ("code", "document"),
    [
        ("submission_malformed", []),
        ("submission_malformed", {}),
        ("task_unknown", {"ffffffff": []}),
        ("pairs_mismatched", {ONE_PAIR: []}),
        ("pairs_mismatched", {ONE_PAIR: {"attempt_1": WRONG}}),
        ("attempts_missing", {ONE_PAIR: [{"attempt_1": WRONG}]}),
        ("attempts_missing", {ONE_PAIR: [WRONG]}),
        ("grid_malformed", {ONE_PAIR: [{"attempt_1": WRONG, "attempt_2": "0"}]}),
        ("grid_size", {ONE_PAIR: [{"attempt_1": WRONG, "attempt_2": []}]}),
        ("grid_colour", {ONE_PAIR: [{"attempt_1": WRONG, "attempt_2": [[10]]}]}),
    ],
)
def test_an_error_has_a_code(code: str, document: object) -> None:
    with pytest.raises(TaskError) as refused:
        submission_of(json.dumps(document), TASKS)
    assert refused.value.code == code


def test_an_error_names_the_task_and_the_attempt() -> None:
    with pytest.raises(TaskError, match="f50b9d28, test input 1, attempt_2 has 0 rows"):
        submission_of(json.dumps({ONE_PAIR: [{"attempt_1": WRONG, "attempt_2": []}]}), TASKS)


def test_text_that_is_not_json_is_refused() -> None:
    with pytest.raises(TaskError) as refused:
        submission_of("{", TASKS)
    assert refused.value.code == "submission_malformed"


def test_a_set_without_tasks_has_no_score() -> None:
    with pytest.raises(RuleError) as refused:
        set_score([])
    assert refused.value.code == "set_without_tasks"
