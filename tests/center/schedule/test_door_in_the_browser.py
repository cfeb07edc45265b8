"""The page of a slot as the door: 34 people on one screen, each seated by a few keys."""

from datetime import time
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from playtest.center.schedule.bookings import book
from playtest.center.schedule.codes import give_code
from playtest.center.schedule.models import Booking, Slot
from playtest.center.schedule.slots import create_slots
from playtest.people.models import Contact
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.sessions.services import check_in
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.center.schedule.conftest import MONDAY
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("clock")]

SEATS = 34
KEY_SECONDS, CLICK_SECONDS, ALL_SECONDS, MOST_CLICKS = 0.3, 1.5, 300, 70
COUNT_THE_HAND = """for (const type of ["pointerdown", "keydown"]) {
    sessionStorage[type] ??= 0;
    addEventListener(type, () => sessionStorage[type] = Number(sessionStorage[type]) + 1, true);
}"""
"""Counts what hands do on the pages of a tab: a script's own clicks have no pointer."""
SURNAMES = [
    f"{begin}{end}"
    for begin, end in product(
        ("Ab", "Kor", "Lem", "Ost", "Ri", "Szy", "Vö"), ("an", "berg", "ek", "ini", "ova")
    )
]


def full_slot() -> Slot:
    [slot] = create_slots(
        make.study(people=100),
        None,
        days=[MONDAY.date()],
        begins=time(9),
        minutes=120,
        capacity=SEATS,
        room="North",
    )
    for number, surname in enumerate(SURNAMES[:SEATS]):
        person = new_participant(f"{surname}, Person {number}")
        Contact.objects.create(participant=person, email=f"p{number}@example.org", stored_at=now())
        book(slot, person, None)
    return slot


def open_slot(page: Page, slot: Slot, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    browse(page, signed_in(Role.PROCTOR)).goto(f"{ORIGIN}/staff/schedule/{slot.pk}/")
    settled(page)


def test_thirty_four_people_are_on_one_screen(page: Page) -> None:
    slot = full_slot()
    for station, booking in enumerate(Booking.objects.all()[:9], 1):
        check_in(give_code(booking, None), station=station)
    open_slot(page, slot, 1440, 900)
    rows = page.locator("tr[data-names]")
    boxes = rows.evaluate_all("all => all.map((one) => one.getBoundingClientRect())")
    assert len(boxes) == SEATS
    assert max(box["bottom"] for box in boxes) <= 900
    assert max(box["right"] for box in boxes) <= 1440
    assert {round(box["height"]) for box in boxes} <= set(range(24, 34)), "one line a person"
    walk_in = page.get_by_role("button", name="Add and show code").bounding_box()
    assert walk_in is not None
    assert walk_in["y"] < min(box["y"] for box in boxes)
    page.locator("summary[title=More]").last.click()
    expect(page.get_by_role("button", name="Cancel booking")).to_be_visible()
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    find = page.get_by_role("searchbox", name="Find by reference")
    for typed, count in (("voa", 1), ("p3@example", 1), ("person kor", 5), ("nobody", 0)):
        find.fill(typed)
        expect(page.locator("tr[data-names]:visible")).to_have_count(count)


@pytest.mark.long
@pytest.mark.parametrize("by", ["keys", "mouse"])
def test_one_proctor_seats_all_in_five_minutes(page: Page, by: str) -> None:
    """From the proctor's home on; each person checks in with the code that the page shows."""
    slot = full_slot()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.add_init_script(COUNT_THE_HAND)
    browse(page, signed_in(Role.PROCTOR)).goto(f"{ORIGIN}/staff/")
    page.locator(f"a[href='/staff/schedule/{slot.pk}/']").first.click()
    for station, surname in enumerate(SURNAMES[:SEATS], 1):
        expect(page.get_by_role("searchbox", name="Find by reference")).to_be_focused()
        if by == "mouse":
            row = page.locator("tr[data-names]").filter(has_text=f"{surname}, Person")
            row.get_by_role("button", name="Show code").click()
        else:
            page.keyboard.type(surname.lower().replace("ö", "o"))
            page.keyboard.press("Enter")
        back = page.get_by_role("link", name="Back to the slot")
        expect(back).to_be_focused()
        check_in(page.get_by_label("Check-in code", exact=True).inner_text(), station=station)
        back.click() if by == "mouse" else page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Monday 2 March 2026")).to_be_visible()
    assert Booking.objects.filter(session__checked_in_at__isnull=False).count() == SEATS
    clicks, keys = page.evaluate("['pointerdown', 'keydown'].map((type) => Number(sessionStorage[type]))")
    assert (clicks, keys > 2 * SEATS) == ((2 * SEATS + 1, False) if by == "mouse" else (1, True))
    assert clicks <= MOST_CLICKS
    assert clicks * CLICK_SECONDS + keys * KEY_SECONDS <= ALL_SECONDS
