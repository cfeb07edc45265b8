"""Pages of the door, the room and the money at three widths: what each is about is in the window."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader
from pytest_django import Settings

from playtest.center.models import AdjustmentReason, Booking, PayAccount, Slot, Station
from playtest.center.pay.services import enter_adjustment
from playtest.center.schedule.bookings import book
from playtest.center.schedule.codes import give_code
from playtest.center.schedule.messages import handed_out
from playtest.center.schedule.slots import create_slots
from playtest.people.models import Contact
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.clocks import change, granting
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.events import call_proctor
from playtest.rehearsal.browser import RehearsalFailed
from playtest.rehearsal.day.program import book_people, mark_absent, plan_slot, study_of_day
from playtest.rehearsal.people.population import population
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse, settled
from tests.center.schedule.conftest import MONDAY, StandingClock, clock
from tests.live.games import WALK
from tests.remembered import remembered
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

__all__ = ["clock"]

SCREENS = ((911, 512), (1280, 800), (1920, 1080))
SCRIPTS = ("محمد", "יוסי", "王小明")  # noqa: RUF001
"""A name in Arabic, in Hebrew and in Chinese."""
LONG = "Wolfeschlegelsteinhausenbergerdorff-Abdurrahmanova, Maximiliane Bartholomea"
OUTSIDE = """() => [...document.querySelectorAll("main :is(a, button, input, select, summary)")]
    .filter((one) => one.checkVisibility())
    .filter((one) => one.getBoundingClientRect().left < 0 || one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.outerHTML.slice(0, 80))"""
"""What is used and not within the window."""
SCROLLING = """() => [...document.querySelectorAll("main .table")]
    .filter((one) => one.scrollWidth > one.clientWidth).length"""


@dataclass
class Day:
    """A slot at which Ana has played, Ben plays and calls, and Cem is still to come; amounts are in yen."""

    study: Study
    slot: Slot
    ana: Session
    ben: Session


@remembered
def made() -> Day:
    Station.objects.create(number=1, room="North")
    study = make.study(name=f"Study with {LONG}", people=100, fee="19000", bonus="0")
    days = [MONDAY.date()]
    [slot] = create_slots(study, None, days=days, begins=time(9), minutes=120, capacity=3, room="North")
    sessions = []
    for number in range(3):
        person = new_participant(f"{number:02} {LONG}"[:64])
        Contact.objects.create(participant=person, email=f"p{number}@example.org", stored_at=now())
        booking = book(slot, person, None)
        if number < 2:
            booking.session = make.session(study, person)
            booking.save()
            sessions.append(booking.session)
    ana, ben = sessions
    make.play(ana, [4, 4])
    end_session(ana, SessionEnd.ENDED_BY_STAFF)
    make.play(ben, [4], None)
    call_proctor(ben)
    return Day(study, slot, ana, ben)


@pytest.fixture
def day(clock: StandingClock, settings: Settings) -> Day:
    settings.CENTER_CURRENCY = "JPY"
    day = made()
    clock.advance(seconds=41)
    return day


type Use = Callable[[Page], object]


@dataclass(frozen=True)
class Case:
    """A page's address, what is done there, what it is then about, and texts that it must show."""

    address: Callable[[Day], str]
    part: Callable[[Page], Locator]
    texts: tuple[str, ...]
    use: Use = settled
    role: Role | None = Role.LEAD
    """None: at a station."""


def page_of(name: str, *, query: str = "") -> Callable[[Day], str]:
    return lambda day: reverse(name) + query


def button(name: str) -> Callable[[Page], Locator]:
    return lambda page: page.get_by_role("button", name=name)


def text(shown: str) -> Callable[[Page], Locator]:
    return lambda page: page.get_by_text(shown).first


def the_slot(day: Day) -> str:
    return reverse("center:slot", args=[day.slot.pk])


def invitation(day: Day) -> str:
    bookings = Booking.objects.filter(pk=day.slot.bookings.filter(session=None).latest("pk").pk)
    [(_, link)] = handed_out(bookings, None)
    return "/" + link.split("/", 3)[3]


def adjusted(day: Day) -> str:
    enter_adjustment(day.ana, Decimal(999_999), AdjustmentReason.WAITED, LONG, staff(Role.PROCTOR))
    return reverse("center:pay")


def paid(day: Day) -> str:
    account, proctor = PayAccount.objects.get(), signed_in(Role.PROCTOR)
    for name in ("pay-receipt", "pay-cash"):
        proctor.post(reverse(f"center:{name}", args=[account.pk]))
    return reverse("center:pay-receipt", args=[account.pk])


def granted(day: Day) -> str:
    """The list of two attempts with 5 minutes granted, solved at 30:10 and at 35:10."""
    acts = [*[2] * 31, *WALK]
    for seconds in (30 * 60 + 10, 35 * 60 + 10):
        session = make.session(day.study)
        attempt = make.play(session, [], None)
        more = granting(300, environment=True, session_too=False, reason="screen broke")
        change(session, staff(Role.PROCTOR), more)
        make.record(attempt, acts, Outcome.COMPLETED, now(), seconds / len(acts))
    return reverse("review:attempts")


def booked_in_three_scripts(day: Day) -> str:
    days = [MONDAY.date() + timedelta(days=1)]
    [slot] = create_slots(day.study, None, days=days, begins=time(9), minutes=120, capacity=3)
    for name in SCRIPTS:
        book(slot, new_participant(name), None)
    return reverse("center:slot", args=[slot.pk])


def make_cards(page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name="Make cards (PDF)").click()
    for sheet in PdfReader(download.value.path()).pages:
        assert {*SCRIPTS} <= {*sheet.extract_text().split()}


def enter_a_card_of_next_week(page: Page) -> None:
    cache.clear()  # codes entered by tests before this one count as guesses
    days = [MONDAY.date() + timedelta(days=8)]
    [slot] = create_slots(Study.objects.get(), None, days=days, begins=time(14), minutes=120, capacity=1)
    page.get_by_label("Enter your code").fill(give_code(book(slot, new_participant(), None), None))
    page.get_by_role("button", name="Continue").click()


def ask_for_a_new_code(page: Page) -> None:
    page.locator("tr[data-names]", has_text="01 ").locator("summary").click()
    page.get_by_role("button", name="New code").click()


def granted_by_another(day: Day) -> str:
    signed_in(Role.PROCTOR).post(reverse("center:room-grant"), {"minutes": "5", "to": "both"})
    return reverse("center:sessions")


def grant(page: Page) -> None:
    page.get_by_text("Grant time to everybody").click()
    page.get_by_role("button", name="Grant time to 1 session").click()


def check_roster(page: Page) -> None:
    page.get_by_label("or lines pasted here").fill(
        f"Reference;E-Mail;Start Date\nO\u2019Brien;a@example.org;x\n{LONG};b;y"
    )
    page.get_by_role("button", name="Check roster").click()


CASES = {
    "slot (B19)": Case(
        the_slot,
        lambda page: page.get_by_role("searchbox", name="Find by reference"),
        ("3 of 3 seats booked",),
    ),
    "new code (B11)": Case(
        the_slot, button("Leave them playing"), ("plays at station 1.",), ask_for_a_new_code
    ),
    "call (B14)": Case(page_of("people:help"), button("I answer"), ("Station 1",), role=Role.PROCTOR),
    "group (B3)": Case(
        granted_by_another,
        button("Grant 5 minutes more"),
        ("proctor granted 5 minutes 0 s ago: grant 5 minutes more?",),
        grant,
    ),
    "granted time (B2)": Case(
        granted,
        text("it lasted 35:10 and must last less than 35:00"),
        ("30:10 yes", "35:10 no it lasted 35:10"),
        lambda page: page.get_by_role("row").filter(has_text="35:10 no").locator("summary").click(),
    ),
    "card too early (B13)": Case(
        lambda day: "/",
        text(
            "This code is for Tuesday 10 March 2026, 14:00. Please come back then, or ask a member of staff."
        ),
        (),
        enter_a_card_of_next_week,
        role=None,
    ),
    "cards (B17)": Case(booked_in_three_scripts, button("Make cards (PDF)"), SCRIPTS, make_cards),
    "invitation (B1)": Case(invitation, button("I will come"), ("Will you come?", "9:00 to 11:00")),
    "adjustment (B10)": Case(adjusted, button("Approve"), ("¥999,999",)),
    "receipt (B7)": Case(paid, text("paid in cash"), ("¥19,000",)),
    "batch (B6, B9)": Case(
        page_of("center:pay-batch-new"), button("Make this batch"), ("¥19,000 for 1 person is unpaid",)
    ),
    "slot's pay (B19)": Case(
        lambda day: reverse("center:slot-pay", args=[day.slot.pk]),
        button("Who is ticked has signed, and was paid in cash"),
        ("¥19,000 for 1 person, ¥19,000 of it unpaid",),
    ),
    "withdrawal (B8)": Case(
        lambda day: f"{reverse('review:withdrawal')}?participant={day.ana.participant.label}",
        text("is owed to"),
        ("¥19,000 is owed to",),
    ),
    "void (B12)": Case(
        lambda day: reverse("center:session", args=[day.ana.pk]),
        button("Void attempt"),
        ("The attempt counts in no result",),
        lambda page: page.get_by_text("Void an attempt").click(),
    ),
    "roster (B16)": Case(
        page_of("center:roster"),
        lambda page: page.get_by_label("Column 3"),
        ("O\u2019Brien", "Start Date"),
        check_roster,
    ),
    "rooms (B18)": Case(page_of("center:slots-new"), button("Create slots"), ("North",)),
    "search (B18)": Case(
        page_of("people:search", query="?q=wolfeschl"),
        text("00 Wolfeschlegel"),
        ("Participants",),
        role=Role.PROCTOR,
    ),
    "sessions": Case(
        page_of("center:sessions"), lambda page: page.get_by_role("columnheader", name="Faults"), ()
    ),
    "session": Case(lambda day: reverse("center:session", args=[day.ben.pk]), text("Events"), ("0:41",)),
}
"""By what of the pages was wrong once."""
SAMPLE = {
    "slot (B19)", "new code (B11)", "call (B14)", "card too early (B13)", "cards (B17)", "invitation (B1)",
    "slot's pay (B19)", "void (B12)", "roster (B16)",
}  # fmt: skip
"""The narrowest width of these is judged with each change. Other tests read what the other pages say."""
JUDGED = [
    pytest.param(name, screens, marks=[] if judged else [pytest.mark.long], id=f"{name}-{width}")
    for name in CASES
    for width, screens, judged in (
        ("narrow", SCREENS[:1], name in SAMPLE),
        ("wide", SCREENS[1:], False),
    )
]


def is_in_the_window(page: Page, part: Locator, screens: tuple[tuple[int, int], ...] = SCREENS) -> None:
    """At each width the part is, after scrolling down, and nothing else is beside it."""
    expect(part).to_be_visible()
    for width, height in screens:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert page.evaluate(OUTSIDE) == [], width
        assert page.evaluate(SCROLLING) == 0, width
        part.scroll_into_view_if_needed()
        box = part.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] < width + 1, width
        assert 0 <= box["y"] <= box["y"] + box["height"] < height + 1, width


def open_at(page: Page, client: Client, address: str) -> None:
    browse(page, client)
    page.set_viewport_size({"width": SCREENS[0][0], "height": SCREENS[0][1]})
    page.goto(f"{ORIGIN}{address}")
    settled(page)


@pytest.mark.parametrize(("name", "screens"), JUDGED)
def test_what_a_page_is_about_is_in_the_window(
    day: Day, page: Page, name: str, screens: tuple[tuple[int, int], ...]
) -> None:
    case = CASES[name]
    open_at(page, signed_in(case.role) if case.role else Client(), case.address(day))
    case.use(page)
    for expected in case.texts:
        expect(page.locator("body")).to_contain_text(expected)
    is_in_the_window(page, case.part(page), screens)


def interrupted_day() -> Study:
    """A rehearsed day: a person is absent from a slot that has begun, and then the server is gone."""
    proctor = staff(Role.PROCTOR)
    with suppress(RehearsalFailed), study_of_day(2, speed=20) as day:
        slot = plan_slot(day, 2, 20, proctor)
        [absent, _] = book_people(slot, population(2, 1), proctor)
        mark_absent(slot, absent.session, proctor)
        raise RehearsalFailed("The server does not answer.")
    return day


def test_a_rehearsed_day_is_closed_and_below_real_studies_in_another_time_zone(
    page: Page, settings: Settings
) -> None:
    """B5, without the standing clock: a rehearsed day is of the machine's time."""
    settings.CENTER_TIME_ZONE = ZoneInfo("Asia/Tokyo")
    make.study(name="Pilot")
    day = interrupted_day()
    open_at(page, signed_in(Role.LEAD), reverse("play:studies"))
    pilot, rehearsed = page.locator("tbody tr").all()
    expect(pilot).to_contain_text("Pilot open")
    expect(rehearsed).to_contain_text(f"{day.name} closed rehearsal")
    is_in_the_window(page, rehearsed.get_by_text("closed"))
    rehearsed.get_by_role("link", name=day.name).click()
    is_in_the_window(page, page.get_by_text("This is a rehearsal, not a result."))
