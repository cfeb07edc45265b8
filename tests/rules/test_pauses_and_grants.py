"""Pauses stop the clocks, granted time moves the ends: against a simulation second by second."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.adjustments import Adjustments, Grant, Pause
from playtest.rules.attempt import AttemptRule, Outcome
from playtest.rules.limits import (
    Limits,
    attempt_deadline,
    elapsed_seconds,
    granted_time,
    hard_deadline,
    is_over,
    session_deadline,
    session_seconds_left,
    soft_deadline,
)
from playtest.rules.protocol import DEFAULT

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PROTOCOL = DEFAULT.limits
HORIZON = 400
"""Seconds that the simulation looks ahead."""


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def minutes(clock: str) -> datetime:
    whole, seconds = clock.split(":")
    return at(int(whole) * 60 + float(seconds))


def paused(*pairs: tuple[str, str | None]) -> Adjustments:
    return Adjustments(tuple(Pause(minutes(start), minutes(end) if end else None) for start, end in pairs))


def granted(clock: str, seconds: int, *, environment: bool = True, session: bool = False) -> Adjustments:
    return Adjustments(grants=(Grant(minutes(clock), seconds, environment, session, 1),))


@st.composite
def adjustments_made(draw: st.DrawFn) -> Adjustments:
    """Pauses one after the other, of which the last may be open, and grants at any time."""
    edges = sorted(draw(st.sets(st.integers(-20, 150), max_size=7)))
    ends = [*edges[1::2], None][: len(edges[::2])]
    pauses = [
        Pause(at(start), None if end is None else at(end))
        for start, end in zip(edges[::2], ends, strict=True)
    ]
    grants = draw(
        st.lists(
            st.builds(Grant, st.integers(-20, 150).map(at), st.integers(1, 40), st.booleans(), st.booleans()),
            max_size=4,
        )
    )
    return Adjustments(tuple(pauses), tuple(sorted(grants, key=lambda grant: grant.at)))


def simulated(start: int, limit: int, made: Adjustments, grants: list[Grant]) -> datetime | None:
    """The deadline of a clock that is looked at every second; None where it never reaches its limit."""
    ran = 0
    waiting = list(grants)
    for second in range(min(start, -20), HORIZON + start):
        if second >= start and ran >= limit:
            return at(second)
        while waiting and waiting[0].at <= at(second):
            limit += waiting.pop(0).seconds
        still = any(
            pause.start <= at(second) and (pause.end is None or at(second) < pause.end)
            for pause in made.pauses
        )
        ran += second >= start and not still
    return None


@given(made=adjustments_made(), start=st.integers(-30, 60), grace=st.integers(0, 30), soft=st.integers(1, 40))
def test_deadlines_are_those_of_a_clock_looked_at_every_second(
    made: Adjustments, start: int, grace: int, soft: int
) -> None:
    limits = Limits(soft, soft + grace, 2 * soft)
    for_environments = [grant for grant in made.grants if grant.environment]
    for_sessions = [grant for grant in made.grants if grant.session]
    assert soft_deadline(at(start), limits, made) == simulated(start, soft, made, [])
    assert hard_deadline(at(start), limits, made) == simulated(start, soft + grace, made, for_environments)
    assert session_deadline(at(start), limits, made) == simulated(start, 2 * soft, made, for_sessions)


@given(made=adjustments_made(), start=st.integers(-30, 60), lasted=st.integers(0, 120))
def test_time_without_pauses_is_counted_every_second(made: Adjustments, start: int, lasted: int) -> None:
    ran = sum(not made.paused_at(at(second)) for second in range(start, start + lasted))
    assert elapsed_seconds(at(start), at(start + lasted), made) == ran
    assert made.stopped(at(start), at(start + lasted)).total_seconds() == lasted - ran


@given(made=adjustments_made(), moment=st.integers(-20, 200))
def test_what_is_left_stands_still_during_a_pause_only(made: Adjustments, moment: int) -> None:
    limits = Limits(10, 20, 100)
    now, later = (session_seconds_left(at(-20), at(moment + more), limits, made) for more in (0, 1))
    granted_now = sum(
        grant.seconds for grant in made.grants if grant.session and at(moment) < grant.at <= at(moment + 1)
    )
    if not granted_now and now > 1:
        assert now - later == (0 if made.paused_at(at(moment)) else 1)


def test_a_pause_that_begins_at_the_deadline_comes_too_late() -> None:
    assert attempt_deadline(START, START, PROTOCOL, paused(("30:00", None))) == (
        minutes("30:00"),
        Outcome.TIMED_OUT,
    )


def test_time_granted_when_the_limit_is_reached_comes_too_late() -> None:
    assert hard_deadline(START, PROTOCOL, granted("30:00", 300)) == minutes("30:00")
    late = granted("90:00", 300, session=True)
    assert session_deadline(START, PROTOCOL, late) == minutes("90:00")


def test_time_granted_to_one_attempt_does_not_extend_the_next() -> None:
    made = granted("5:00", 300, session=True)
    assert hard_deadline(START, PROTOCOL, made.of_attempt(2)) == minutes("30:00")
    assert session_deadline(START, PROTOCOL, made.of_attempt(2)) == minutes("95:00")


@given(adjustments_made(), st.integers(1, 200), st.integers(1, 200))
def test_what_is_accepted_counts_and_what_comes_too_late_does_not(
    made: Adjustments, hard: int, moment: int
) -> None:
    """An action that is accepted is in time for the attempt to count, also in pauses and granted time."""
    limits, rule = Limits(1, hard, 10_000), AttemptRule(0, hard)
    known = made.until(at(moment))
    ends = hard_deadline(at(0), limits, known)
    granted_seconds = granted_time(at(0), limits, made).total_seconds()
    in_time = rule.counts(1, elapsed_seconds(at(0), at(moment), made), granted_seconds)
    if not made.paused_at(at(moment)):
        assert in_time is not is_over(hard_deadline(at(0), limits, made), at(moment))
        assert in_time or is_over(ends, at(moment))


@given(adjustments_made(), st.integers(-30, 200), st.integers(-30, 200))
def test_the_parts_between_pauses_are_when_a_clock_ran(made: Adjustments, start: int, end: int) -> None:
    parts = made.between_pauses(at(start), at(end))
    assert sum((until - since for since, until in parts), timedelta(0)) == made.running(at(start), at(end))
    edges = [edge for part in parts for edge in part]
    assert edges == sorted(edges)
    assert all(made.stopped(*part) == timedelta(0) < part[1] - part[0] for part in parts)


@given(adjustments_made(), st.integers(0, 150), st.integers(1, 40))
def test_an_outage_moves_the_limits_by_the_time_that_was_charged(
    made: Adjustments, start: int, length: int
) -> None:
    """As it is recorded: where clocks ran, in whatever order outages are found."""
    closed = Adjustments(tuple(pause for pause in made.pauses if pause.end is not None))
    parts = closed.between_pauses(at(start), at(start + length))
    both = sorted([*closed.pauses, *(Pause(*part) for part in parts)], key=lambda pause: pause.start)
    after = Adjustments(tuple(both))
    assert after.stopped(at(start), at(start + length)) == timedelta(seconds=length)
    before, moved = hard_deadline(at(0), PROTOCOL, closed), hard_deadline(at(0), PROTOCOL, after)
    assert before is not None
    assert moved is not None
    assert moved - before == sum((until - since for since, until in parts), timedelta(0))
    assert after.between_pauses(at(start), at(start + length)) == []
