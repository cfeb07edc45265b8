"""A task's state and turns follow from edits alone, in the engine as in the stored vectors."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError
from engine.play.frames import Frame, decode
from engine.play.turns import GAME_OVER, NOT_FINISHED, WIN
from engine.tasks.edits import Edit, edit_of
from engine.tasks.game import TaskGame
from engine.tasks.grids import OUTSIDE, PALETTE_OF_COLOURS, Grid, blank, listed, picture, size_of
from engine.tasks.state import Submissions, TaskState, apply, start
from tests.engine.tasks.strategies import ANY_EDITS, GRID_EDITS, SOLUTION, TWO_INPUTS, task
from tests.engine.tasks.task_vectors import VECTORS, read, steps

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


SUBMIT = edit_of({"op": "submit"})


def game() -> TaskGame:
    return TaskGame(TWO_INPUTS, Submissions())


def read_back(frame: Frame, height: int, width: int) -> Grid:
    """The grid in a picture, by looking at one pixel of each cell."""
    scale = 64 // max(height, width)
    pixels = frame[: height * scale : scale, : width * scale : scale]
    return tuple(bytes(PALETTE_OF_COLOURS.index(pixel) for pixel in row) for row in pixels.tolist())


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 3), (30, 30), (30, 1), (1, 30), (20, 21)])
def test_a_picture_shows_each_cell_as_a_square(height: int, width: int) -> None:
    grid = tuple(bytes((y * 3 + x) % 10 for x in range(width)) for y in range(height))
    frame, scale = picture(grid), 64 // max(height, width)
    assert read_back(frame, height, width) == grid
    assert (frame[height * scale :] == OUTSIDE).all()
    assert (frame[:, width * scale :] == OUTSIDE).all()


@given(values=st.lists(ANY_EDITS, max_size=10))
def test_decoded_frames_show_the_grid_after_each_edit(values: list[dict[str, Any]]) -> None:
    played = game()
    frame = decode(played.turn.frames.payload, None)[-1]
    for value in values:
        try:
            turn = played.act(edit_of(value))
        except ActionError:
            continue
        frames = decode(turn.frames.payload, frame)
        frame = frames[-1]
        assert len(frames) == turn.frame_count
        assert read_back(frame, *size_of(played.state.current.grid)) == played.state.current.grid
        assert np.array_equal(decode(played.keyframe().frames.payload, None)[-1], frame)


def test_a_refused_edit_is_no_turn() -> None:
    played = game()
    before = (played.seq, played.state, played.turn)
    with pytest.raises(ActionError):
        played.act(edit_of({"op": "open", "input": 3}))
    assert (played.seq, played.state, played.turn) == before


def test_facts_say_which_input_is_open_and_how_many_are_solved() -> None:
    played = game()
    opening = played.turn
    assert (opening.seq, opening.level, opening.levels, opening.levels_completed) == (0, 1, 2, 0)
    assert (opening.state, opening.full_reset, opening.changed) == (NOT_FINISHED, True, True)
    first = played.act(SUBMIT)
    assert (first.level, first.changed, first.level_completed, first.frame_count) == (1, True, False, 1)
    second = played.act(SUBMIT)
    assert (second.level, second.levels_completed, second.level_completed, second.frame_count) == (
        2,
        0,
        False,
        2,
    )
    last = played.act(SUBMIT)
    assert (last.state, last.levels_completed, last.level_completed) == (GAME_OVER, 1, True)


def test_a_task_is_won_when_every_input_is_solved() -> None:
    played = game()
    for value in SOLUTION:
        assert played.act(edit_of(value)).state == NOT_FINISHED
    assert played.act(SUBMIT).level_completed
    assert played.act(SUBMIT).state == WIN


def test_an_edit_that_changes_nothing_is_a_turn_that_says_so() -> None:
    assert not game().act(edit_of({"op": "undo"})).changed
    assert not game().act(edit_of({"op": "clear"})).changed


@given(values=st.lists(ANY_EDITS, max_size=10))
def test_a_replay_has_the_state_hashes_of_the_play(values: list[dict[str, Any]]) -> None:
    played, done, hashes = game(), list[Edit](), list[bytes]()
    for value in values:
        try:
            hashes.append(played.act(edit_of(value)).state_hash)
        except ActionError:
            continue
        done.append(edit_of(value))
    assert game().replay(done) == hashes


def test_a_blank_grid_is_drawn_in_the_first_colour() -> None:
    assert set(picture(blank(3, 3)).ravel()) == {PALETTE_OF_COLOURS[0], OUTSIDE}


def test_the_engine_answers_as_the_vectors_say() -> None:
    stored = json.loads(VECTORS.read_text())
    assert len(stored) >= 8
    for vector in stored:
        rule = Submissions(vector["tries"], vector["most"], vector["feedback"])
        edits = [edit for edit, _ in vector["steps"]]
        assert steps(read(vector), rule, edits) == vector["steps"], vector["name"]
