"""The clock of an attempt stands still while it is set aside; the session's clock runs on."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.adjustments import Adjustments, Aside, Pause
from playtest.rules.attempt import Outcome
from playtest.rules.limits import Limits, attempt_deadline, session_deadline

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
OWN, OTHER = 1, 2


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def pause(start: int, end: int | None) -> Pause:
    return Pause(after(start), None if end is None else after(end))


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
    assert clock.running(START, after(61)).total_seconds() == counted
    assert session.running(START, after(61)).total_seconds() == sum(
        not covers(paused, second) for second in range(61)
    )
    for before, later in zip(clock.pauses, clock.pauses[1:], strict=False):
        assert before.end is not None
        assert before.end <= later.start


def test_time_aside_moves_the_hard_limit_and_not_the_sessions() -> None:
    limits = Limits(soft_seconds=60, hard_seconds=120, session_seconds=600)
    aside = Adjustments(aside=(Aside(OWN, pause(30, 130)),))
    assert attempt_deadline(START, START, limits, aside, OWN) == (after(220), Outcome.TIMED_OUT)
    assert attempt_deadline(START, START, limits, aside, OTHER) == (after(120), Outcome.TIMED_OUT)
    assert session_deadline(START, limits, aside) == after(600)


def test_what_is_set_aside_ends_with_the_session() -> None:
    limits = Limits(soft_seconds=60, hard_seconds=120, session_seconds=600)
    aside = Adjustments(aside=(Aside(OWN, pause(30, None)),))
    assert attempt_deadline(START, START, limits, aside, OWN) == (after(600), Outcome.SESSION_OVER)


def test_until_a_moment_only_what_had_begun_is_aside() -> None:
    aside = Adjustments(aside=(Aside(OWN, pause(10, 20)), Aside(OWN, pause(30, None))))
    assert aside.until(after(15)).aside == (Aside(OWN, pause(10, 15)),)
    assert aside.until(after(40)).aside == (Aside(OWN, pause(10, 20)), Aside(OWN, pause(30, 40)))
