"""The staff navigation: places, the pages of each in reading order, and the trail to a page.

The trail's steps below an entry are the addresses that the page's own address begins with, where a room's
manifest has a title for them.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from playtest.people.access import may_open
from playtest.people.manifests import Waits, manifests
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.people.second_factor import is_missing
from playtest.rules.text import counted


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
            Page("Wall", "center:wall", Right.RUN_SESSIONS, ("room-controls", "calls")),
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
            Page("Import", "studio:import", Right.IMPORT_ENVIRONMENTS, ("environments/imports",)),
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
            Page("Watch a recording", "arena:drop", Right.READ_BOARDS),
            Page("Keys", "arena:keys", Right.MANAGE_KEYS),
            Page("Exposure", "arena:exposure", Right.READ_BOARDS),
        ),
    ),
    Place(
        "Data",
        (
            Page("Study data", "review:data", Right.TAKE_DATA),
            Page("Exports", "review:exports", Right.WATCH_ATTEMPTS),
            Page("Import", "insight:study-imports", Right.MANAGE_STUDIES),
            Page("Signed days", "review:signed-days", Right.TAKE_DATA),
            Page("Withdrawals", "review:withdrawal", Right.WITHDRAW),
        ),
    ),
    Place(
        "Operation",
        (
            Page("Status", "operation:status", Right.OPERATE),
            Page("Retention", "operation:retention", Right.WITHDRAW),
            Page("Accounts", "people:accounts", Right.MANAGE_ACCOUNTS),
            Page("Changes to accounts", "people:account-changes", Right.MANAGE_ACCOUNTS),
        ),
    ),
)
_READ_ONCE = "_waiting_behind_entries"
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


def waiting_for(page: Page, staff: Staff) -> Waits:
    """What waits for a person behind an entry, on every page; 0 if nothing does. Read once a request."""
    known: dict[str, Waits] = staff.__dict__.setdefault(_READ_ONCE, {})
    for manifest in manifests():
        if page.url_name in manifest.waiting:
            if page.url_name not in known:
                known[page.url_name] = manifest.waiting[page.url_name](staff)
            return known[page.url_name]
    return Waits(0, "")


def waits_for(staff: Staff) -> list[tuple[Page, Waits]]:
    """Everything that waits for a person, for the home: behind which page, and how many of what."""
    found = []
    for page in pages_for(staff):
        for manifest in manifests():
            at_home = [count for name, count in manifest.waiting_at_home if name == page.url_name]
            usual = page.url_name in manifest.waiting and not at_home
            counted = [waiting_for(page, staff)] if usual else [count(staff) for count in at_home]
            found += [(page, waits) for waits in counted if waits.number]
    return found


def new_for(staff: Staff, since: datetime) -> list[tuple[Page, str]]:
    """What is new for a person since a moment, for the home: behind which page, and how many of what."""
    declared = [one for manifest in manifests() for one in manifest.new_at_home]
    return [
        (page, counted(number, noun, plural))
        for page in pages_for(staff)
        for name, noun, plural, count in declared
        if name == page.url_name and (number := count(staff, since))
    ]


def context(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation`, the places of the signed-in member of staff with their pages."""
    user = getattr(request, "user", None)
    if not isinstance(user, Staff) or is_missing(user, request.session):
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
    waits = waiting_for(page, staff)
    return {
        "title": page.title,
        "address": page.address,
        "current": page == current,
        "waiting": waits.number,
        "things": waits.things,
    }


SCOPE = ("study", "protocol", "excluded", "version")
"""Parameters that say whose results of what a page shows: they hold on the pages above it, too."""


@dataclass(frozen=True)
class Step:
    """One step: `address` is None for what is no page, and for the page itself."""

    title: str
    address: str | None = None


def trail(request: HttpRequest, staff: Staff) -> list[Step]:
    """The steps to the requested page, from its place on; empty for a page outside all places."""
    page = page_of(request.path)
    if page is None:
        return []
    steps = [Step(place_of(page).title)]
    above = [Step(page.title, page.address)] if staff.may(page.right) else []
    for address in _beginnings(request.path):
        title = "" if address == page.address else _title(address, staff)
        if title:
            above.append(Step(title, address))
    query = _scope(request)
    for step in above:
        is_here, has_scope = step.address == request.path, step.address != page.address
        steps.append(Step(step.title, None if is_here else f"{step.address}{query if has_scope else ''}"))
    return steps


def _beginnings(path: str) -> list[str]:
    """The folders that an address begins with, below the staff's home, down to itself."""
    home = reverse("people:home")
    names = path.removeprefix(home).split("/")
    found = [home + "/".join(names[:end]) + "/" for end in range(1, len(names))]
    return found if path.endswith("/") else [*found, path]


def _title(address: str, staff: Staff) -> str:
    """What an address shows; empty if it has no title, or is not for this person."""
    try:
        match = resolve(address)
    except Resolver404:
        return ""
    if not may_open(staff, match.func):
        return ""
    title = next((one.titles[match.view_name] for one in manifests() if match.view_name in one.titles), "")
    return title.format(**match.kwargs) if isinstance(title, str) else title(**match.kwargs)


def _scope(request: HttpRequest) -> str:
    chosen = {name: request.GET[name] for name in SCOPE if request.GET.get(name)}
    return f"?{urlencode(chosen)}" if chosen else ""
