"""The staff navigation: every page a role may start from, in reading order."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Right


@dataclass(frozen=True)
class Page:
    """One entry: its words, the name of its address, the right it needs, the folders reached from there."""

    title: str
    url_name: str
    right: Right
    folders: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        return reverse(self.url_name)

    def holds(self, path: str) -> bool:
        """Whether an address lies under this entry."""
        home = reverse("people:home")
        return path.startswith((self.address, *(f"{home}{folder}/" for folder in self.folders)))


PAGES = (
    Page("Sessions", "center:sessions", Right.RUN_SESSIONS, ("stations",)),
    Page("Environments", "insight:portfolio", Right.READ_BASELINES, ("recordings",)),
    Page("Board", "insight:board", Right.READ_BASELINES, ("redundancy", "sets")),
    Page("Attempts", "review:attempts", Right.WATCH_ATTEMPTS, ("collections", "exports")),
    Page("Review", "review:queue", Right.REVIEW_EFFORT),
    Page("Studies", "play:studies", Right.READ_BASELINES),
    Page("Data", "review:data", Right.TAKE_DATA),
    Page("Withdrawal", "review:withdrawal", Right.WITHDRAW),
)


def pages_for(staff: Staff) -> list[Page]:
    """The pages this person's role may open."""
    return [page for page in PAGES if staff.may(page.right)]


def context(request: HttpRequest) -> dict[str, Any]:
    """`navigation`: what the signed-in person may see, each with `current`; empty for participants."""
    user = getattr(request, "user", None)
    if not isinstance(user, Staff):
        return {"navigation": []}
    return {
        "navigation": [
            {"title": page.title, "address": page.address, "current": page.holds(request.path)}
            for page in pages_for(user)
        ]
    }
