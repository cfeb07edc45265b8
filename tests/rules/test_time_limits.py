"""When limits are due, what time aside does to them, and what counts as an attempt."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.adjustments import Adjustments, Aside, Pause
from playtest.rules.attempt import AttemptRule, Outcome
from playtest.rules.limits import (
    Limits,
    attempt_deadline,
    hard_deadline,
    is_over,
    seconds_left,
    session_deadline,
    soft_deadline,
)
from playtest.rules.pipeline import InternalPlay, plays_that_count
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


BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
OWN, OTHER = 1, 2


def later(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def pause(start: int, end: int | None) -> Pause:
    return Pause(later(start), None if end is None else later(end))


@st.composite
def intervals(draw: st.DrawFn) -> list[tuple[int, int | None]]:
    """Intervals of one kind in order of time that do not overlap; the last may be open."""
    edges = sorted(draw(st.lists(st.integers(0, 60), unique=True, max_size=6)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    return [*pairs, (edges[-1], None)] if len(edges) % 2 else list(pairs)


def covers(times: list[tuple[int, int | None]], second: int) -> bool:
    return any(start <= second and (end is None or second < end) for start, end in times)


@given(intervals(), intervals(), intervals())
def test_a_second_counts_unless_the_session_is_paused_or_the_attempt_is_set_aside(
    paused: list[tuple[int, int | None]],
    own: list[tuple[int, int | None]],
    other: list[tuple[int, int | None]],
) -> None:
    aside = [Aside(OWN, pause(*one)) for one in own] + [Aside(OTHER, pause(*one)) for one in other]
    session = Adjustments(tuple(pause(*one) for one in paused), aside=tuple(aside))
    counted = sum(not covers(paused, second) and not covers(own, second) for second in range(61))
    clock = session.of_attempt(OWN)
    assert clock.running(BEGAN, later(61)).total_seconds() == counted
    assert session.running(BEGAN, later(61)).total_seconds() == sum(
        not covers(paused, second) for second in range(61)
    )
    for before, following in zip(clock.pauses, clock.pauses[1:], strict=False):
        assert before.end is not None
        assert before.end <= following.start


def test_time_aside_moves_the_hard_limit_and_not_the_sessions() -> None:
    limits = Limits(soft_seconds=60, hard_seconds=120, session_seconds=600)
    aside = Adjustments(aside=(Aside(OWN, pause(30, 130)),))
    assert attempt_deadline(BEGAN, BEGAN, limits, aside, OWN) == (later(220), Outcome.TIMED_OUT)
    assert attempt_deadline(BEGAN, BEGAN, limits, aside, OTHER) == (later(120), Outcome.TIMED_OUT)
    assert session_deadline(BEGAN, limits, aside) == later(600)


def test_what_is_set_aside_ends_with_the_session() -> None:
    limits = Limits(soft_seconds=60, hard_seconds=120, session_seconds=600)
    aside = Adjustments(aside=(Aside(OWN, pause(30, None)),))
    assert attempt_deadline(BEGAN, BEGAN, limits, aside, OWN) == (later(600), Outcome.SESSION_OVER)


def test_until_a_moment_only_what_had_begun_is_aside() -> None:
    aside = Adjustments(aside=(Aside(OWN, pause(10, 20)), Aside(OWN, pause(30, None))))
    assert aside.until(later(15)).aside == (Aside(OWN, pause(10, 15)),)
    assert aside.until(later(40)).aside == (Aside(OWN, pause(10, 20)), Aside(OWN, pause(30, 40)))


MINUTE = 60
RULE = AttemptRule(more_than_actions=30, less_than_seconds=1800)


@pytest.mark.parametrize(
    ("seconds", "counts"),
    [
        (0, True),
        (19 * MINUTE + 59, True),
        (20 * MINUTE, True),
        (29 * MINUTE + 59, True),
        (30 * MINUTE - 0.001, True),
        (30 * MINUTE, False),
        (31 * MINUTE, False),
    ],
)
def test_an_attempt_counts_with_less_than_30_minutes(seconds: float, counts: bool) -> None:
    assert RULE.counts(31, seconds) is counts


@pytest.mark.parametrize(
    ("seconds", "granted", "counts"),
    [(1810, 300, True), (1810, 0, False), (2099.999, 300, True), (2100, 300, False)],
)
def test_an_attempt_counts_as_long_as_the_time_granted_to_it_lasts(
    seconds: float, granted: float, counts: bool
) -> None:
    assert RULE.counts(31, seconds, granted) is counts
    assert (RULE.why_not_counted(31, seconds, granted) is None) is counts


@pytest.mark.parametrize(
    ("actions", "seconds", "sentence"),
    [
        (31, 1799, None),
        (30, 1799, "Not counted: it has 30 actions and needs more than 30."),
        (31, 1800, "Not counted: it lasted 30:00 and must last less than 30:00."),
        (
            1,
            1865,
            "Not counted: it has 1 action and needs more than 30, "
            "and it lasted 31:05 and must last less than 30:00.",
        ),
    ],
)
def test_the_reason_is_given_in_one_sentence(actions: int, seconds: float, sentence: str | None) -> None:
    assert RULE.why_not_counted(actions, seconds) == sentence


@pytest.mark.parametrize(("actions", "seconds"), [(-1, 120), (10, 0), (10, -1)])
def test_invalid_limits_are_refused(actions: int, seconds: int) -> None:
    with rule_refused("attempt_rule_invalid"):
        AttemptRule(actions, seconds)


@pytest.mark.parametrize(
    ("outcome", "actions", "at_once"),
    [("gave_up", 30, True), ("gave_up", 31, False), ("timed_out", 0, True), ("session_over", 0, False)],
)
def test_a_person_who_stops_with_too_few_actions_left_at_once(
    outcome: str, actions: int, at_once: bool
) -> None:
    assert RULE.left_at_once(outcome, actions) is at_once


@given(actions=st.integers(0, 100), seconds=st.floats(0, 4000))
def test_both_conditions_are_necessary_and_sufficient(actions: int, seconds: float) -> None:
    assert RULE.counts(actions, seconds) == (actions > 30 and seconds < 1800)


def test_a_play_counts_with_a_completed_level_or_a_comment() -> None:
    assert not InternalPlay(1, 1, 0).counts
    assert InternalPlay(1, 1, 0, commented=True).counts
    assert InternalPlay(1, 1, 1).counts


def test_each_player_but_the_owner_counts_once_by_the_first_play_that_counts() -> None:
    plays = [
        InternalPlay(1, 10, 0),
        InternalPlay(2, 20, 3),
        InternalPlay(3, 10, 1),
        InternalPlay(4, 10, 6),
    ]
    assert {player: play.attempt for player, play in plays_that_count(plays, 20).items()} == {10: 3}
    assert set(plays_that_count(plays, None)) == {10, 20}
