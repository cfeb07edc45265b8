"""Where a page is: its place, its entry of the navigation, and what it is within, down to itself.

The steps below the entry are the addresses that the page's own address begins with. Each room's
manifest names its addresses.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from playtest.people.access import may_open
from playtest.people.manifests import manifests
from playtest.people.models import Staff
from playtest.people.navigation import page_of, place_of

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
