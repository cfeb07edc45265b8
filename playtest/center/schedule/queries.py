"""Reads of slots and bookings."""

from playtest.center.schedule.models import PRESENT, Booking
from playtest.play.clock import now
from playtest.play.models import Study


def booked_without_a_code(study: Study) -> int:
    """People with a seat in a slot that is not over, who have no session yet."""
    booked = Booking.objects.filter(slot__study=study, session__isnull=True, state__in=PRESENT)
    return booked.filter(slot__cancelled_at__isnull=True, slot__ends_at__gt=now()).count()
