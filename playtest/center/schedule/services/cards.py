"""Codes for everybody in a slot who has not come yet, to be printed on cards."""

from dataclasses import dataclass

from django.db import transaction

from playtest.center.schedule.models import PRESENT, Booking, Slot
from playtest.center.schedule.services.bookings import give_code
from playtest.center.schedule.services.locks import lock_slot, refuse_closed
from playtest.people.models import Staff
from playtest.play.errors import Refusal


@dataclass(frozen=True)
class Card:
    """What is printed for one person; `code` as the six characters."""

    name: str
    code: str


def prepare_cards(slot: Slot, staff: Staff | None) -> list[Card]:
    """New codes, valid until the slot ends, for people who have not checked in; all of them or none.

    Codes cannot be read again, so those of an earlier print become void.
    Refusal: slot_cancelled, slot_over, nobody_to_come, and as `bookings.give_code`.
    """
    with transaction.atomic():
        slot = lock_slot(slot.pk)
        refuse_closed(slot)
        absent = slot.bookings.filter(state__in=PRESENT, session__checked_in_at__isnull=True)
        found = list(absent.select_related("participant").order_by("pk"))
        if not found:
            raise Refusal(
                "nobody_to_come", "Nobody of this slot is still to come: there is no card to print."
            )
        return [Card(_name(booking), _code(booking, staff)) for booking in found]


def _name(booking: Booking) -> str:
    return booking.participant.reference or booking.participant.label


def _code(booking: Booking, staff: Staff | None) -> str:
    try:
        return give_code(booking, staff)
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{_name(booking)}: {refusal.message}") from refusal
