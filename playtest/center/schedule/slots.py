"""Every write to slots, and the one lock of the schedule: the row of the study.

Locks follow the order study, session.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from django.db import transaction

from playtest.center.schedule.messages import request_messages
from playtest.center.schedule.models import PRESENT, Booking, BookingState, MessageKind, Slot
from playtest.center.schedule.queries import offered_seats
from playtest.center.schedule.times import moment_of
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.locks import locked_study
from playtest.play.sessions.quota import NO_PLACES, places_of


def lock_slot(pk: int) -> Slot:
    """A slot whose study is locked, so that its bookings do not change. Within a transaction."""
    slot = Slot.objects.select_related("study").get(pk=pk)
    slot.study = locked_study(slot.study_id)
    slot.refresh_from_db(fields=["cancelled_at", "capacity"])
    return slot


def lock_booking(pk: int) -> Booking:
    """A booking whose study is locked. Within a transaction."""
    locked_study(Booking.objects.values_list("slot__study", flat=True).get(pk=pk))
    return Booking.objects.select_related("slot__study", "participant", "session").get(pk=pk)


def refuse_closed(slot: Slot) -> None:
    """Refusal: slot_cancelled, slot_over."""
    if slot.cancelled_at:
        raise Refusal("slot_cancelled", "This slot has been cancelled. Choose another.")
    if slot.ends_at <= now():
        raise Refusal("slot_over", "This slot is over. Choose another.")


def seats_taken(slot: Slot) -> int:
    """How many people have a seat."""
    return slot.bookings.filter(state__in=PRESENT).count()


def refuse_full(slot: Slot) -> None:
    """Refusal: slot_full."""
    if seats_taken(slot) >= slot.capacity:
        raise Refusal("slot_full", f"All {slot.capacity} seats of this slot are taken. Choose another slot.")


MOST_WEEKS, MOST_SLOTS = 26, 100
LEAST_MINUTES, MOST_MINUTES = 10, 12 * 60
MOST_CAPACITY = 500


def dates(first: date, weekdays: Sequence[int], weeks: int) -> list[date]:
    """The days on these weekdays (Monday is 0) from `first` on, in so many weeks; `first` if none is given.

    Refusal: too_many_slots.
    """
    if not weekdays:
        return [first]
    if not 1 <= weeks <= MOST_WEEKS:
        raise Refusal("too_many_slots", f"Plan from 1 to {MOST_WEEKS} weeks at once.", status=400)
    days = (first + timedelta(days=number) for number in range(7 * weeks))
    return [day for day in days if day.weekday() in weekdays]


def create_slots(
    study: Study,
    staff: Staff | None,
    *,
    days: Sequence[date],
    begins: time,
    minutes: int,
    capacity: int,
    room: str = "",
    note: str = "",
) -> list[Slot]:
    """Creates a slot on each day, all or none. They cannot offer more seats than the study has places.

    Refusal: no_slot, too_many_slots, slot_too_long, capacity_invalid, slot_in_the_past, time_does_not_exist,
    study_closed, room_taken, no_places.
    """
    _check(days, minutes, capacity)
    length = timedelta(minutes=minutes)
    starts = [moment_of(day, begins) for day in days]
    if min(starts) + length <= now():
        raise Refusal("slot_in_the_past", "This time is over. Choose a later one.", status=400)
    with transaction.atomic():
        study = locked_study(study.pk)
        if not study.open:
            raise Refusal("study_closed", "This study is closed. Open it first, or choose another.")
        _refuse_taken_room(room, starts, length)
        _refuse_without_seats(study, len(starts) * capacity)
        return [
            Slot.objects.create(
                study=study,
                room=room,
                starts_at=start,
                ends_at=start + length,
                capacity=capacity,
                note=note,
                created_at=now(),
                created_by=staff,
            )
            for start in starts
        ]


def cancel_slot(slot: Slot, staff: Staff | None, reason: str) -> list[Session]:
    """Cancels a slot: bookings and unused codes are void, and people with an address are told.

    Returns the sessions that run, which are not touched: their people are in the room.
    Refusal: slot_cancelled, reason_missing.
    """
    if not (reason := reason.strip()):
        raise Refusal("reason_missing", "Give a reason. It is stored with the slot.", status=400)
    with transaction.atomic():
        locked_study(slot.study_id)
        slot = Slot.objects.get(pk=slot.pk)
        if slot.cancelled_at:
            raise Refusal("slot_cancelled", "This slot has been cancelled already.")
        slot.cancelled_at, slot.cancelled_by, slot.cancel_reason = now(), staff, reason
        slot.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        running, absent = [], []
        for booking in slot.bookings.filter(state__in=PRESENT).select_related("session"):
            session = booking.session
            if session is not None and session.checked_in_at:
                if session.ended_at is None:
                    running.append(session)
                continue
            if session is not None:
                end_session(session, SessionEnd.CANCELLED, staff=staff)
            absent.append(booking.pk)
        absent += slot.bookings.filter(state=BookingState.WAITING).values_list("pk", flat=True)
        cancelled = Booking.objects.filter(pk__in=absent)
        cancelled.update(state=BookingState.CANCELLED, changed_at=now(), changed_by=staff)
        request_messages(cancelled, MessageKind.CANCELLATION, staff)
    return running


def _check(days: Sequence[date], minutes: int, capacity: int) -> None:
    if not days:
        raise Refusal("no_slot", "None of these weekdays is in that time. Choose others.", status=400)
    if len(days) > MOST_SLOTS:
        raise Refusal("too_many_slots", f"At most {MOST_SLOTS} slots at once: plan fewer weeks.", status=400)
    if not LEAST_MINUTES <= minutes <= MOST_MINUTES:
        message = f"A slot takes from {LEAST_MINUTES} to {MOST_MINUTES} minutes."
        raise Refusal("slot_too_long", message, status=400)
    if not 1 <= capacity <= MOST_CAPACITY:
        raise Refusal("capacity_invalid", f"A slot is for 1 to {MOST_CAPACITY} people.", status=400)


def _refuse_taken_room(room: str, starts: Sequence[datetime], length: timedelta) -> None:
    """Two slots in one room at the same time would give out more seats than it has."""
    if not room:
        return
    taken = Slot.objects.filter(room__iexact=room, cancelled_at__isnull=True)
    for start in starts:
        found = taken.filter(starts_at__lt=start + length, ends_at__gt=start).first()
        if found is not None:
            raise Refusal("room_taken", f"{found} is in this room at the same time.")


def _refuse_without_seats(study: Study, wanted: int) -> None:
    places, offered = places_of(study), offered_seats(study)
    if wanted > places.left - offered:
        more = max(0, places.left - offered)
        raise Refusal(
            NO_PLACES,
            f"{places.left_in_words} Other slots offer {offered} free"
            f" seat{'' if offered == 1 else 's'}, so at most {more} more can be offered, and not {wanted}.",
        )
