"""Absences and outages cost nothing as far as the protocol says: against a count second by second."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.adjustments import Adjustments, Pause
from playtest.rules.limits import (
    Away,
    Limits,
    attempt_deadline,
    elapsed_seconds,
    excused,
    hard_deadline,
    if_away,
    is_absence,
    session_deadline,
)
from playtest.rules.outages import LONGEST_SILENCE, LONGEST_STALL, Outage, outages
from tests.refusals import rule_refused

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LIMITS = Limits(soft_seconds=1200, hard_seconds=1800, session_seconds=5400)
AWAY = Away(seconds=300, times=20)
NOTHING = Adjustments()


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def away(
    since: float, until: float | None, before: Adjustments = NOTHING, allowed: Away = AWAY
) -> Adjustments:
    """The adjustments with this absence."""
    pauses = excused(at(since), None if until is None else at(until), allowed, before, START)
    ordered = sorted([*before.pauses, *pauses], key=lambda pause: pause.start)
    return replace(before, pauses=tuple(ordered))


def cost(until: float, adjustments: Adjustments, since: float = 0) -> float:
    """Seconds on the clock between two moments."""
    return elapsed_seconds(at(since), at(until), adjustments)


@pytest.mark.parametrize(("seconds", "charged"), [(299, 0), (300, 0), (301, 1), (2, 0)])
def test_an_absence_costs_what_exceeds_the_allowance(seconds: int, charged: int) -> None:
    assert cost(100 + seconds, away(100, 100 + seconds), since=100) == charged


def test_the_hard_limit_waits_for_somebody_who_is_away_as_it_passes() -> None:
    made = away(1790, 1808)
    assert hard_deadline(START, LIMITS, made) == at(1818)
    assert session_deadline(START, LIMITS, made) == at(5418)


def test_of_two_absences_each_has_the_allowance() -> None:
    made = away(700, 1000, away(100, 220))
    assert made.own_outages(START, at(5000)) == [timedelta(seconds=120), timedelta(seconds=300)]
    assert cost(1100, made) == 1100 - 120 - 300


def test_only_so_many_absences_are_excused() -> None:
    once = away(100, 220, allowed=Away(300, 1))
    assert away(700, 800, once, Away(300, 1)) == once


def test_a_silence_between_two_pings_is_an_absence_only_of_a_page_that_connects_again() -> None:
    assert [is_absence(at(0), at(end), reconnects=False) for end in (5, 6)] == [False, True]
    assert [is_absence(at(0), at(end), reconnects=True) for end in (0.5, 1)] == [False, True]
    assert away(100, 103).own_outages(START, at(5000)) == [], "and uses up nothing"


def test_zeros_mean_that_it_is_charged_as_ever() -> None:
    assert away(100, 220, allowed=Away()) == NOTHING


def test_an_absence_that_is_recorded_is_not_excused_again() -> None:
    once = away(100, 220)
    assert away(100, 220, once) == once


def test_time_in_which_the_clock_stood_still_anyway_is_not_counted_twice() -> None:
    """A pause by staff in the midst, and an outage of the servers that began before."""
    before = Adjustments((Pause(at(90), at(130)), Pause(at(200), at(260))))
    made = away(100, 700, before)
    assert cost(700, made, since=100) == 600 - 30 - 60 - 300
    assert made.own_outages(START, at(5000)) == [timedelta(seconds=300)], "it is one, in parts"


def test_an_absence_within_an_open_pause_ends_no_clock() -> None:
    made = away(100, 200, Adjustments((Pause(at(50)),)))
    assert made.pauses == (Pause(at(50)),)


def test_of_somebody_who_does_not_come_back_the_clock_runs_on_after_the_allowance() -> None:
    made = if_away(at(1700), AWAY, NOTHING, START)
    deadline = attempt_deadline(START, START, LIMITS, made)
    assert deadline is not None
    assert deadline.at == at(1800 + 300)


@given(
    edges=st.sets(st.integers(0, 150), min_size=2, max_size=6),
    since=st.integers(0, 150),
    length=st.integers(6, 150),
    allowed=st.integers(1, 80),
)
def test_the_clock_agrees_with_one_that_counts_seconds(
    edges: set[int], since: int, length: int, allowed: int
) -> None:
    ordered = sorted(edges)
    pauses = list(zip(ordered[::2], ordered[1::2], strict=False))
    before = Adjustments(tuple(Pause(at(start), at(end)) for start, end in pauses))
    made = away(since, since + length, before, Away(allowed, 1))
    counted, left = 0, allowed
    for second in range(400):
        if any(start <= second < end for start, end in pauses):
            continue
        if since <= second < since + length and left:
            left -= 1
        else:
            counted += 1
    assert cost(400, made) == counted


@pytest.mark.parametrize(("seconds", "times"), [(-1, 1), (1, -1), (3601, 1), (1, 1001)])
def test_an_allowance_out_of_bounds_is_refused(seconds: int, times: int) -> None:
    with rule_refused("away_invalid"):
        Away(seconds, times)


BEGIN = datetime(2026, 11, 22, 9, tzinfo=UTC)
SECONDS = st.integers(0, 300)


def second(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


def test_a_long_silence_is_an_outage_and_a_short_one_is_none() -> None:
    assert outages(second(0), [second(10), second(19)], second(30)) == []
    assert outages(second(0), [second(10), second(40)], second(50)) == [Outage(second(10), second(40))]
    assert outages(second(0), [], second(20)) == []
    assert outages(second(0), [], second(21)) == [Outage(second(0), second(21))]


def test_the_start_of_the_only_server_ends_an_outage_however_short() -> None:
    assert outages(second(0), [second(2)], second(6), started=second(5)) == [Outage(second(2), second(6))]
    assert outages(second(0), [second(2), second(5.5)], second(6), started=second(5)) == [
        Outage(second(2), second(5.5))
    ]
    assert outages(second(0), [], second(6), started=second(-1)) == []


def test_what_a_server_knows_of_is_an_outage_though_it_is_short() -> None:
    assert outages(second(0), [], second(5), longest=LONGEST_STALL) == [Outage(second(0), second(5))]
    assert outages(second(0), [second(1)], second(5), longest=LONGEST_STALL) == [Outage(second(1), second(5))]
    assert outages(second(0), [second(1), second(2.5), second(4)], second(5), longest=LONGEST_STALL) == []


def test_a_clock_that_was_set_back_gives_no_outage() -> None:
    assert outages(second(100), [], second(40)) == []


@given(st.lists(SECONDS), SECONDS, st.none() | SECONDS, st.sampled_from([LONGEST_SILENCE, LONGEST_STALL]))
def test_outages_are_silent_apart_and_complete(
    signs: list[int], end: int, started: int | None, longest: timedelta
) -> None:
    moments = [second(sign) for sign in signs]
    found = outages(
        second(0),
        moments,
        second(end),
        None if started is None else second(started),
        longest=longest,
    )
    assert found == sorted(found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for outage in found:
        assert second(0) <= outage.start < outage.end <= second(end)
        assert not any(outage.start < sign < outage.end for sign in moments)
    known = [second(0), *(sign for sign in sorted(moments) if sign < second(end)), second(end)]
    for one, other in pairwise(known):
        assert other - one <= longest or Outage(one, other) in found
