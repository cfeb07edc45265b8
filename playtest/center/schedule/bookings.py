"""Writes to bookings: books, moves and cancels, asks who waits, and records who did not come."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction

from playtest.center.schedule.messages import invite, request_messages
from playtest.center.schedule.models import PRESENT, Booking, BookingKind, BookingState, MessageKind, Slot
from playtest.center.schedule.slots import lock_booking, lock_slot, refuse_closed, refuse_full, seats_taken
from playtest.people.models import Participant, Staff, Withdrawal
from playtest.people.participants import records_of
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.quota import refuse_code_if_nothing_left, refuse_without_places


def book(
    slot: Slot,
    participant: Participant,
    staff: Staff | None,
    kind: BookingKind = BookingKind.INVITED,
    language: str = settings.LANGUAGE_CODE,
) -> Booking:
    """Books a person into a slot; who waits for a seat of it keeps the language that was chosen then.

    Refusal: slot_cancelled, slot_over, slot_full, study_closed, participant_withdrawn, already_booked,
    booked_elsewhere, study_full, everything_met, no_places.
    """
    with transaction.atomic():
        slot = lock_slot(slot.pk)
        _refuse_person(slot, participant)
        refuse_full(slot)
        refuse_without_places(slot.study)
        if waiting := _waiting(slot, participant):
            waiting.state, waiting.kind = BookingState.BOOKED, kind
            save_booking(waiting, staff, "kind")
            return waiting
        return _booked(slot, participant, staff, kind, language)


def wait(
    slot: Slot, participant: Participant, staff: Staff | None, language: str = settings.LANGUAGE_CODE
) -> Booking:
    """Puts a person on the waiting list of a full slot.

    Refusal: slot_not_full, already_waiting, and as `book`.
    """
    with transaction.atomic():
        slot = lock_slot(slot.pk)
        _refuse_person(slot, participant)
        if seats_taken(slot) < slot.capacity:
            raise Refusal("slot_not_full", "This slot has a free seat: book the person instead.")
        if _waiting(slot, participant):
            raise Refusal("already_waiting", f"{participant} is on the waiting list of this slot already.")
        booking = _booked(slot, participant, staff, BookingKind.INVITED, language)
        booking.state = BookingState.WAITING
        save_booking(booking, staff)
        return booking


def _refuse_person(slot: Slot, participant: Participant) -> None:
    refuse_closed(slot)
    if not slot.study.open:
        raise Refusal("study_closed", "This study is closed. Open it first, or choose another.")
    if Withdrawal.objects.filter(participant=participant).exists():
        raise Refusal("participant_withdrawn", "This person withdrew their consent and cannot play again.")
    _refuse_second(slot, participant)
    refuse_code_if_nothing_left(slot.study, participant)


def _waiting(slot: Slot, participant: Participant) -> Booking | None:
    people = records_of([participant.pk])[participant.pk]
    return slot.bookings.filter(participant__in=people, state=BookingState.WAITING).first()


def _booked(
    slot: Slot, participant: Participant, staff: Staff | None, kind: BookingKind, language: str
) -> Booking:
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


def ask_next(slot: Slot, staff: Staff | None = None) -> Booking | None:
    """Gives a free seat of a slot to come to who waits the longest and can take it, and invites them."""
    slot = lock_slot(slot.pk)
    if slot.starts_at <= now():
        return None
    for booking in slot.bookings.filter(state=BookingState.WAITING).order_by("pk"):
        try:
            _refuse_person(slot, booking.participant)
            refuse_full(slot)
            refuse_without_places(slot.study)
        except Refusal:
            continue
        booking.state = BookingState.BOOKED
        save_booking(booking, staff)
        invite(Booking.objects.filter(pk=booking.pk), staff)
        return booking
    return None


def cancel_booking(booking: Booking, staff: Staff | None) -> Booking:
    """Gives the seat and the place back, or ends the wait for one; an unused code is void.

    Refusal: not_booked, has_come.
    """
    with transaction.atomic():
        booking = lock_booking(booking.pk)
        _release(booking, BookingState.CANCELLED, staff)
        request_messages(Booking.objects.filter(pk=booking.pk), MessageKind.CANCELLATION, staff)
        ask_next(booking.slot, staff)
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
        before, booking.slot = booking.slot, slot
        booking.state = BookingState.BOOKED
        save_booking(booking, staff, "slot")
        if booking.session is not None:
            booking.session.code_expires_at = slot.ends_at
            booking.session.save(update_fields=["code_expires_at"])
        request_messages(Booking.objects.filter(pk=booking.pk), MessageKind.MOVED, staff)
        ask_next(before, staff)
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
            save_booking(booking, None)
        else:
            _release(booking, BookingState.DECLINED, None)
            ask_next(booking.slot)
    return booking


def _release(booking: Booking, state: BookingState, staff: Staff | None) -> None:
    if booking.state not in (*PRESENT, BookingState.WAITING):
        raise Refusal("not_booked", "This seat has been given back already.")
    _refuse_come(booking)
    if booking.session is not None:
        end_session(booking.session, SessionEnd.CANCELLED, staff=staff)
    booking.state = state
    save_booking(booking, staff)


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


def save_booking(booking: Booking, staff: Staff | None, *fields: str) -> None:
    """Saves its state and these fields, and who changed it when."""
    booking.changed_at, booking.changed_by = now(), staff
    booking.save(update_fields=["state", "changed_at", "changed_by", *fields])


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
    booking.state = BookingState.NO_SHOW
    save_booking(booking, staff)
