"""The staff navigation: the entry pages, in reading order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Right


@dataclass(frozen=True)
class Page:
    """One entry: title, URL name, the right it needs, and further URL folders that belong to it."""

    title: str
    url_name: str
    right: Right
    folders: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        return reverse(self.url_name)

    def contains(self, path: str) -> bool:
        """Whether an address belongs to this entry."""
        home = reverse("people:home")
        return path.startswith((self.address, *(f"{home}{folder}/" for folder in self.folders)))


PAGES = (
    Page("Room", "center:wall", Right.RUN_SESSIONS, ("room-controls",)),
    Page("Sessions", "center:sessions", Right.RUN_SESSIONS, ("stations", "participants")),
    Page("Schedule", "center:schedule", Right.RUN_SESSIONS, ("bookings",)),
    Page("Pay", "center:pay", Right.ENTER_PAY),
    Page("Environments", "insight:portfolio", Right.READ_BASELINES, ("recordings", "plays")),
    Page("Board", "insight:board", Right.READ_BASELINES, ("redundancy", "sets", "cards", "uploads")),
    Page("Attempts", "review:attempts", Right.WATCH_ATTEMPTS, ("collections", "exports")),
    Page("Review", "review:queue", Right.REVIEW_EFFORT),
    Page("Studies", "play:studies", Right.READ_BASELINES),
    Page("Arena", "arena:cards", Right.READ_BOARDS, ("arena",)),
    Page("Data", "review:data", Right.TAKE_DATA),
    Page("Withdrawal", "review:withdrawal", Right.WITHDRAW),
    Page("Operation", "operation:status", Right.OPERATE),
)


type Waiting = Callable[[Staff], tuple[int, str]]
"""How many things wait for this person behind an entry, and what they are, after the number."""
_WAITING: dict[str, Waiting] = {}


def add_waiting(url_name: str, waiting: Waiting) -> None:
    """Declares what may wait behind an entry: a higher room does so when it starts."""
    _WAITING[url_name] = waiting


def pages_for(staff: Staff) -> list[Page]:
    """The entries that this person's role may open."""
    return [page for page in PAGES if staff.may(page.right)]


def context(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation`, the entries of the signed-in member of staff; else empty."""
    user = getattr(request, "user", None)
    if not isinstance(user, Staff):
        return {"navigation": []}
    return {"navigation": [_entry(page, user, request.path) for page in pages_for(user)]}


def _entry(page: Page, staff: Staff, path: str) -> dict[str, Any]:
    number, things = _WAITING.get(page.url_name, _nothing)(staff)
    return {
        "title": page.title,
        "address": page.address,
        "current": page.contains(path),
        "waiting": number,
        "things": things,
    }


def _nothing(_: Staff) -> tuple[int, str]:
    return 0, ""
