"""Official submission files are read with coded errors, and scored at two tries per pair and per task."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.errors import TaskError
from engine.tasks.grids import listed
from engine.tasks.submission import judged, submission_of
from engine.tasks.task import task_of
from playtest.rules.errors import RuleError
from playtest.rules.tasks.success import SetScore, set_score, task_score

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
        ("grid_malformed", {ONE_PAIR: [{"attempt_1": WRONG, "attempt_2": None}]}),
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
