"""A rehearsed day always has no-shows, walk-ins, a station that breaks and a pause for all."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as some

from playtest.rehearsal.day.plan import SLOTS, plan_day, protocol_of_day
from playtest.rules.protocol import DEFAULT

STATIONS = some.integers(3, 60)
SEEDS = some.integers(0, 10**6)


@given(STATIONS, SEEDS)
def test_every_slot_has_a_seat_for_everybody_who_comes(stations: int, seed: int) -> None:
    for slot in plan_day(stations, seed):
        came = [arrival for arrival in slot.arrivals if arrival.late is not None]
        assert slot.booked == stations - 1
        assert len(came) <= stations - 1
        assert slot.arrivals[0].late == timedelta(0)
        assert slot.walk_ins >= 1
        assert 1 <= slot.walk_ins <= slot.no_shows < stations - 1


@given(STATIONS, SEEDS)
def test_a_day_is_the_same_for_the_same_seed_and_nobody_comes_twice(stations: int, seed: int) -> None:
    slots = plan_day(stations, seed)
    numbers = [arrival.number for slot in slots for arrival in slot.arrivals]
    assert slots == plan_day(stations, seed)
    assert numbers == list(range(1, len(numbers) + 1))
    assert [slot.breaks for slot in slots] == [False, True, False]
    assert [slot.pauses for slot in slots] == [slot.is_ended for slot in slots] == [False, False, True]
    assert len(slots) == SLOTS


def test_speed_divides_the_times_of_the_protocol_and_nothing_else() -> None:
    fast = protocol_of_day(people=50, speed=20)
    assert (fast.limits.soft_seconds, fast.limits.hard_seconds, fast.limits.session_seconds) == (60, 90, 270)
    assert (fast.attempt.more_than_actions, fast.attempt.less_than_seconds) == (30, 90)
    assert (fast.acceptance.people, fast.acceptance.solvers) == (50, DEFAULT.acceptance.solvers)
    assert fast.pay == DEFAULT.pay
    assert protocol_of_day(people=3, speed=1) == DEFAULT
    assert min(protocol_of_day(people=3, speed=10_000).document["limits"].values()) == 1
