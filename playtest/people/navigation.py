"""The staff navigation: every page a role may start from, in reading order."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Right


@dataclass(frozen=True)
class Page:
    """One entry: its words, the name of its address, the right it needs."""

    title: str
    url_name: str
    right: Right

    @property
    def address(self) -> str:
        return reverse(self.url_name)


PAGES = (
    Page("Sessions", "center:sessions", Right.RUN_SESSIONS),
    Page("Environments", "insight:portfolio", Right.READ_BASELINES),
    Page("Board", "insight:board", Right.READ_BASELINES),
    Page("Attempts", "review:attempts", Right.WATCH_ATTEMPTS),
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
            {"title": page.title, "address": page.address, "current": request.path.startswith(page.address)}
            for page in pages_for(user)
        ]
    }
