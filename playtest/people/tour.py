"""Guided tours: each step is a page with a note on it, and its address is all the state there is.

`?tour=designer&step=3` draws the note of that step on a page. Higher rooms add the tours when they start.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import resolve

from playtest.people.access import may_open
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.rules.text import whole_number

TOUR, STEP = "tour", "step"


@dataclass(frozen=True, slots=True)
class Step:
    """A page of a tour, what its note says, and the id of the part of the page that the note is about.

    `right` is what its reader needs besides what the address declares. With `begins`, a form is sent to
    the address, which then leads to the page: for a page that has to be made first.
    """

    address: str
    heading: str
    text: str
    part: str = ""
    right: Right | None = None
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Tour:
    """Steps for one kind of user, and the right without which most of them are missing."""

    name: str
    title: str
    about: str
    right: Right | None
    steps: Callable[[Staff], Iterable[Step]]


class Link(NamedTuple):
    """Where a step is. With `begins`, a form has to be sent there."""

    address: str
    begins: bool


class Note(NamedTuple):
    """What a page shows of a tour: a step, its number, and the ways from it."""

    tour: Tour
    number: int
    last: int
    step: Step
    before: Link | None
    after: Link | None
    leave: str
    """The same page without the tour."""


_TOURS: dict[str, Tour] = {}


def add_tour(tour: Tour) -> None:
    """Adds a tour, which homes offer to whoever has its right."""
    _TOURS[tour.name] = tour


def tours_for(staff: Staff) -> list[Tour]:
    """The tours that this person may take."""
    return [tour for tour in _TOURS.values() if tour.right is None or staff.may(tour.right)]


def tour_named(name: str, staff: Staff) -> Tour | None:
    """A tour that this person may take; None if there is no such one."""
    return next((tour for tour in tours_for(staff) if tour.name == name), None)


def steps_of(tour: Tour, staff: Staff) -> list[Step]:
    """The steps of a tour, in order, without those whose pages this person may not open."""
    return [step for step in tour.steps(staff) if _is_open_to(staff, step)]


def links_to(tour: Tour, steps: Sequence[Step]) -> list[Link]:
    """Where the steps of a tour are, with their notes."""
    return [_link(tour, number, step) for number, step in enumerate(steps, start=1)]


def note_for(request: HttpRequest, staff: Staff) -> Note | None:
    """The note that the address of a page asks for; None if it asks for none that there is."""
    tour = tour_named(request.GET.get(TOUR, ""), staff)
    if tour is None:
        return None
    number, steps = whole_number(request.GET.get(STEP, "")) or 0, steps_of(tour, staff)
    if not 1 <= number <= len(steps):
        return None
    links = [None, *links_to(tour, steps), None]
    before, after = links[number - 1], links[number + 1]
    return Note(tour, number, len(steps), steps[number - 1], before, after, _without_tour(request))


def tour_query(request: HttpRequest) -> str:
    """The step of a request, as the query of the page that it redirects to; empty if there is none."""
    asked = {name: request.GET[name] for name in (TOUR, STEP) if name in request.GET}
    return f"?{urlencode(asked)}" if asked else ""


def _link(tour: Tour, number: int, step: Step) -> Link:
    query = urlencode({TOUR: tour.name, STEP: number})
    joined = f"{step.address}{'&' if '?' in step.address else '?'}{query}"
    return Link(f"{joined}#{step.part}" if step.part else joined, step.begins)


def _is_open_to(staff: Staff, step: Step) -> bool:
    view = resolve(step.address.partition("?")[0]).func
    return may_open(staff, view) and (step.right is None or staff.may(step.right))


def _without_tour(request: HttpRequest) -> str:
    query = request.GET.copy()
    for name in (TOUR, STEP):
        query.pop(name, None)
    return f"{request.path}?{query.urlencode()}" if query else request.path
