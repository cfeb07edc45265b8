"""Slots and the people in them: booking, walking in, not coming, cancelling, moving."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytest_django import Settings

from playtest.center.schedule.bookings import (
    answer,
    book,
    cancel_booking,
    mark_no_show,
    mark_no_shows,
    move_booking,
)
from playtest.center.schedule.codes import give_code, prepare_cards, walk_in
from playtest.center.schedule.models import Booking, BookingState, Slot
from playtest.center.schedule.queries import describe, histories, rows
from playtest.center.schedule.slots import cancel_slot, create_slots, dates
from playtest.people.models import Contact, Participant
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import SessionEnd, Study
from playtest.play.sessions.quota import places_of
from playtest.play.sessions.services import answer_survey, check_in, finish_tutorial, give_consent
from playtest.review.services.withdrawal import withdraw
from tests import make
from tests.center.schedule.conftest import MONDAY, StandingClock
from tests.refusals import refused
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock"), pytest.mark.once]


def slot_of(study: Study | None = None, **changes: Any) -> Slot:
    """A slot on Monday from 10:00 to 12:00 with three seats."""
    values: dict[str, Any] = {"begins": time(10), "minutes": 120, "capacity": 3, "room": "A"}
    values |= {"days": [MONDAY.date()]} | changes
    return create_slots(study or make.study(), staff(Role.PROCTOR), **values)[0]


def reload(booking: Booking) -> Booking:
    return Booking.objects.select_related("session", "slot", "participant").get(pk=booking.pk)


def test_a_series_of_slots_keeps_its_time_when_the_clocks_change(settings: Settings) -> None:
    settings.CENTER_TIME_ZONE = ZoneInfo("Europe/Berlin")
    days = dates(date(2026, 3, 23), [0, 2, 4], 2)
    made = create_slots(
        make.study(people=99), None, days=days, begins=time(9), minutes=90, capacity=2, room="A"
    )
    assert [slot.starts_at.hour for slot in made] == [8, 8, 8, 7, 7, 7]
    assert {slot.ends_at - slot.starts_at for slot in made} == {timedelta(minutes=90)}


def test_a_slot_across_the_change_of_clocks_takes_its_minutes(settings: Settings) -> None:
    settings.CENTER_TIME_ZONE = ZoneInfo("Europe/Berlin")
    slot = slot_of(days=[date(2026, 3, 29)], begins=time(1, 30), minutes=90)
    assert slot.starts_at == datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
    assert slot.ends_at == datetime(2026, 3, 29, 2, 0, tzinfo=UTC)
    assert "01:30 to 04:00" in str(slot)


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("time_does_not_exist", {"days": [date(2026, 3, 29)], "begins": time(2, 30)}),
        ("slot_in_the_past", {"days": [date(2026, 2, 1)]}),
        ("capacity_invalid", {"capacity": 0}),
        ("slot_too_long", {"minutes": 5}),
        ("no_slot", {"days": []}),
        ("too_many_slots", {"days": [date(2026, 4, 1)] * 101}),
        ("no_places", {"capacity": 11}),
        ("no_places", {"days": [date(2026, 4, day) for day in (1, 2, 3)], "capacity": 4}),
    ],
)
def test_an_impossible_slot_is_refused(settings: Settings, code: str, changes: dict[str, Any]) -> None:
    settings.CENTER_TIME_ZONE = ZoneInfo("Europe/Berlin")
    with refused(code):
        slot_of(**changes)
    assert not Slot.objects.exists()


@pytest.mark.services
def test_a_room_is_used_by_one_slot_at_a_time() -> None:
    study = make.study()
    slot_of(study)
    with refused("room_taken"):
        slot_of(study, begins=time(11, 59), room="a")
    slot_of(study, begins=time(12))
    slot_of(study, room="B")


def test_slots_never_offer_more_seats_than_the_study_has_places() -> None:
    study = make.study(people=4)
    slot = slot_of(study)
    book(slot, new_participant(), None)
    with refused("no_places"):
        slot_of(study, begins=time(14), capacity=2)
    slot_of(study, begins=time(14), capacity=1)


def test_a_slot_is_full_at_its_capacity_and_a_no_show_frees_the_seat(clock: StandingClock) -> None:
    slot = slot_of(capacity=1)
    booking = book(slot, new_participant(), None)
    with refused("slot_full"):
        walk_in(slot, new_participant(), None)
    with refused("slot_not_begun"):
        mark_no_show(booking, None)
    clock.advance(hours=1)
    mark_no_show(booking, None)
    walk_in(slot, new_participant(), None)
    with refused("slot_full"):
        give_code(booking, None)


def test_a_booking_takes_a_place_until_its_slot_is_over(clock: StandingClock) -> None:
    study = make.study(people=3)
    booking = book(slot_of(study), new_participant(), None)
    assert (places_of(study).booked, places_of(study).left) == (1, 2)
    give_code(booking, None)
    assert (places_of(study).codes, places_of(study).booked, places_of(study).left) == (1, 0, 2)
    clock.advance(hours=3)
    assert places_of(study).left == 3


def test_the_code_of_a_slot_expires_with_it(clock: StandingClock) -> None:
    booking, code = walk_in(slot_of(), new_participant(), None)
    other, other_code = walk_in(booking.slot, new_participant(), None)
    clock.advance(hours=3, microseconds=-1)
    check_in(code, station=1)
    clock.advance(microseconds=1)
    with refused("code_expired"):
        check_in(other_code, station=2)
    assert describe(reload(booking)) == "walked in"
    assert describe(reload(other)) == "walked in, has a code"


def test_people_have_a_grace_time_before_all_absent_are_marked(clock: StandingClock) -> None:
    slot = slot_of()
    came, code = walk_in(slot, new_participant(), None)
    without = book(slot, new_participant(), None)
    absent, absent_code = walk_in(slot, new_participant(), None)
    clock.advance(hours=1, minutes=14, seconds=59)
    check_in(code, station=1)
    with refused("grace_not_over"):
        mark_no_shows(slot, staff(Role.PROCTOR))
    clock.advance(seconds=1)
    marked = mark_no_shows(slot, staff(Role.PROCTOR))
    assert {booking.pk for booking in marked} == {without.pk, absent.pk}
    assert reload(came).state == BookingState.BOOKED
    session = reload(absent).session
    assert session is not None
    assert session.end_reason == SessionEnd.NO_SHOW
    with refused("session_ended"):
        check_in(absent_code, station=2)
    assert mark_no_shows(slot, None) == []
    with refused("has_come"):
        mark_no_show(came, None)


def test_a_person_who_comes_after_being_marked_gets_a_new_session(clock: StandingClock) -> None:
    booking = book(slot_of(make.study(people=3)), new_participant(), None)
    give_code(booking, None)
    first = booking.session_id or reload(booking).session_id
    clock.advance(hours=1, minutes=20)
    mark_no_shows(booking.slot, None)
    session, _ = check_in(give_code(booking, None), station=1)
    assert session.pk != first
    assert describe(reload(booking)) == "came 20 min late"


def test_a_cancelled_slot_voids_codes_and_leaves_running_sessions_alone(clock: StandingClock) -> None:
    slot = slot_of()
    booking, code = walk_in(slot, new_participant(), None)
    waiting, waiting_code = walk_in(slot, new_participant(), None)
    running, _ = check_in(code, station=1)
    with refused("reason_missing"):
        cancel_slot(slot, None, "  ")
    assert cancel_slot(slot, staff(Role.PROCTOR), "No power") == [running]
    running.refresh_from_db()
    assert running.ended_at is None
    with refused("session_ended"):
        check_in(waiting_code, station=2)
    assert reload(waiting).state == BookingState.CANCELLED
    with refused("slot_cancelled"):
        cancel_slot(slot, None, "again")
    for write in (lambda: book(slot, new_participant(), None), lambda: give_code(booking, None)):
        with refused("slot_cancelled"):
            write()
    with refused("slot_cancelled"):
        prepare_cards(slot, None)


def test_a_moved_booking_keeps_its_code_until_the_end_of_the_new_slot(clock: StandingClock) -> None:
    study = make.study(people=6)
    first, later = slot_of(study), slot_of(study, begins=time(14))
    booking, code = walk_in(first, new_participant(), None)
    move_booking(booking, later, None)
    clock.advance(hours=4)
    check_in(code, station=1)
    with refused("has_come"):
        move_booking(booking, first, None)


def test_a_booking_is_moved_within_its_study_only() -> None:
    booking = book(slot_of(), new_participant(), None)
    with refused("other_study"):
        move_booking(booking, slot_of(room="B"), None)


@pytest.mark.services
def test_a_person_has_one_seat_at_a_time() -> None:
    study, person = make.study(), new_participant()
    slot = slot_of(study)
    booking = book(slot, person, None)
    with refused("already_booked"):
        book(slot, person, None)
    other = slot_of(make.study(name="Another"), room="B", begins=time(11))
    with refused("booked_elsewhere"):
        book(other, person, None)
    cancel_booking(booking, None)
    book(other, person, None)
    book(slot_of(study, begins=time(15)), person, None)


def test_people_without_anything_left_are_not_booked(clock: StandingClock) -> None:
    study = make.study(people=3)
    session = make.session(study)
    make.play(session, [4])
    with refused("everything_met"):
        book(slot_of(study), session.participant, None)


def test_an_answer_confirms_or_frees_the_seat() -> None:
    booking = book(slot_of(capacity=1), new_participant(), None)
    assert answer(booking, comes=True).state == BookingState.CONFIRMED
    assert answer(booking, comes=False).state == BookingState.DECLINED
    with refused("not_booked"):
        answer(booking, comes=True)
    with refused("not_booked"):
        give_code(booking, None)


def test_new_cards_replace_the_codes_of_people_who_have_not_come() -> None:
    slot = slot_of()
    book(slot, new_participant("R 1"), None)
    _, code = walk_in(slot, new_participant(), None)
    check_in(code, station=1)
    first = prepare_cards(slot, staff(Role.PROCTOR))
    again = prepare_cards(slot, staff(Role.PROCTOR))
    assert [card.name for card in first] == [card.name for card in again] == ["R 1"]
    with refused("code_unknown"):
        check_in(first[0].code, station=2)
    check_in(again[0].code, station=2)
    with refused("nobody_to_come"):
        prepare_cards(slot, None)


def test_people_are_recognised_across_studies() -> None:
    session = make.session(make.study())
    make.play(session, [4])
    pool = [make.environment(code) for code in ("wk01", "ck01")]
    other = make.study(pool=pool)
    slot = slot_of(other)
    book(slot, session.participant, None)
    (row,) = rows(slot)
    assert (row.history.sessions, row.history.met, row.history.left) == (1, 1, 1)
    assert histories([], other) == {}


def test_the_session_of_this_slot_is_not_before() -> None:
    slot = slot_of(make.study())
    _, code = walk_in(slot, new_participant(), None)
    session, _ = check_in(code, station=1)
    give_consent(session)
    answer_survey(session, {})
    finish_tutorial(session)
    make.play(session, [4])
    (row,) = rows(slot)
    assert (row.history.sessions, row.history.met, row.history.left) == (0, 0, 0)


def test_a_withdrawal_deletes_bookings_and_the_address() -> None:
    person = new_participant("R-1")
    Contact.objects.create(participant=person, email="a@example.org", stored_at=MONDAY)
    slot = slot_of()
    walk_in(slot, person, None)
    removed = withdraw(person, None).removed
    assert (removed["people.Contact"], removed["center.Booking"]) == (1, 1)
    assert not Contact.objects.exists()
    with refused("participant_withdrawn"):
        book(slot, Participant.objects.get(), None)
