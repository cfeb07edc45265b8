"""Every write to bookings: books, moves and cancels, gives codes and cards, records who did not come."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction

from playtest.center.schedule.messages import request_messages
from playtest.center.schedule.models import PRESENT, Booking, BookingKind, BookingState, MessageKind, Slot
from playtest.center.schedule.slots import lock_booking, lock_slot, refuse_closed, refuse_full
from playtest.people.models import Participant, Staff, Withdrawal
from playtest.people.participants import records_of
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.quota import refuse_code_if_nothing_left, refuse_without_places
from playtest.play.sessions.services import create_session, reissue_code


def book(
    slot: Slot,
    participant: Participant,
    staff: Staff | None,
    kind: BookingKind = BookingKind.INVITED,
    language: str = settings.LANGUAGE_CODE,
) -> Booking:
    """Books a person into a slot.

    Refusal: slot_cancelled, slot_over, slot_full, study_closed, participant_withdrawn, already_booked,
    booked_elsewhere, study_full, everything_met, no_places.
    """
    with transaction.atomic():
        slot = lock_slot(slot.pk)
        refuse_closed(slot)
        if not slot.study.open:
            raise Refusal("study_closed", "This study is closed. Open it first, or choose another.")
        if Withdrawal.objects.filter(participant=participant).exists():
            raise Refusal(
                "participant_withdrawn", "This person withdrew their consent and cannot play again."
            )
        _refuse_second(slot, participant)
        refuse_full(slot)
        refuse_code_if_nothing_left(slot.study, participant)
        refuse_without_places(slot.study)
        return Booking.objects.create(
            slot=slot,
            participant=participant,
            kind=kind,
            language=language,
            created_at=now(),
            created_by=staff,
            changed_at=now(),
            changed_by=staff,
        )


def walk_in(
    slot: Slot, participant: Participant, staff: Staff | None, language: str = settings.LANGUAGE_CODE
) -> tuple[Booking, str]:
    """Books a person who has come without an invitation; returns the booking and its code. As `book`."""
    with transaction.atomic():
        booking = book(slot, participant, staff, BookingKind.WALK_IN, language)
        return booking, give_code(booking, staff)


def give_code(booking: Booking, staff: Staff | None) -> str:
    """A new code for a person with a seat, valid until the slot ends; an earlier code is void.

    A person who comes after being marked as a no-show gets a new session and takes a place again.
    Refusal: slot_cancelled, slot_over, slot_full, not_booked, session_ended, and as `create_session`.
    """
    with transaction.atomic():
        booking = lock_booking(booking.pk)
        slot, session = booking.slot, booking.session
        refuse_closed(slot)
        if booking.state in (BookingState.DECLINED, BookingState.CANCELLED):
            raise Refusal("not_booked", "This person has no seat in this slot any more. Book them again.")
        has_place = booking.state in PRESENT
        if not has_place:
            refuse_full(slot)
        if session is None or session.end_reason == SessionEnd.NO_SHOW:
            session, code = create_session(
                slot.study,
                booking.participant,
                staff,
                code_expires_at=slot.ends_at,
                has_place=has_place,
                language=booking.language,
            )
            booking.session = session
        else:
            code = reissue_code(session, staff, code_expires_at=slot.ends_at, has_place=has_place)
        if not has_place:
            booking.state = BookingState.BOOKED
        _save(booking, staff, "session")
    return code


def cancel_booking(booking: Booking, staff: Staff | None) -> Booking:
    """Gives the seat and the place back; an unused code is void. Refusal: not_booked, has_come."""
    with transaction.atomic():
        booking = lock_booking(booking.pk)
        _release(booking, BookingState.CANCELLED, staff)
        request_messages(Booking.objects.filter(pk=booking.pk), MessageKind.CANCELLATION, staff)
    return booking


def move_booking(booking: Booking, slot: Slot, staff: Staff | None) -> Booking:
    """Moves a person who has not come to another slot of the study. An unused code stays valid until its end.

    Refusal: not_booked, has_come, other_study, and as `book`.
    """
    with transaction.atomic():
        booking = lock_booking(booking.pk)
        if booking.state not in PRESENT:
            raise Refusal("not_booked", "This person has no seat in this slot any more. Book them again.")
        _refuse_come(booking)
        slot = Slot.objects.select_related("study").get(pk=slot.pk)
        if slot.study_id != booking.slot.study_id:
            raise Refusal("other_study", "Choose a slot of the same study.")
        refuse_closed(slot)
        _refuse_second(slot, booking.participant, moved=booking)
        refuse_full(slot)
        if booking.slot.ends_at <= now():  # its place has been given back
            refuse_without_places(slot.study)
        booking.slot = slot
        booking.state = BookingState.BOOKED
        _save(booking, staff, "slot")
        if booking.session is not None:
            booking.session.code_expires_at = slot.ends_at
            booking.session.save(update_fields=["code_expires_at"])
        request_messages(Booking.objects.filter(pk=booking.pk), MessageKind.MOVED, staff)
    return booking


def answer(booking: Booking, *, comes: bool) -> Booking:
    """Records what an invited person answers; who cannot come gives seat and place back.

    Refusal: slot_cancelled, slot_over, not_booked, has_come.
    """
    with transaction.atomic():
        booking = lock_booking(booking.pk)
        refuse_closed(booking.slot)
        if comes:
            if booking.state not in PRESENT:
                raise Refusal("not_booked", "Your seat has been given back. Please ask us for another time.")
            booking.state = BookingState.CONFIRMED
            _save(booking, None)
        else:
            _release(booking, BookingState.DECLINED, None)
    return booking


def _release(booking: Booking, state: BookingState, staff: Staff | None) -> None:
    if booking.state not in PRESENT:
        raise Refusal("not_booked", "This seat has been given back already.")
    _refuse_come(booking)
    if booking.session is not None:
        end_session(booking.session, SessionEnd.CANCELLED, staff=staff)
    booking.state = state
    _save(booking, staff)


def _refuse_come(booking: Booking) -> None:
    if booking.session is not None and booking.session.checked_in_at:
        raise Refusal("has_come", "This person has checked in. End the session on its page instead.")


def _refuse_second(slot: Slot, participant: Participant, moved: Booking | None = None) -> None:
    """Refuses a person who has a seat in this slot or in one at the same time, under any record."""
    others = Booking.objects.filter(
        participant__in=records_of([participant.pk])[participant.pk],
        state__in=PRESENT,
        slot__cancelled_at__isnull=True,
        slot__starts_at__lt=slot.ends_at,
        slot__ends_at__gt=slot.starts_at,
    )
    if moved is not None:
        others = others.exclude(pk=moved.pk)
    found = others.select_related("slot").first()
    if found is None:
        return
    if found.slot_id == slot.pk:
        raise Refusal("already_booked", f"{participant} has a seat in this slot already.")
    raise Refusal("booked_elsewhere", f"{participant} has a seat in {found.slot}, at the same time.")


def _save(booking: Booking, staff: Staff | None, *fields: str) -> None:
    booking.changed_at, booking.changed_by = now(), staff
    booking.save(update_fields=["state", "changed_at", "changed_by", *fields])


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
