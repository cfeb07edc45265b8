"""When the prompt to conclude is due, and when actions are no longer accepted."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import Outcome
from playtest.rules.limits import (
    Limits,
    attempt_deadline,
    hard_deadline,
    is_over,
    seconds_left,
    session_deadline,
    soft_deadline,
)
from playtest.rules.protocol import DEFAULT
from tests.refusals import rule_refused

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PROTOCOL = DEFAULT.limits

moments = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.timezones())  # noqa: DTZ001
limits_of_a_study = st.builds(
    lambda soft, grace, session: Limits(soft, soft + grace, session),
    soft=st.integers(1, 5_000),
    grace=st.integers(0, 5_000),
    session=st.integers(1, 20_000),
)


def after(clock: str) -> datetime:
    minutes, seconds = clock.split(":")
    return START + timedelta(minutes=int(minutes), seconds=float(seconds))


@pytest.mark.parametrize(
    ("clock", "reached"),
    [
        ("19:59", []),
        ("19:59.999", []),
        ("20:00", ["soft"]),
        ("29:59.999", ["soft"]),
        ("30:00", ["soft", "hard"]),
        ("89:59.999", ["soft", "hard"]),
        ("90:00", ["soft", "hard", "session"]),
    ],
)
def test_an_attempt_is_prompted_at_20_minutes_and_cut_off_at_30(clock: str, reached: list[str]) -> None:
    ends = {"soft": soft_deadline, "hard": hard_deadline, "session": session_deadline}
    assert [name for name, end in ends.items() if is_over(end(START, PROTOCOL), after(clock))] == reached


@pytest.mark.parametrize(
    ("first_frame", "ends", "cause"),
    [
        ("0:00", "30:00", Outcome.TIMED_OUT),
        ("59:59", "89:59", Outcome.TIMED_OUT),
        ("60:00", "90:00", Outcome.TIMED_OUT),
        ("60:01", "90:00", Outcome.SESSION_OVER),
        ("89:00", "90:00", Outcome.SESSION_OVER),
    ],
)
def test_the_earlier_limit_ends_an_attempt_and_the_hard_one_on_a_tie(
    first_frame: str, ends: str, cause: Outcome
) -> None:
    assert attempt_deadline(after(first_frame), START, PROTOCOL) == (after(ends), cause)


def test_a_change_of_clocks_in_the_middle_of_a_session_moves_no_deadline() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    before_spring_forward = datetime(2026, 3, 29, 1, 45, tzinfo=berlin)
    assert hard_deadline(before_spring_forward, PROTOCOL) == datetime(2026, 3, 29, 1, 15, tzinfo=UTC)
    assert seconds_left(datetime(2026, 3, 29, 3, 15, tzinfo=berlin), before_spring_forward) == 1800


@given(first_frame_at=moments, limits=limits_of_a_study)
def test_deadlines_are_in_utc_and_their_whole_limit_away(first_frame_at: datetime, limits: Limits) -> None:
    deadlines = [
        soft_deadline(first_frame_at, limits),
        hard_deadline(first_frame_at, limits),
        session_deadline(first_frame_at, limits),
    ]
    found = [deadline for deadline in deadlines if deadline is not None]
    assert {deadline.tzinfo for deadline in found} == {UTC}
    assert [seconds_left(deadline, first_frame_at) for deadline in found] == [
        limits.soft_seconds,
        limits.hard_seconds,
        limits.session_seconds,
    ]


@pytest.mark.parametrize("seconds", [(0, 1800, 5400), (1200, 1800, 0), (-2, -1, 5400)])
def test_a_limit_of_zero_is_refused(seconds: tuple[int, int, int]) -> None:
    with rule_refused("limit_not_positive"):
        Limits(*seconds)


def test_a_soft_limit_after_the_hard_one_is_refused() -> None:
    with rule_refused("soft_limit_after_hard"):
        Limits(soft_seconds=1801, hard_seconds=1800, session_seconds=5400)


def test_a_time_without_a_zone_is_refused() -> None:
    with rule_refused("time_without_zone"):
        hard_deadline(START.replace(tzinfo=None), PROTOCOL)
