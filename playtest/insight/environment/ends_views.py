"""The page that shows side by side how people of one fate ended a level."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.demonstration import shows_demonstration
from playtest.insight.environment.ends import (
    FATES,
    LEFT,
    attempts_of_fate,
    ends_heading,
    fates_on,
    people_of_fate,
)
from playtest.insight.environment.views import find_played, level_or_404, page_context
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.review.end_document import SECONDS
from playtest.studio.models import SightingKind
from playtest.studio.programs import of_programs
from playtest.studio.shown import environment_of_address, shows

AT_ONCE = 12
"""The most people on a page: so many boards are played together."""


@require_safe
@requires(Right.WATCH_ATTEMPTS)
@of_programs
@shows_demonstration
@shows(SightingKind.REPLAY, environment_of_address)
def ends(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The last seconds on a level of everyone with one fate, played together."""
    found = find_played(request, code)
    level_or_404(found, number)
    fate = request.GET.get("fate") or LEFT
    if fate not in FATES:
        raise Http404(f"A level has no fate {fate!r}.")
    people = people_of_fate(found, number, fate)
    context = page_context(found, request) | {
        "number": number,
        "heading": ends_heading(number, fate, len(people)),
        "fate": fate,
        "fates": fates_on(found, number),
        "left": LEFT,
        "page": Paginator(people, AT_ONCE).get_page(request.GET.get("page")),
        "as_list": attempts_of_fate(found, number, fate),
        "seconds": SECONDS,
    }
    return render(request, "insight/environment/ends.html", context)
