"""The staff navigation: places, and the pages of each, in reading order."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from playtest.people.manifests import manifests
from playtest.people.models import Staff
from playtest.people.roles import Right


@dataclass(frozen=True)
class Page:
    """One entry: title, URL name, the right it needs, and further folders of addresses that belong to it.

    In a folder, `*` stands for one name between slashes.
    """

    title: str
    url_name: str
    right: Right
    folders: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        return reverse(self.url_name)

    def match(self, path: str) -> int:
        """How many characters of an address lead to this entry; 0 if it belongs elsewhere."""
        found = [pattern.match(path) for pattern in self._patterns]
        return max((one.end() for one in found if one), default=0)

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        home = reverse("people:home")
        beginnings = [self.address, *(f"{home}{folder}/" for folder in self.folders)]
        return [re.compile(re.escape(one).replace(r"\*", "[^/]+")) for one in beginnings]


@dataclass(frozen=True)
class Place:
    """Pages about one thing. The first that a reader may open stands for the place."""

    title: str
    pages: tuple[Page, ...]


PLACES = (
    Place(
        "Room",
        (
            Page("Wall", "center:wall", Right.RUN_SESSIONS, ("room-controls",)),
            Page("Schedule", "center:schedule", Right.RUN_SESSIONS, ("bookings",)),
            Page("Sessions", "center:sessions", Right.RUN_SESSIONS, ("participants",)),
            Page("Stations", "center:stations", Right.RUN_SESSIONS),
            Page("Pay", "center:pay", Right.ENTER_PAY),
        ),
    ),
    Place(
        "Workshop",
        (
            Page("Board", "insight:board", Right.READ_BASELINES),
            Page("Environments", "insight:portfolio", Right.READ_BASELINES, ("recordings", "plays")),
            Page("Cards", "studio:cards", Right.READ_BASELINES),
            Page("Uploads", "studio:uploads", Right.UPLOAD_VERSIONS),
            Page("Redundancy", "insight:redundancy", Right.READ_BASELINES),
            Page("Sets", "insight:sets", Right.READ_BASELINES),
        ),
    ),
    Place(
        "Results",
        (
            Page("Studies", "play:studies", Right.READ_BASELINES),
            Page(
                "Baselines",
                "insight:baselines",
                Right.READ_BASELINES,
                ("environments/*/baseline", "environments/*/releases"),
            ),
            Page("Attempts", "review:attempts", Right.WATCH_ATTEMPTS),
            Page("Collections", "review:collections", Right.WATCH_ATTEMPTS),
            Page("Review", "review:queue", Right.REVIEW_EFFORT),
            Page("Reports", "insight:reports", Right.READ_SURVEYS, ("studies/*/report",)),
        ),
    ),
    Place(
        "Arena",
        (
            Page("Boards", "arena:boards", Right.READ_BOARDS, ("arena/environments", "arena/submissions")),
            Page("Scorecards", "arena:cards", Right.READ_BOARDS),
            Page("Development", "arena:development", Right.READ_BOARDS),
            Page("Exports of runs", "arena:exports", Right.READ_BOARDS),
            Page("Keys", "arena:keys", Right.MANAGE_KEYS),
            Page("Exposure", "arena:exposure", Right.READ_BOARDS),
        ),
    ),
    Place(
        "Data",
        (
            Page("Study data", "review:data", Right.TAKE_DATA),
            Page("Exports", "review:exports", Right.WATCH_ATTEMPTS),
            Page("Signed days", "review:signed-days", Right.TAKE_DATA),
            Page("Withdrawals", "review:withdrawal", Right.WITHDRAW),
        ),
    ),
    Place("Operation", (Page("Status", "operation:status", Right.OPERATE),)),
)
PAGES = tuple(page for place in PLACES for page in place.pages)


def pages_for(staff: Staff) -> list[Page]:
    """The entries that this person's role may open."""
    return [page for page in PAGES if staff.may(page.right)]


def page_of(path: str) -> Page | None:
    """The entry that an address belongs to: the one that it says most of."""
    best = max(PAGES, key=lambda page: page.match(path))
    return best if best.match(path) else None


def place_of(page: Page) -> Place:
    return next(place for place in PLACES if page in place.pages)


def waiting_for(page: Page, staff: Staff, *, at_home: bool = False) -> tuple[int, str]:
    """What waits for a person behind an entry; 0 if nothing does. The home counts more than other pages."""
    for manifest in manifests():
        counts = (manifest.waiting, manifest.waiting_at_home) if at_home else (manifest.waiting,)
        for declared in counts:
            if page.url_name in declared:
                return declared[page.url_name](staff)
    return 0, ""


def waits_for(staff: Staff) -> list[tuple[Page, int, str]]:
    """Every page behind which something waits for a person, with how many of what."""
    found = [(page, *waiting_for(page, staff, at_home=True)) for page in pages_for(staff)]
    return [one for one in found if one[1]]


def context(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation`, the places of the signed-in member of staff with their pages."""
    user = getattr(request, "user", None)
    if not isinstance(user, Staff):
        return {"navigation": []}
    current = page_of(request.path)
    places = [_place(place, user, current) for place in PLACES]
    return {"navigation": [place for place in places if place["pages"]]}


def _place(place: Place, staff: Staff, current: Page | None) -> dict[str, Any]:
    pages = [_page(page, staff, current) for page in place.pages if staff.may(page.right)]
    return {
        "title": place.title,
        "address": pages[0]["address"] if pages else "",
        "current": any(page["current"] for page in pages),
        "waiting": sum(page["waiting"] for page in pages),
        "things": ", ".join(f"{page['waiting']} {page['things']}" for page in pages if page["waiting"]),
        "pages": pages,
    }


def _page(page: Page, staff: Staff, current: Page | None) -> dict[str, Any]:
    number, things = waiting_for(page, staff)
    return {
        "title": page.title,
        "address": page.address,
        "current": page == current,
        "waiting": number,
        "things": things,
    }
