"""Who needs help and how slow a room is, each reason at its threshold."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attention import Condition, Need, needs, rank
from playtest.rules.kinds import Kind
from playtest.rules.lag import FEWEST_PRESSES, SLOW_MS, Lag, lag, press_to_paint, repeats_at_start

FINE = Condition(without_action=3.0, seconds_left=900.0, round_trip_ms=20)
AGES = st.none() | st.floats(0, 10_000)
CONDITIONS = st.builds(
    Condition,
    called=AGES,
    fault=st.booleans(),
    server_silent=AGES,
    disconnected=AGES,
    without_action=AGES,
    paused=AGES,
    on_break=AGES,
    seconds_left=AGES,
    round_trip_ms=st.none() | st.integers(0, 60_000),
    soft_limit_reached=st.booleans(),
)


@pytest.mark.parametrize(
    ("field", "below", "reached", "need"),
    [
        ("called", None, 0.0, Need.CALLS),
        ("fault", False, True, Need.FAULT),
        ("server_silent", 4.9, 5.0, Need.SERVER_SILENT),
        ("disconnected", 2.9, 3.0, Need.CONNECTION_LOST),
        ("without_action", 119.9, 120.0, Need.NO_ACTION),
        ("paused", 599.9, 600.0, Need.PAUSED_LONG),
        ("round_trip_ms", 299, 300, Need.SLOW),
        ("seconds_left", 120.1, 120.0, Need.LIMIT_NEAR),
        ("on_break", 299.9, 300.0, Need.BREAK_LONG),
        ("soft_limit_reached", False, True, Need.SOFT_LIMIT),
    ],
)
def test_each_reason_begins_at_its_threshold(field: str, below: object, reached: object, need: Need) -> None:
    assert needs(FINE._replace(**{field: below})) == []  # type: ignore[arg-type]
    assert needs(FINE._replace(**{field: reached})) == [need]  # type: ignore[arg-type]


def test_a_pause_explains_why_nothing_happens() -> None:
    assert needs(FINE._replace(paused=60.0, without_action=500.0, on_break=500.0, seconds_left=5.0)) == []


def test_a_silent_server_explains_the_lost_connection() -> None:
    assert needs(FINE._replace(server_silent=20.0, disconnected=20.0)) == [Need.SERVER_SILENT]


@given(CONDITIONS)
def test_the_worst_reason_comes_first_and_gives_the_rank(condition: Condition) -> None:
    found = needs(condition)
    assert found == [need for need in Need if need in found]
    assert rank(found) == ([*Need].index(found[0]) if found else len(Need))


def test_thinking_at_a_static_task_is_no_reason_for_minutes() -> None:
    assert needs(Condition(without_action=130.0)) == [Need.NO_ACTION]
    assert needs(Condition(without_action=130.0, kind=Kind.TASK)) == []
    assert needs(Condition(without_action=360.0, kind=Kind.TASK)) == [Need.NO_ACTION]


def test_the_next_action_or_the_page_says_how_long_an_action_took() -> None:
    assert press_to_paint([None, None, 20, None, 31], {2: 99, 4: 45}) == [None, 20, 99, 31, 45]
    assert press_to_paint([None, None, 20], {1: 500}) == [None, 20, None], "what is chained comes first"
    assert press_to_paint([None], {0: 7}) == [None]


@pytest.mark.parametrize(("slow", "expected"), [(SLOW_MS, False), (SLOW_MS + 1, True)])
def test_a_station_is_slow_by_half_of_its_presses(slow: int, expected: bool) -> None:
    assert lag([None, *range(1, 101)]) == Lag(100, 50, 95)
    assert lag([None]) is None
    usual, few = lag([slow] * FEWEST_PRESSES), lag([slow] * (FEWEST_PRESSES - 1))
    assert usual is not None
    assert usual.slow is expected
    assert few is not None
    assert not few.slow


def test_a_repeat_just_after_the_levels_first_frame_was_meant_for_the_one_before() -> None:
    at = datetime(2026, 11, 1, tzinfo=UTC)
    steps = [
        (1, 1, True, False, 0.0), (1, 1, False, True, 3.0), (1, 1, True, True, 4.0), (1, 2, False, True, 4.5),
        (1, 2, True, False, 9), (1, 3, False, True, 9.6), (2, 1, False, True, 9.6), (2, 1, True, False, 9.7),
    ]  # fmt: skip
    timed = [(*step, at + timedelta(seconds=seconds)) for *step, seconds in steps]
    assert repeats_at_start(timed) == {(1, 2)}  # type: ignore[arg-type]
