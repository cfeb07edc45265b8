"""Codes of people of a slot: one at the desk, of all as cards, of who walks in; and not before their time."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext

from playtest.center.schedule.bookings import book, save_booking
from playtest.center.schedule.models import PRESENT, Booking, BookingKind, BookingState, Slot
from playtest.center.schedule.slots import lock_booking, lock_slot, refuse_closed, refuse_full
from playtest.center.schedule.times import local
from playtest.people.models import Participant, Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.services import create_session, reissue_code

EARLIEST = timedelta(hours=2)
"""How long before a slot its codes check in."""
PLAYS = "person_plays"


def before_its_time(slot: Slot) -> bool:
    """Whether the codes of a slot do not check in yet."""
    return slot.starts_at - now() > EARLIEST


def give_code(booking: Booking, staff: Staff | None, *, interrupt: bool = False, early: bool = False) -> str:
    """A new code for a person with a seat, valid until the slot ends; an earlier code is void.

    `interrupt`: also if the person plays, who loses the seat at the station. `early`: before its time the
    code is for now and valid for EARLIEST: `refuse_early` knows it by that it expires before the slot.
    A person who comes after being marked as a no-show gets a new session and takes a place again.
    Refusal: slot_cancelled, slot_over, slot_full, not_booked, person_plays, session_ended, and as
    `create_session`.
    """
    with transaction.atomic():
        booking = lock_booking(booking.pk)
        slot, session = booking.slot, booking.session
        refuse_closed(slot)
        if booking.state in (BookingState.DECLINED, BookingState.CANCELLED, BookingState.WAITING):
            raise Refusal("not_booked", "This person has no seat in this slot any more. Book them again.")
        has_place = booking.state in PRESENT
        if not has_place:
            refuse_full(slot)
        if session is not None and session.checked_in_at and not session.ended_at and not interrupt:
            place = f" at station {session.station}" if session.station else ""
            message = f"{_name(booking)} plays{place}. A new code stops the game until it is entered."
            raise Refusal(PLAYS, message)
        expires = now() + EARLIEST if early and before_its_time(slot) else slot.ends_at
        if session is None or session.end_reason == SessionEnd.NO_SHOW:
            session, code = create_session(
                slot.study,
                booking.participant,
                staff,
                code_expires_at=expires,
                has_place=has_place,
                language=booking.language,
            )
            booking.session = session
        else:
            code = reissue_code(session, staff, code_expires_at=expires, has_place=has_place)
        if not has_place:
            booking.state = BookingState.BOOKED
        save_booking(booking, staff, "session")
    return code


def refuse_early(session: Session) -> None:
    """Refuses the first check-in with a code of a slot before its time, in the active language.

    Refusal: code_not_yet.
    """
    slot = Slot.objects.filter(bookings__session=session).first()
    expires = session.code_expires_at
    if slot is None or expires is None or expires <= slot.starts_at or not before_its_time(slot):
        return
    if session.checked_in_at == session.code_used_at:
        told = gettext("This code is for {day}, {time}. Please come back then, or ask a member of staff.")
        begins = local(slot.starts_at)
        day = date_format(begins, "l j F Y")
        raise Refusal("code_not_yet", told.format(day=day, time=f"{begins:%H:%M}"))


def walk_in(
    slot: Slot, participant: Participant, staff: Staff | None, language: str = settings.LANGUAGE_CODE
) -> tuple[Booking, str]:
    """Books a person who has come without an invitation; returns the booking and its code. As `book`."""
    with transaction.atomic():
        booking = book(slot, participant, staff, BookingKind.WALK_IN, language)
        return booking, give_code(booking, staff)


@dataclass(frozen=True)
class Card:
    """What is printed for one person, in their language; `code` as the six characters."""

    pseudonym: str
    code: str
    reference: str = ""
    language: str = settings.LANGUAGE_CODE

    @property
    def name(self) -> str:
        """By which the person is known here."""
        return self.reference or self.pseudonym


def prepare_cards(slot: Slot, staff: Staff | None) -> list[Card]:
    """New codes, valid until the slot ends, for people who have not checked in; all of them or none.

    Codes cannot be read again, so those of an earlier print become void.
    Refusal: slot_cancelled, slot_over, nobody_to_come, and as `give_code`.
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
        return [
            Card(person.label, _code(booking, staff), person.reference, booking.language)
            for booking in found
            for person in (booking.participant,)
        ]


def _name(booking: Booking) -> str:
    return booking.participant.reference or booking.participant.label


def _code(booking: Booking, staff: Staff | None) -> str:
    try:
        return give_code(booking, staff)
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{_name(booking)}: {refusal.message}") from refusal
