"""Marks people who did not come."""

from datetime import timedelta

from django.db import transaction

from playtest.center.schedule.models import PRESENT, Booking, BookingState, Slot
from playtest.center.schedule.services.locks import lock_booking, lock_slot
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import SessionEnd
from playtest.play.sessions.services import end_session

GRACE = timedelta(minutes=15)
"""From the start of a slot until everybody who has not come may be marked at once."""


def mark_no_show(booking: Booking, staff: Staff | None) -> Booking:
    """Marks that a person did not come: seat and place are free again, and the code is void.

    Refusal: not_booked, has_come, slot_not_begun. If the person comes after all, `give_code` makes a session.
    """
    with transaction.atomic():
        booking = lock_booking(booking.pk)
        if booking.slot.starts_at > now():
            raise Refusal("slot_not_begun", "This slot has not begun. Cancel the booking instead.")
        if booking.state not in PRESENT:
            raise Refusal("not_booked", "This person has no seat in this slot any more.")
        if booking.session is not None and booking.session.checked_in_at:
            raise Refusal("has_come", "This person has checked in.")
        _mark(booking, staff)
    return booking


def mark_no_shows(slot: Slot, staff: Staff | None) -> list[Booking]:
    """Marks everybody with a seat who has not checked in. Refusal: grace_not_over, slot_cancelled."""
    with transaction.atomic():
        slot = lock_slot(slot.pk)
        if slot.cancelled_at:
            raise Refusal("slot_cancelled", "This slot has been cancelled.")
        if now() < slot.starts_at + GRACE:
            minutes = int(GRACE.total_seconds() // 60)
            message = (
                f"People have {minutes} minutes from the start to come. Mark them one by one until then."
            )
            raise Refusal("grace_not_over", message)
        absent = slot.bookings.filter(state__in=PRESENT, session__checked_in_at__isnull=True)
        found = list(absent.select_related("session", "participant").order_by("pk"))
        for booking in found:
            _mark(booking, staff)
    return found


def _mark(booking: Booking, staff: Staff | None) -> None:
    if booking.session is not None:
        end_session(booking.session, SessionEnd.NO_SHOW, staff=staff)
    booking.state, booking.changed_at, booking.changed_by = BookingState.NO_SHOW, now(), staff
    booking.save(update_fields=["state", "changed_at", "changed_by"])
