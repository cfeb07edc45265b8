"""What needs no server: a key's limit slides, frames as JSON, what a RESET does, when a budget is spent."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.play.frames import SIZE, Frame
from engine.play.turns import NOT_FINISHED, WIN
from playtest.arena.api.application import frames_json
from playtest.arena.api.live_runs import Progress
from playtest.arena.api.turns import BURST_SECONDS, HELD_SECONDS, MINUTE_SECONDS, Pace

frames = arrays(np.uint8, (SIZE, SIZE), elements=st.integers(0, 15), fill=st.integers(0, 15))


@given(st.lists(frames, max_size=4))
def test_it_equals_json_dumps(shown: list[Frame]) -> None:
    expected = json.dumps([frame.tolist() for frame in shown], separators=(",", ":"))
    assert frames_json(shown).decode() == expected


def test_a_sixth_of_a_minute_comes_at_once_then_each_waits_for_its_turn() -> None:
    pace = Pace()
    assert [pace.seconds_to_wait(5.0, 60) for _ in range(10)] == [0.0] * 10
    assert [pace.seconds_to_wait(5.0, 60) for _ in range(8)] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [pace.seconds_to_wait(5.0, 60) for _ in range(3)] == [8, 9, 9], "what is refused does not count"
    assert pace.seconds_to_wait(14.0, 60) == 0
    assert pace.seconds_to_wait(14.0, 60) == 1


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 600))
def test_no_minute_has_more_than_its_requests_and_a_burst(pauses: list[float], most: int) -> None:
    pace, at, carried_out = Pace(), 0.0, list[float]()
    for pause in pauses:
        at += pause
        wait = pace.seconds_to_wait(at, most)
        if wait > HELD_SECONDS + 1e-6:
            at += wait - HELD_SECONDS
            wait = pace.seconds_to_wait(at, most)
        assert wait <= HELD_SECONDS + 1e-5, "to wait as long as one is told is enough"
        carried_out.append(at + wait)
        within = [one for one in carried_out if one > at + wait - MINUTE_SECONDS]
        assert len(within) <= most + most * BURST_SECONDS / MINUTE_SECONDS + 1


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
