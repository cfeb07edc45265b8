"""Reads of slots and bookings."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import inf
from typing import Any

from django.db.models import Count, Q, QuerySet

from playtest.center.schedule.models import PRESENT, Booking, BookingKind, BookingState, Message, Slot
from playtest.center.schedule.times import local, week_of
from playtest.people.models import Participant, Staff
from playtest.people.participants import other_records, records_of
from playtest.play.clock import now
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.quota import candidates, environments_played_by, places_of
from playtest.rules.text import name_order

_HAS_SEAT = Q(bookings__state__in=PRESENT)
_ON_TIME = timedelta(minutes=1)
"""A check-in within this time from the start is not late."""


def booked_without_a_code(study: Study) -> int:
    """People with a seat in a slot that is not over, who have no session yet."""
    booked = Booking.objects.filter(slot__study=study, session__isnull=True, state__in=PRESENT)
    return booked.filter(slot__cancelled_at__isnull=True, slot__ends_at__gt=now()).count()


def places_part(reader: Staff | None, study: Study) -> dict[str, Any]:
    """What a study's page says about its places; nothing once the study is closed."""
    return {"places": places_of(study) if study.open else None}


def offered_seats(study: Study) -> int:
    """Free seats of the study's slots that are not over."""
    upcoming = slots().filter(study=study, cancelled_at__isnull=True, ends_at__gt=now())
    return sum(max(0, slot.capacity - slot.booked) for slot in upcoming)


def slots() -> QuerySet[Any]:
    """Slots in order of time, each with its numbers `booked`, `arrived` and `no_shows`."""
    return (
        Slot.objects.select_related("study")
        .annotate(
            booked=Count("bookings", filter=_HAS_SEAT),
            arrived=Count("bookings", filter=_HAS_SEAT & Q(bookings__session__checked_in_at__isnull=False)),
            no_shows=Count("bookings", filter=Q(bookings__state=BookingState.NO_SHOW)),
        )
        .order_by("starts_at", "room", "pk")
    )


def days_of_week(day: date) -> list[tuple[datetime, list[Slot]]]:
    """The slots of the week of a day, by the days that have any."""
    begin, end = week_of(day)
    days: defaultdict[date, list[Slot]] = defaultdict(list)
    for slot in slots().filter(starts_at__gte=begin, starts_at__lt=end):
        days[local(slot.starts_at).date()].append(slot)
    return [(found[0].starts_at, found) for _, found in sorted(days.items())]


def upcoming(study: Study, but: Slot | None = None) -> list[Slot]:
    """Slots of a study with a free seat that are not over, for moving a person."""
    found = slots().filter(study=study, cancelled_at__isnull=True, ends_at__gt=now())
    return [slot for slot in found if slot.booked < slot.capacity and slot != but]


@dataclass(frozen=True)
class History:
    """What a person did before: sessions with a check-in, environments met; and environments left here."""

    sessions: int
    met: int
    left: int


def histories(people: Collection[int], study: Study, but: Collection[int] = ()) -> dict[int, History]:
    """The history of each person, over all studies and records, and what this study still has for them.

    Sessions in `but` are not before: neither they nor their environments count as such.
    """
    target = study.protocol.acceptance.people
    open_now = {one.environment for one in candidates(study) if one.people < target}
    records = records_of(people)
    sessions = Counter(
        Session.objects.filter(
            participant__in={pk for found in records.values() for pk in found}, checked_in_at__isnull=False
        )
        .exclude(pk__in=but)
        .values_list("participant", flat=True)
    )
    ever, before = environments_played_by(people), environments_played_by(people, but)
    return {
        person: History(
            sum(sessions[pk] for pk in records[person]), len(before[person]), len(open_now - ever[person])
        )
        for person in people
    }


@dataclass(frozen=True)
class Row:
    """One person of a slot, as the slot's page shows them."""

    booking: Booking
    state: str
    history: History
    other_records: list[Participant]
    message: Message | None
    waiting: bool
    """Whether the person has a seat and has not come."""

    @property
    def names(self) -> str:
        """By which the person is found on the page."""
        person = self.booking.participant
        email = person.contact.email if hasattr(person, "contact") else ""
        return f"{person.reference} {person.label} {email}".strip()

    @property
    def may_get_code(self) -> bool:
        """A seat and a session that has not ended, or a no-show who came after all."""
        booking = self.booking
        if booking.slot.cancelled_at is not None:
            return False
        if booking.state == BookingState.NO_SHOW:
            return True
        return booking.state in PRESENT and (booking.session is None or booking.session.ended_at is None)


def rows(slot: Slot, *, by_time: bool = False) -> list[Row]:
    """The people of a slot: those with a seat first, by name, or by when they came and who has not last."""
    found = list(
        slot.bookings.select_related("participant__contact", "session", "slot").prefetch_related("messages")
    )
    here = {booking.session_id for booking in found if booking.session_id is not None}
    people = [booking.participant_id for booking in found]
    past, others = histories(people, slot.study, here), other_records(people)
    made = [
        Row(
            booking,
            describe(booking),
            past[booking.participant_id],
            others[booking.participant_id],
            max(booking.messages.all(), key=lambda message: message.pk, default=None),
            booking.state in PRESENT and not _has_come(booking),
        )
        for booking in found
    ]
    return sorted(made, key=lambda row: _place_in_list(row.booking, by_time))


def _place_in_list(booking: Booking, by_time: bool) -> tuple[Any, ...]:
    came = booking.session.checked_in_at if booking.session else None
    time = came.timestamp() if came else inf
    name = name_order(booking.participant.reference or booking.participant.label)
    return booking.state not in PRESENT, time if by_time else 0.0, name, booking.pk


def present_states(slot: Slot) -> list[tuple[Booking, str]]:
    """Each booking of a slot with its state in words, now."""
    return [(booking, describe(booking)) for booking in slot.bookings.select_related("slot", "session")]


def describe(booking: Booking) -> str:
    """The state of a booking in words, with how late an invited person came; walk-ins are never late."""
    session = booking.session
    if booking.state not in PRESENT:
        return BookingState(booking.state).label
    if session is None or session.checked_in_at is None:
        invited = "walked in" if booking.kind == BookingKind.WALK_IN else BookingState(booking.state).label
        return f"{invited}, has a code" if session is not None else invited
    came = "walked in"
    if booking.kind != BookingKind.WALK_IN:
        minutes = minutes_late(booking.slot, session)
        came = f"came {minutes} min late" if minutes else "came on time"
    if session.ended_at is None:
        return came
    return f"{came}; ended: {SessionEnd(session.end_reason).label}"


def minutes_late(slot: Slot, session: Session) -> int:
    """Whole minutes from the start of the slot to the check-in; 0 if the person came on time."""
    if session.checked_in_at is None or session.checked_in_at < slot.starts_at + _ON_TIME:
        return 0
    return int((session.checked_in_at - slot.starts_at).total_seconds() // 60)


def _has_come(booking: Booking) -> bool:
    return booking.session is not None and booking.session.checked_in_at is not None
