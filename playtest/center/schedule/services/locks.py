"""The one lock of the schedule: the row of the study. (`play.sessions.locks`)."""

from playtest.center.schedule.models import PRESENT, Booking, Slot
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.sessions.locks import locked_study


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


def refuse_full(slot: Slot) -> None:
    """Refusal: slot_full."""
    if slot.bookings.filter(state__in=PRESENT).count() >= slot.capacity:
        raise Refusal("slot_full", f"All {slot.capacity} seats of this slot are taken. Choose another slot.")
