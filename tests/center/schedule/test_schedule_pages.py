"""The pages of the schedule as a proctor uses them."""

import re
from datetime import time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.center.models import Station
from playtest.center.schedule.bookings import book, move_booking
from playtest.center.schedule.codes import give_code
from playtest.center.schedule.forms import BEFORE_PLAY_MINUTES
from playtest.center.schedule.models import Booking, BookingState, Slot
from playtest.center.schedule.slots import create_slots
from playtest.people.models import Participant
from playtest.people.services import new_participant
from playtest.play.models import Session, Study
from playtest.play.sessions.services import check_in
from tests import make
from tests.center.schedule.conftest import MONDAY, StandingClock

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("clock")]


def slot_of(study: Study, **changes: Any) -> Slot:
    values: dict[str, Any] = {"begins": time(10), "minutes": 120, "capacity": 3, "room": "Room A"}
    return create_slots(study, None, **({"days": [MONDAY.date()]} | values | changes))[0]


def shown(client: Client, name: str, *args: int) -> str:
    return client.get(reverse(name, args=args)).content.decode()


def code_on(page: str) -> str:
    found = re.search(r"<output[^>]*>([^<]+)</output>", page)
    assert found, "no code on the page"
    return found[1]


def test_an_empty_week_says_how_to_begin(proctor: Client) -> None:
    page = shown(proctor, "center:schedule")
    assert "No slot is planned in this week" in page
    assert "No study is open." in page


@pytest.mark.parametrize("week", ["nonsense", "0001-01-01", "9999-12-31", "2026-02-30"])
def test_any_week_in_the_address_is_answered(proctor: Client, week: str) -> None:
    assert proctor.get(reverse("center:schedule"), {"week": week}).status_code == 200


def test_a_series_is_planned_in_one_form(proctor: Client) -> None:
    study = make.study(people=20)
    Station.objects.create(number=1, room="Room A")
    form = {
        "study": study.pk,
        "day": "2026-03-02",
        "begins": "10:00",
        "minutes": "120",
        "capacity": "3",
        "room": "Room A",
        "weekdays": ["0", "2", "4"],
        "weeks": "2",
        "form_token": "one",
    }
    answer = proctor.post(reverse("center:slots-new"), form)
    assert answer["Location"] == "/staff/schedule/?week=2026-03-02"
    assert proctor.post(reverse("center:slots-new"), form)["Location"] == "/staff/schedule/"
    assert Slot.objects.count() == 6
    page = proctor.get(answer["Location"]).content.decode()
    assert page.count("10:00 to 12:00") == 3
    assert "Friday 6 March 2026" in page
    refused = proctor.post(reverse("center:slots-new"), form | {"form_token": "two", "room": ""})
    assert "<code>no_places</code>" in refused.content.decode()


def test_a_room_is_chosen_and_a_slot_too_short_for_its_study_is_asked_about(proctor: Client) -> None:
    Station.objects.create(number=1, room="North")
    study = make.study(people=20)
    least = study.protocol.limits.session_seconds // 60 + BEFORE_PLAY_MINUTES
    form = {"study": study.pk, "day": "2026-03-02", "begins": "10:00", "capacity": "3", "weeks": "1"}

    def sent(room: str, minutes: int, **more: str) -> str:
        values = form | {"room": room, "minutes": minutes} | more
        return proctor.post(reverse("center:slots-new"), values).content.decode()

    assert '<option value="North">North</option>' in shown(proctor, "center:slots-new")
    assert "Select a valid choice" in sent("Nroth", least)
    assert "<code>room_missing</code>" in sent("*other", least)
    asked = sent("North", least - 1)
    assert "<code>slot_short</code>" in asked
    assert "Create it all the same" in asked
    assert not Slot.objects.exists()
    assert sent("North", least) == sent("*other", least - 1, other_room="Attic", short="on") == ""
    assert sorted(Slot.objects.values_list("room", flat=True)) == ["Attic", "North"]


def test_pages_say_what_is_missing_to_fill_the_quotas(proctor: Client) -> None:
    study = make.study(people=3)
    slot = slot_of(study)
    book(slot, new_participant(), None)
    page = re.sub(r"<[^>]+>", "", shown(proctor, "center:schedule"))
    assert "3 more sessions are needed to give every environment 3 people; 1 is booked: 2 to find." in page
    for _ in "12":
        book(slot, new_participant(), None)
    make.change(study, people=1, solvers=1)
    page = re.sub(r"<[^>]+>", "", shown(proctor, "center:schedule"))
    assert "2 people booked cannot be given anything." in page


def test_a_walk_in_gets_a_code_at_once_and_once(proctor: Client) -> None:
    slot = slot_of(make.study(people=20))
    address = reverse("center:slot-walk-in", args=[slot.pk])
    form = {"name": "R-1", "new": "on", "language": "es", "form_token": "one"}
    page = proctor.post(address, form).content.decode()
    session, _ = check_in(code_on(page), station=1)
    assert proctor.post(address, form)["Location"] == reverse("center:session", args=[session.pk])
    assert Booking.objects.get().session == session
    assert session.language == "es"
    page = re.sub(r"<[^>]+>", "", shown(proctor, "center:slot", slot.pk))
    assert re.search(r"before: no\s+Message: none", page), "today's own session is not before"


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("participant_missing", {}),
        ("participant_unknown", {"name": "R-18"}),
        ("reference_taken", {"name": "r- 17", "new": "on"}),
        ("reference_invalid", {"name": "a@example.org", "new": "on"}),
        ("reference_invalid", {"name": "R" * 65, "new": "on"}),
        ("reference_misread", {"name": "1e10", "new": "on"}),
    ],
)
def test_a_wrong_name_of_a_walk_in_has_a_code(proctor: Client, code: str, form: dict[str, str]) -> None:
    new_participant("R-17")
    slot = slot_of(make.study(people=20))
    page = proctor.post(reverse("center:slot-walk-in", args=[slot.pk]), form).content.decode()
    assert f"<code>{code}</code>" in page
    assert not Booking.objects.exists()
    assert Participant.objects.count() == 1


def test_a_returning_person_is_shown_with_what_they_met(proctor: Client) -> None:
    session = make.session(make.study())
    make.play(session, [4])
    pool = [make.environment(code) for code in ("wk01", "ck01")]
    slot = slot_of(make.study(pool=pool))
    book(slot, session.participant, None)
    assert "1 session, 1 environment met; 1 of this study left" in shown(proctor, "center:slot", slot.pk)


def test_the_buttons_of_a_person_do_what_they_say(proctor: Client, clock: StandingClock) -> None:
    study = make.study(people=20)
    slot, later = slot_of(study), slot_of(study, begins=time(14))
    booking = book(slot, new_participant(), None)

    def press(name: str, **form: Any) -> str:
        return proctor.post(reverse(name, args=[booking.pk]), form, follow=True).content.decode()

    assert "slot_not_begun" in press("center:booking-no-show")
    code_on(press("center:booking-code"))
    clock.advance(hours=1, minutes=20)
    assert "Mark all 1 who did not come" in shown(proctor, "center:slot", slot.pk)
    press("center:booking-no-show")
    assert "Came after all: new code" in shown(proctor, "center:slot", slot.pk)
    code_on(press("center:booking-code"))
    assert "Moved to" in press("center:booking-move", slot=later.pk)
    press("center:booking-cancel")
    booking.refresh_from_db()
    assert (booking.slot, booking.state) == (later, BookingState.CANCELLED)
    assert proctor.post(reverse("center:booking-move", args=[booking.pk]), {"slot": "x"}).status_code == 404


def test_a_person_who_plays_is_put_out_by_a_second_button_alone(proctor: Client) -> None:
    booking = book(slot_of(make.study(people=20)), new_participant("R-1"), None)
    address = reverse("center:booking-code", args=[booking.pk])
    session, _ = check_in(give_code(booking, None), station=7)
    before = session.seat_hash
    asked = proctor.post(address, {"form_token": "one"})
    assert asked.status_code == 409
    assert "R-1 plays at station 7." in asked.content.decode()
    session.refresh_from_db()
    assert session.seat_hash == before
    check_in(
        code_on(proctor.post(address, {"form_token": "one", "interrupt": "on"}).content.decode()), station=8
    )


@pytest.mark.parametrize(("hours", "minutes", "refusal"), [(1, 59, ""), (2, 0, ""), (2, 1, "code_not_yet")])
def test_a_code_checks_in_from_two_hours_before_its_slot(
    clock: StandingClock, hours: int, minutes: int, refusal: str
) -> None:
    booking = book(slot_of(make.study(people=20), begins=time(18)), new_participant(), None)
    code = give_code(booking, None)
    clock.advance(hours=9 - hours, minutes=-minutes)
    answer = Client().post("/?language=es", {"code": code, "language": "es"})
    assert (answer.context["refusal"].code if answer.context else "") == refusal
    if refusal:
        assert "lunes 2 marzo 2026 a las 18:00" in answer.content.decode().lower()
        assert Booking.objects.filter(session__checked_in_at=None).exists(), "the code can still be used"


def test_who_has_come_early_is_seated_by_a_second_button_or_by_another_slot(proctor: Client) -> None:
    study = make.study(people=20)
    today, later = slot_of(study), slot_of(study, days=[MONDAY.date() + timedelta(days=9)])
    moved, seated = (book(later, new_participant(), None) for _ in "12")
    code = give_code(moved, None)
    assert "code_not_yet" in Client().post("/", {"code": code}).content.decode()
    move_booking(moved, today, None)
    assert Client().post("/", {"code": code}).status_code == 302
    address = reverse("center:booking-code", args=[seated.pk])
    page = proctor.post(address).content.decode()
    assert "Wednesday 11 March 2026, 08:00 on, two hours before" in page
    assert "code_not_yet" in Client().post("/", {"code": code_on(page)}).content.decode()
    code = code_on(
        proctor.post(
            reverse("center:session-code", args=[Session.objects.get(booking=seated).pk])
        ).content.decode()
    )
    assert "code_not_yet" in Client().post("/", {"code": code}).content.decode()
    page = proctor.post(address, {"early": "on"}).content.decode()
    assert "two hours before" not in page
    assert Client().post("/", {"code": code_on(page)}).status_code == 302


def test_a_slot_is_cancelled_with_a_reason(proctor: Client) -> None:
    slot = slot_of(make.study(people=20))
    address = reverse("center:slot-cancel", args=[slot.pk])
    assert "reason_missing" in proctor.post(address, follow=True).content.decode()
    page = proctor.post(address, {"reason": "No power"}, follow=True).content.decode()
    assert "This slot is cancelled:</strong> No power" in page


def test_who_has_come_is_told_while_the_page_is_open(proctor: Client) -> None:
    slot = slot_of(make.study(people=100))
    assert "nobody is booked" in shown(proctor, "center:slot-now", slot.pk)
    late, early = (book(slot, new_participant(reference), None) for reference in ("R-2", "R-1"))
    assert "<strong>0 of 2</strong> have come" in shown(proctor, "center:slot", slot.pk)
    check_in(give_code(late, None), station=7)
    now = shown(proctor, "center:slot-now", slot.pk)
    assert "<strong>1 of 2</strong> have come" in now
    assert re.search(rf'id="now-{late.pk}"><span class="seat">7</span> .*✓</span> came on time', now)
    assert f'id="now-{early.pk}"><span class="seat"></span> booked' in now
    check_in(give_code(early, None), station=8)
    assert "all 2 have come" in shown(proctor, "center:slot-now", slot.pk)


def test_people_are_listed_by_name_or_by_when_they_came(proctor: Client) -> None:
    slot = slot_of(make.study(people=100))
    bookings = [book(slot, new_participant(reference), None) for reference in ("c", "B", "a")]
    check_in(give_code(bookings[1], None), station=7)

    def listed(order: str) -> list[str]:
        page = proctor.get(reverse("center:slot", args=[slot.pk]), {"order": order}).content.decode()
        return re.findall(r'data-names="(\w)', page)

    assert (listed("name"), listed("time")) == (["a", "B", "c"], ["B", "a", "c"])
