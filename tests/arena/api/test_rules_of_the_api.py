"""What needs no server: a key's limit slides, frames as JSON, what a RESET does, when a budget is spent."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.play.frames import SIZE, Frame
from engine.play.turns import NOT_FINISHED, WIN
from playtest.arena.api.application import frames_json
from playtest.arena.api.keys import WINDOW_SECONDS, Window
from playtest.arena.api.live_runs import Progress

frames = arrays(np.uint8, (SIZE, SIZE), elements=st.integers(0, 15), fill=st.integers(0, 15))


@given(st.lists(frames, max_size=4))
def test_it_equals_json_dumps(shown: list[Frame]) -> None:
    expected = json.dumps([frame.tolist() for frame in shown], separators=(",", ":"))
    assert frames_json(shown).decode() == expected


def test_the_request_after_the_last_one_waits_until_the_first_is_a_minute_old() -> None:
    window = Window()
    assert [window.seconds_to_wait(at, 3) for at in (0.0, 10.0, 20.0)] == [0, 0, 0]
    assert window.seconds_to_wait(21.5, 3) == 39
    assert window.seconds_to_wait(60.0, 3) == 0
    assert window.seconds_to_wait(60.1, 3) == 10


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 10))
def test_no_minute_has_more_than_the_limit_and_waiting_is_enough(pauses: list[float], most: int) -> None:
    window, at, accepted = Window(), 0.0, list[float]()
    for pause in pauses:
        at += pause
        seconds = window.seconds_to_wait(at, most)
        if seconds:
            at += seconds
            assert window.seconds_to_wait(at, most) == 0
        accepted.append(at)
        assert len([one for one in accepted if one > at - WINDOW_SECONDS + 1e-5]) <= most


def after(*steps: tuple[int, bool]) -> Progress:
    progress = Progress()
    for action, completed in steps:
        progress = progress.after(action, level_completed=completed, state=NOT_FINISHED)
    return progress


def test_a_reset_restarts_the_environment_when_nothing_was_done_since_the_levels_start() -> None:
    assert after().restarts
    assert not after((1, False)).restarts
    assert after((1, False), (2, True)).restarts
    assert after((1, False), (0, False)).restarts
    assert not after((1, False), (0, False), (3, False)).restarts


def test_a_reset_restarts_a_completed_environment() -> None:
    assert Progress().after(1, level_completed=True, state=WIN).restarts


def test_exactly_five_times_the_baseline_is_allowed() -> None:
    assert not after(*[(1, False)] * 14).spent(3)
    assert after(*[(1, False)] * 15).spent(3)
    assert not after(*[(1, False)] * 15).spent(None)


def test_the_next_level_has_a_budget_of_its_own() -> None:
    assert not after(*[(1, False)] * 14, (1, True)).spent(3)


@given(st.lists(st.integers(0, 7), max_size=30))
def test_resets_count_as_actions_of_their_level(actions: list[int]) -> None:
    assert after(*[(action, False) for action in actions]).actions == len(actions)
