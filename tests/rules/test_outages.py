"""A silence of all servers is an outage if it is long, or if the only server was started in it."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.outages import LONGEST_SILENCE, LONGEST_STALL, Outage, outages

BEGIN = datetime(2026, 11, 22, 9, tzinfo=UTC)
SECONDS = st.integers(0, 300)


def at(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


def test_a_long_silence_is_an_outage_and_a_short_one_is_none() -> None:
    assert outages(at(0), [at(10), at(19)], at(30)) == []
    assert outages(at(0), [at(10), at(40)], at(50)) == [Outage(at(10), at(40))]
    assert outages(at(0), [], at(20)) == []
    assert outages(at(0), [], at(21)) == [Outage(at(0), at(21))]


def test_the_start_of_the_only_server_ends_an_outage_however_short() -> None:
    assert outages(at(0), [at(2)], at(6), started=at(5)) == [Outage(at(2), at(6))]
    assert outages(at(0), [at(2), at(5.5)], at(6), started=at(5)) == [Outage(at(2), at(5.5))]
    assert outages(at(0), [], at(6), started=at(-1)) == []


def test_what_a_server_knows_of_is_an_outage_though_it_is_short() -> None:
    assert outages(at(0), [], at(5), longest=LONGEST_STALL) == [Outage(at(0), at(5))]
    assert outages(at(0), [at(1)], at(5), longest=LONGEST_STALL) == [Outage(at(1), at(5))]
    assert outages(at(0), [at(1), at(2.5), at(4)], at(5), longest=LONGEST_STALL) == []


def test_a_clock_that_was_set_back_gives_no_outage() -> None:
    assert outages(at(100), [], at(40)) == []


@given(st.lists(SECONDS), SECONDS, st.none() | SECONDS, st.sampled_from([LONGEST_SILENCE, LONGEST_STALL]))
def test_outages_are_silent_apart_and_complete(
    signs: list[int], end: int, started: int | None, longest: timedelta
) -> None:
    moments = [at(sign) for sign in signs]
    found = outages(at(0), moments, at(end), None if started is None else at(started), longest=longest)
    assert found == sorted(found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for outage in found:
        assert at(0) <= outage.start < outage.end <= at(end)
        assert not any(outage.start < sign < outage.end for sign in moments)
    known = [at(0), *(sign for sign in sorted(moments) if sign < at(end)), at(end)]
    for one, other in pairwise(known):
        assert other - one <= longest or Outage(one, other) in found
