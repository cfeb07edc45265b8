"""A task's state changes by edits alone, and the same edits always lead to the same state."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError
from engine.tasks.edits import edit_of
from engine.tasks.grids import listed
from engine.tasks.state import Submissions, TaskState, apply, start
from tests.engine.tasks.strategies import ANY_EDITS, GRID_EDITS, SOLUTION, TWO_INPUTS, task

RULE = Submissions()
CORNER = ({"op": "paint", "colour": 1, "cells": [1, 30]},)
PASTE_OF_DEMONSTRATION = {"op": "paste", "from": "demo_output", "pair": 1, "rect": [0, 0, 2, 2], "cell": 0}


def after(*values: dict[str, Any], rule: Submissions = RULE, of: Any = TWO_INPUTS) -> TaskState:
    state = start(of)
    for value in values:
        state = apply(of, rule, state, edit_of(value))
    return state


def after_all_possible(values: list[dict[str, Any]]) -> TaskState:
    """As `after`, passing over edits that are refused: with a code, and without a change."""
    state, refusals = start(TWO_INPUTS), set[str]()
    for value in values:
        try:
            state = apply(TWO_INPUTS, RULE, state, edit_of(value))
        except ActionError as error:
            refusals.add(error.code)
    assert refusals <= {"environment_finished", "input_closed", "edit_impossible"}
    return state


def rows(state: TaskState) -> list[str]:
    return ["".join(map(str, row)) for row in listed(state.current.grid)]


def test_the_first_grid_is_blank_and_three_by_three() -> None:
    assert rows(start(TWO_INPUTS)) == ["000", "000", "000"]


@pytest.mark.parametrize(
    ("edits", "grid"),
    [
        ([{"op": "resize", "height": 1, "width": 4}], ["0000"]),
        ([{"op": "paint", "colour": 3, "cells": [0, 31, 62, 899]}], ["300", "030", "003"]),
        ([*CORNER, {"op": "fill", "colour": 4, "cell": 0}], ["410", "100", "000"]),
        ([{"op": "copy_input"}], ["567"]),
        ([{"op": "copy_input"}, {"op": "clear"}], ["000"]),
        ([{"op": "paste", "from": "input", "rect": [0, 1, 1, 5], "cell": 31}], ["000", "067", "000"]),
        ([{"op": "paste", "from": "input", "rect": [0, 0, 1, 3], "cell": 61}], ["000", "000", "056"]),
        ([PASTE_OF_DEMONSTRATION], ["430", "210", "000"]),
        ([{"op": "paste", "from": "input", "rect": [0, 0, 1, 3], "cell": 5}], ["000", "000", "000"]),
    ],
)  # fmt: skip
def test_each_edit_changes_the_grid(edits: list[dict[str, Any]], grid: list[str]) -> None:
    assert rows(after(*edits)) == grid


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "fill", "colour": 1, "cell": 3},
        {"op": "open", "input": 3},
        {"op": "paste", "from": "input", "rect": [1, 0, 1, 1], "cell": 0},
        {"op": "paste", "from": "demo_input", "pair": 2, "rect": [0, 0, 1, 1], "cell": 0},
    ],
)
def test_an_edit_that_is_impossible_now_is_refused(edit: dict[str, Any]) -> None:
    with pytest.raises(ActionError) as raised:
        after(edit)
    assert raised.value.code == "edit_impossible"


@given(values=st.lists(GRID_EDITS, max_size=8))
def test_undo_takes_every_change_back_and_redo_makes_it_again(values: list[dict[str, Any]]) -> None:
    state = after_all_possible(values)
    changes = len(state.current.past)
    undone = state
    for _ in range(changes):
        undone = apply(TWO_INPUTS, RULE, undone, edit_of({"op": "undo"}))
    assert undone.digest == start(TWO_INPUTS).digest
    assert apply(TWO_INPUTS, RULE, undone, edit_of({"op": "undo"})) is undone
    for _ in range(changes):
        undone = apply(TWO_INPUTS, RULE, undone, edit_of({"op": "redo"}))
    assert undone == state


@given(values=st.lists(ANY_EDITS, max_size=12))
def test_the_same_edits_lead_to_the_same_state(values: list[dict[str, Any]]) -> None:
    one, other = after_all_possible(values), after_all_possible(values)
    assert one == other
    assert one.digest == other.digest


@given(values=st.lists(ANY_EDITS, max_size=20))
def test_nobody_submits_more_often_than_the_rule_allows(values: list[dict[str, Any]]) -> None:
    state = after_all_possible(values)
    assert all(len(each.submissions) <= RULE.most for each in state.inputs)


def test_a_right_submission_closes_its_input_and_opens_the_next() -> None:
    state = after(*SOLUTION, {"op": "submit"})
    assert (state.open, state.solved(RULE), state.finished(RULE)) == (1, 1, False)
    assert after(*SOLUTION, {"op": "submit"}, {"op": "submit"}).finished(
        RULE
    )  # a blank grid solves the second


def test_the_second_wrong_submission_closes_an_input_and_the_first_does_not() -> None:
    assert after({"op": "submit"}).open == 0
    state = after({"op": "submit"}, {"op": "submit"})
    assert (state.open, state.solved(RULE), state.inputs[0].closed(RULE)) == (1, 0, True)


def test_a_later_submission_is_kept_and_does_not_count() -> None:
    rule, one = Submissions(tries=2, most=4), task(([[1]], [[0, 0]]))
    state = after(
        {"op": "submit"},
        {"op": "submit"},
        {"op": "resize", "height": 1, "width": 2},
        {"op": "submit"},
        rule=rule,
        of=one,
    )
    assert state.current.submissions == (False, False, True)
    assert (state.solved(rule), state.finished(rule)) == (0, True)


def test_what_was_submitted_last_and_answered_repeats_it_until_it_is_changed() -> None:
    submit, paint = {"op": "submit"}, {"op": "paint", "colour": 8, "cells": [0]}
    blind = Submissions(feedback=False)
    assert not after().current.repeats(RULE)
    assert after(submit).current.repeats(RULE)
    assert not after(submit, rule=blind).current.repeats(blind)
    assert not after(submit, paint).current.repeats(RULE)
    assert after(submit, paint, {"op": "undo"}).current.repeats(RULE)
    assert not after(submit, paint, submit, {"op": "open", "input": 1}).current.repeats(RULE), "closed"


def test_a_closed_input_takes_no_edit_and_another_one_can_be_opened() -> None:
    two_wrong = ({"op": "submit"}, {"op": "submit"})
    with pytest.raises(ActionError) as raised:
        after(*two_wrong, {"op": "open", "input": 1}, {"op": "clear"})
    assert raised.value.code == "input_closed"
    assert after(*two_wrong, {"op": "open", "input": 1}, {"op": "open", "input": 2}).open == 1


def test_each_input_keeps_its_grid_while_another_is_open() -> None:
    state = after(
        {"op": "paint", "colour": 8, "cells": [0]}, {"op": "open", "input": 2}, {"op": "open", "input": 1}
    )
    assert rows(state) == ["800", "000", "000"]


def test_a_finished_task_takes_no_edit() -> None:
    with pytest.raises(ActionError) as raised:
        after({"op": "submit"}, {"op": "submit"}, {"op": "submit"}, {"op": "undo"})
    assert raised.value.code == "environment_finished"
