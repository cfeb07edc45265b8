"""What happens on a day: who comes to which slot, what breaks, and when everybody is paused. Pure."""

from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random

from playtest.rules.attempt import AttemptRule
from playtest.rules.limits import Away, Limits
from playtest.rules.protocol import DEFAULT, Protocol

SLOTS = 3
FEWEST_STATIONS = 3
"""Two for people, and a spare one."""
_NO_SHOW = 0.08
_LATE = 0.1
LATEST = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Arrival:
    """One person of a slot. `late` is how long after the slot's start they come; None: they never do."""

    number: int
    late: timedelta | None
    walk_in: bool = False


@dataclass(frozen=True, slots=True)
class SlotPlan:
    """Who comes to a slot, and what happens in it.

    A station `breaks`. Staff pause everybody, end the slot early, or end the sessions of people who walked
    out.
    """

    arrivals: tuple[Arrival, ...]
    breaks: bool = False
    pauses: bool = False
    is_ended: bool = False
    is_cleared: bool = False

    @property
    def booked(self) -> int:
        return sum(not arrival.walk_in for arrival in self.arrivals)

    @property
    def no_shows(self) -> int:
        return sum(arrival.late is None for arrival in self.arrivals)

    @property
    def walk_ins(self) -> int:
        return sum(arrival.walk_in for arrival in self.arrivals)


def plan_day(stations: int, seed: int) -> tuple[SlotPlan, ...]:
    """The slots of a day. Each fills all stations but one, which is the spare for a broken one.

    In each slot the first person is on time and somebody else does not come; a walk-in takes that place. In
    the second slot a station breaks; in the third everybody is paused, and staff end it before its time.
    `stations` is at least FEWEST_STATIONS.
    """
    chance, first, slots = Random(f"day/{seed}"), 1, list[SlotPlan]()
    for _ in range(SLOTS):
        arrivals = _arrivals(first, stations - 1, chance)
        first += len(arrivals)
        slots.append(SlotPlan(arrivals))
    return (
        slots[0],
        replace(slots[1], breaks=True, is_cleared=True),
        replace(slots[2], pauses=True, is_ended=True),
    )


def paced(protocol: Protocol, speed: float) -> Protocol:
    """The protocol with all its times divided by `speed`, at least a second each."""
    limits, attempt = protocol.limits, protocol.attempt

    def shorter(seconds: int) -> int:
        return max(1, round(seconds / speed))

    return replace(
        protocol,
        limits=Limits(
            shorter(limits.soft_seconds), shorter(limits.hard_seconds), shorter(limits.session_seconds)
        ),
        attempt=AttemptRule(attempt.more_than_actions, shorter(attempt.less_than_seconds)),
        away=Away(round(protocol.away.seconds / speed), protocol.away.times),
    )


def protocol_of_day(people: int, speed: float) -> Protocol:
    """The default protocol, paced, with a place for everybody in every environment."""
    acceptance = replace(DEFAULT.acceptance, people=max(people, DEFAULT.acceptance.people))
    return replace(paced(DEFAULT, speed), acceptance=acceptance)


def _arrivals(first: int, seats: int, chance: Random) -> tuple[Arrival, ...]:
    absent = {place for place in range(1, seats) if chance.random() < _NO_SHOW} or {
        chance.randrange(1, seats)
    }
    booked = [
        Arrival(first + place, None if place in absent else _late(chance) if place else timedelta(0))
        for place in range(seats)
    ]
    walk_ins = [
        Arrival(first + seats + place, LATEST * chance.uniform(0.2, 1.0), walk_in=True)
        for place in range((len(absent) + 1) // 2)
    ]
    return (*booked, *walk_ins)


def _late(chance: Random) -> timedelta:
    return LATEST * chance.random() if chance.random() < _LATE else timedelta(0)
