"""Every page is accessible in light and dark, throws no error, and fits a phone and a zoom of 200 %.

Pages of staff are found by following links (`addresses.py`) through a world in which each has something to
show (`world.py`), so a new page is judged as soon as something links to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from playtest.center.models import Slot
from playtest.people.roles import Role
from playtest.play.models import Study
from tests.accessibility import thin, violations
from tests.browsing import ORIGIN, browse, settled
from tests.pages.addresses import pages_by_name
from tests.pages.work import TASK
from tests.pages.world import bring_to_life, unlinked
from tests.people.test_trail import staff_pages
from tests.staff import BACKEND, signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

DESK, ZOOMED, PHONE = 1280, 640, 320
"""Widths in CSS pixels; at a zoom of 200 %, a desk is as wide as ZOOMED."""
HEIGHT = 800
SHARES = 8
PARTS_OF_PAGES = {"center:calls", "center:room-controls", "center:session-controls", "insight:states-list"}
"""What no link leads to, because scripts put it into a page that is judged."""
OUTSIDE = {"welcome": "/", "sign in": "/staff/sign-in/", "station": "/station/", "nowhere": "/staff/nowhere/"}
UNREACHABLE = """() => [...document.querySelectorAll("main *")]
    .filter((part) => part.scrollWidth > part.clientWidth)
    .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowX))
    .filter((part) => part.tabIndex < 0 && !part.querySelector("a[href], button, input, select, [tabindex]"))
    .map((part) => `scrolls, but not with keys: ${part.tagName.toLowerCase()}.${part.className}`)"""
TALLEST = {
    "insight:board": 1500, "insight:study": 2000, "play:study-edit": 1100, "studio:environment": 1500,
    "arena:card": 1400, "operation:status": 1600, "insight:environment": 2000, "studio:upload": 2000,
    "review:attempts": 2000, "studio:card": 2000,
}  # fmt: skip
"""How tall a page opens at a desk at most, in pixels: it answers first, and the rest is folded."""
TALLEST_OF_OTHERS = 2500
TOO_WIDE = "document.scrollingElement.scrollWidth - innerWidth"


class Visit(NamedTuple):
    """A page with the role or the seat of whoever opens it; neither of them for pages outside."""

    name: str
    address: str
    role: Role | None = None
    seat: str = ""


@dataclass
class Walk:
    """A browser whose requests are answered as `client`, and what was found so far, by page."""

    page: Page
    client: Client
    found: dict[str, list[str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def visit(self, visit: Visit, *, quickly: bool = False) -> None:
        """Judges a page; `quickly`: only that it fits a desk, and is no taller than it may be."""
        self._become(visit)
        self.errors.clear()
        self.page.set_viewport_size({"width": DESK, "height": HEIGHT})
        answer = self.page.goto(f"{ORIGIN}{visit.address}")
        assert (answer and answer.ok) or visit.address == OUTSIDE["nowhere"], visit
        widths = (DESK,) if quickly else (ZOOMED, PHONE, DESK)
        problems = [problem for width in widths for problem in self._overflow(width)]
        height = self.page.evaluate("document.scrollingElement.scrollHeight")
        if visit.role and height > TALLEST.get(visit.name, TALLEST_OF_OTHERS):
            problems.append(f"{height} pixels tall")
        if not quickly:
            thin(self.page)
            problems += violations(self.page)
            self.page.set_viewport_size({"width": PHONE, "height": HEIGHT})
            problems += violations(self.page, runOnly=["target-size"])
        problems += self.errors
        if problems:
            self.found[f"{visit.name} {visit.address}"] = problems

    def _overflow(self, width: int) -> Iterator[str]:
        """By how much the page is wider than a screen of this width, once it has settled there."""
        self.page.set_viewport_size({"width": width, "height": HEIGHT})
        settled(self.page)
        if (beyond := self.page.evaluate(TOO_WIDE)) > 0:
            yield f"{beyond} pixels too wide at {width}"
        yield from self.page.evaluate(UNREACHABLE)

    def _become(self, visit: Visit) -> None:
        self.client.cookies.clear()
        if visit.role is not None:
            self.client.force_login(staff(visit.role), backend=BACKEND)
        if visit.seat:
            self.client.cookies["seat"] = visit.seat


@pytest.fixture
def walk(page: Page, own_folder: None) -> Walk:
    found = Walk(page, Client())
    page.on("pageerror", lambda error: found.errors.append(f"error: {error}"))
    browse(page, found.client)
    return found


def of_staff() -> dict[str, str]:
    """The address of each page of staff, as the lead sees them in the world."""
    pages = pages_by_name(signed_in(Role.LEAD), [reverse("people:home"), *unlinked()])
    assert staff_pages() - set(pages) == PARTS_OF_PAGES, "link to it, or make it in tests/pages/world.py"
    return pages


def visits(seats: dict[str, str]) -> list[Visit]:
    """Every page of staff, each role's home, participants' pages, and those outside."""
    return [
        *(Visit(name, address, Role.LEAD) for name, address in sorted(of_staff().items())),
        Visit("results of a task", reverse("insight:environment", args=[TASK]), Role.LEAD),
        *(Visit(f"home of the {role}", reverse("people:home"), role) for role in Role),
        *(Visit(page, reverse(f"play:{page}"), seat=seat) for page, seat in seats.items()),
        *(Visit(name, address) for name, address in OUTSIDE.items()),
    ]


def test_pages_of_each_kind_are_accessible_and_fit_their_screen(walk: Walk) -> None:
    """A few. Rooms judge the wall, replays and participants' pages, the long test all that links lead to."""
    bring_to_life()
    study, slot = Study.objects.earliest("pk").pk, Slot.objects.earliest("pk").pk
    wholly: dict[str, list[Any]] = {"people:home": [], "insight:environment": ["wk01"]}
    quickly: dict[str, list[Any]] = {
        "center:slot": [slot], "studio:card": ["wk01"], "insight:board": [], "studio:environment": ["wk01"],
        "insight:study": [study], "play:study-edit": [study], "operation:status": [],
        "review:attempts": [],
    }  # fmt: skip
    for name, given in (wholly | quickly).items():
        walk.visit(Visit(name, reverse(name, args=given), Role.LEAD), quickly=name in quickly)
    assert_nothing_found(walk)


@pytest.mark.long
@pytest.mark.parametrize("share", range(SHARES))
def test_every_page_is_accessible_and_fits_its_screen(walk: Walk, share: int) -> None:
    judge(walk, visits(bring_to_life())[share::SHARES])


def judge(walk: Walk, chosen: list[Visit]) -> None:
    for visit in chosen:
        walk.visit(visit)
    assert_nothing_found(walk)


def assert_nothing_found(walk: Walk) -> None:
    assert not walk.found, "\n".join(f"{page}: {'; '.join(found)}" for page, found in walk.found.items())
