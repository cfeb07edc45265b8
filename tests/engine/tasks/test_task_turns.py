"""A task's turns have the frames and facts that journal, wall and replay expect of any turn."""

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
from engine.tasks.grids import OUTSIDE, PALETTE_OF_COLOURS, Grid, blank, picture, size_of
from engine.tasks.state import Submissions
from tests.engine.tasks.strategies import ANY_EDITS, SOLUTION, TWO_INPUTS

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
