"""The page of split results, and its figures as data."""

from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.figures import figure_response
from playtest.insight.pages.environment.views import address_query, find_played, page_context
from playtest.insight.pages.split.groups import FIGURES, Choice, Group, choices, chosen, groups
from playtest.insight.requests import shows_demonstration
from playtest.insight.tables.protocols import protocols_of
from playtest.insight.tables.version import VersionResults
from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.refusals import refusal_as_404
from playtest.people.roles import Right


@require_safe
@requires(Right.READ_BASELINES)
@shows_demonstration
def split(request: StaffRequest, code: str) -> HttpResponse:
    """Funnel, incidence and baselines of each group, side by side; of a static task success by pair."""
    found = find_played(request, code)
    choice, parts = _parts(request, found)
    figures = FIGURES[found.version.kind]
    may_read = request.user.may(Right.READ_SURVEYS)
    shown = [part for part in parts if part.results is not None]
    context = page_context(found, request) | {
        "choices": [one for one in choices(found.scope) if may_read or not one.needs_answers],
        "choice": choice,
        "groups": parts,
        "shown": shown,
        "levels": [
            (number, [part.levels[number - 1] for part in shown])
            for number in range(1, found.version.levels + 1)
        ],
        "incidence": figures["incidence"](parts) if "incidence" in figures else None,
        "at": f"{reverse('insight:split', args=[code])}figures/incidence",
        "levels_at": f"{reverse('insight:split', args=[code])}figures/levels.csv",
        "query": "&".join(filter(None, [address_query(found, request), urlencode({"by": choice.name})])),
        "fewest_people": found.scope.protocol.smallest_group,
    }
    return render(request, "insight/split/split.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def figure(request: StaffRequest, code: str, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure as data."""
    found = find_played(request, code)
    figures = FIGURES[found.version.kind]
    if name not in figures:
        raise Http404(f"Split results have no figure {name!r}.")
    _, parts = _parts(request, found)
    protocols = protocols_of(found.attempts)
    return figure_response(request, figures[name](parts), format, protocols, actions=found.scope.undo)


def _parts(request: StaffRequest, found: VersionResults) -> tuple[Choice, list[Group]]:
    """The groups of the address. Answers need a right of their own."""
    with refusal_as_404():
        choice = chosen(found.scope, request.GET.get("by", ""))
    if choice.needs_answers and not request.user.may(Right.READ_SURVEYS):
        raise RightMissing(Right.READ_SURVEYS)
    return choice, groups(found, choice)
