"""A whole day against a running server: books and prepares it, plays its slots, checks what is recorded."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

from channels.db import database_sync_to_async
from django.db import transaction

from playtest.center.schedule.bookings import book, mark_no_show
from playtest.center.schedule.codes import prepare_cards, walk_in
from playtest.center.schedule.models import Booking, Slot
from playtest.center.schedule.slots import LEAST_MINUTES, create_slots
from playtest.center.schedule.times import local
from playtest.people.models import Staff
from playtest.people.services import new_participant
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session, Study
from playtest.play.sessions.studies import change_study, create_study
from playtest.rehearsal.day.checks import Expected, check_attempts, check_clocks, check_codes, check_pay, paid
from playtest.rehearsal.day.desk import Desk, proctor
from playtest.rehearsal.day.plan import FEWEST_STATIONS, LATEST, Arrival, SlotPlan, plan_day, protocol_of_day
from playtest.rehearsal.day.slot import SlotPlay
from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.population import population
from playtest.rehearsal.program import solutions_of_pool
from playtest.rehearsal.scheduler import MachineScheduler
from playtest.rehearsal.server_process import check as check_server
from playtest.rehearsal.services import Seat, give_back, take_stations
from playtest.studio.models import Environment


def plan_slot(study: Study, seats: int, speed: float, staff: Staff) -> Slot:
    """A slot that begins in this minute and is long enough for people who come late."""
    limit = timedelta(seconds=study.protocol.limits.session_seconds) + LATEST / speed
    minutes = max(LEAST_MINUTES, math.ceil(limit.total_seconds() / 60) + 1)
    begins = local(machine_now()).replace(second=0, microsecond=0)
    [slot] = create_slots(
        study, staff, days=[begins.date()], begins=begins.time(), minutes=minutes, capacity=seats
    )
    return slot


def book_people(slot: Slot, people: Sequence[Person], staff: Staff) -> list[Seat]:
    """Books new participants and gives each a card with a code."""
    with transaction.atomic():
        bookings = {}
        for person in people:
            participant = new_participant(simulated=True)
            bookings[participant.label] = (book(slot, participant, staff), person)
        codes = {card.name: card.code for card in prepare_cards(slot, staff)}
    return [Seat(person, _session(booking), codes[label]) for label, (booking, person) in bookings.items()]


def mark_absent(slot: Slot, session: int, staff: Staff) -> None:
    """Marks a booked person who does not come, which frees the seat."""
    mark_no_show(slot.bookings.get(session=session), staff)


def take_walk_in(slot: Slot, person: Person, staff: Staff) -> Seat:
    """Books a person who has come without an invitation."""
    booking, code = walk_in(slot, new_participant(simulated=True), staff)
    return Seat(person, _session(booking), code)


def _session(booking: Booking) -> int:
    booking.refresh_from_db()
    assert booking.session_id is not None
    return booking.session_id


_SWEPT_WITHIN_SECONDS = 180
"""The sweep ends the sessions of people who walked out; it runs every few seconds."""


DAY_SPEED = 20
"""A day of three slots then takes about a quarter of an hour."""


@dataclass(frozen=True)
class Day:
    """`speed` divides all times of people and of the protocol."""

    root: str
    stations: int
    seed: int
    speed: float


@dataclass
class Result:
    """What happened on a day; `problems` is empty if all of it adds up."""

    stations: int
    sessions: int
    no_shows: int
    walk_ins: int
    attempts: int = 0
    paid: Decimal = Decimal(0)
    problems: list[str] = field(default_factory=list)

    @property
    def document(self) -> dict[str, Any]:
        """What the command prints as JSON; `paid` is an amount as text."""
        found = asdict(self) | {"paid": str(self.paid), "adds_up": not self.problems}
        del found["problems"]
        return found

    @property
    def sentence(self) -> str:
        verdict = "It all adds up." if not self.problems else "It does not add up:"
        return (
            f"{self.sessions} people played at {self.stations} stations, {self.walk_ins} of them walk-ins;"
            f" {self.no_shows} did not come. {self.attempts} attempts, {self.paid} paid. {verdict}"
        )


def rehearse_day(day: Day, report: Callable[[str], None]) -> Result:
    """Plays a day of three slots in a rehearsal made for it, which is closed whatever happens.

    Refusal: stations_too_few, no_environment, no_free_station. Raises RehearsalFailed.
    """
    if day.stations < FEWEST_STATIONS:
        raise Refusal("stations_too_few", f"A day needs at least {FEWEST_STATIONS} stations.")
    check_server(day.root)
    plans = plan_day(day.stations, day.seed)
    people = {
        person.number: person for person in population(sum(len(plan.arrivals) for plan in plans), day.seed)
    }
    came = sum(arrival.late is not None for plan in plans for arrival in plan.arrivals)
    result = Result(
        day.stations, came, sum(plan.no_shows for plan in plans), sum(plan.walk_ins for plan in plans)
    )
    seen: dict[tuple[int, int], int] = {}
    with (
        study_of_day(len(people), day.speed) as study,
        _stations(day.stations) as stations,
        proctor() as (staff, password),
    ):
        player = _Player(day, study, people, stations, staff, result, seen)
        for number, plan in enumerate(plans, start=1):
            report(f"slot {number}: {plan.booked} booked, {plan.no_shows} no-shows, {plan.walk_ins} walk-ins")
            slot = plan_slot(study, day.stations - 1, day.speed, staff)
            asyncio.run(player.play(slot, plan, password))
            _wait_for_sweep(study)
    expected = Expected(len(people), came, result.no_shows)
    result.problems += check_codes(study, expected)
    result.problems += check_attempts(study, seen)
    result.problems += check_clocks(study)
    result.problems += check_pay(study)
    result.attempts, result.paid = Attempt.objects.filter(session__study=study).count(), paid(study)
    return result


@dataclass
class _Player:
    day: Day
    study: Study
    people: dict[int, Person]
    stations: list[str]
    staff: Staff
    result: Result
    seen: dict[tuple[int, int], int]

    def __post_init__(self) -> None:
        self._solutions_of = solutions_of_pool(self.study)

    async def play(self, slot: Slot, plan: SlotPlan, password: str) -> None:
        """Plays one slot, and records what did not happen as it must."""
        desk = Desk(self.day.root)
        await desk.sign_in(password)
        in_database = database_sync_to_async
        booked = await in_database(book_people)(slot, self._booked(plan), self.staff)
        absent = self._absent(plan, booked)

        async def walk_in(arrival: Arrival) -> Seat:
            if absent:
                await in_database(mark_absent)(slot, absent.pop(), self.staff)
            return await in_database(take_walk_in)(slot, self.people[arrival.number], self.staff)

        scheduler = MachineScheduler(self.day.speed)
        playing = SlotPlay(self.day.root, slot.pk, plan, self.stations, desk, scheduler, self._solutions_of)
        await playing.play(booked, walk_in)
        for session in absent:
            await in_database(mark_absent)(slot, session, self.staff)
        self.seen |= playing.seen
        self.result.problems += playing.problems

    def _booked(self, plan: SlotPlan) -> list[Person]:
        return [self.people[arrival.number] for arrival in plan.arrivals if not arrival.walk_in]

    def _absent(self, plan: SlotPlan, booked: list[Seat]) -> list[int]:
        """The sessions of the people who do not come."""
        numbers = {arrival.number for arrival in plan.arrivals if arrival.late is None}
        return [one.session for one in booked if one.person.number in numbers]


@contextmanager
def study_of_day(people: int, speed: float) -> Iterator[Study]:
    """A rehearsal made for one day, which is closed whatever happens. Refusal: no_environment."""
    pool = list(Environment.objects.interactive().filter(current__isnull=False))
    if not pool:
        raise Refusal("no_environment", "Import an environment first: there is nothing to play.")
    name = f"Day in rehearsal {local(machine_now()):%Y-%m-%d %H:%M:%S}"
    protocol = protocol_of_day(people, speed)
    study = create_study(None, name=name, pool=pool, protocol=protocol, rehearsal=True)
    try:
        yield study
    finally:
        change_study(study, pool=study.pool.all(), open=False, reason="The day of this rehearsal is over.")


@contextmanager
def _stations(count: int) -> Iterator[list[str]]:
    cookies = take_stations(count)
    try:
        yield cookies
    finally:
        give_back(cookies)


def _wait_for_sweep(study: Study) -> None:
    """Waits until the server has ended the sessions of people who walked out."""
    deadline = (
        time.monotonic()
        + _SWEPT_WITHIN_SECONDS
        + timedelta(seconds=study.protocol.limits.session_seconds).total_seconds()
    )
    open_sessions = Session.objects.filter(study=study, ended_at__isnull=True)
    while open_sessions.exists() and time.monotonic() < deadline:
        time.sleep(0.5)
