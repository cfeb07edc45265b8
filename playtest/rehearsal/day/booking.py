"""The bookings of a day's slots, made as the schedule's pages make them."""

import math
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction

from playtest.center.schedule.bookings import book, mark_no_show
from playtest.center.schedule.codes import prepare_cards, walk_in
from playtest.center.schedule.models import Booking, Slot
from playtest.center.schedule.slots import LEAST_MINUTES, create_slots
from playtest.center.schedule.times import local
from playtest.people.models import Staff
from playtest.people.services import new_participant
from playtest.play.clock import machine_now
from playtest.play.models import Study
from playtest.rehearsal.day.plan import LATEST
from playtest.rehearsal.people.person import Person
from playtest.rehearsal.services import Seat


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
