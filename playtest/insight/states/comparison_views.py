"""The page that compares where people are among the states of a level in two versions."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.demonstration import shows_demonstration
from playtest.insight.environment.version_views import protocols_of_both, sides_of
from playtest.insight.environment.versions import versions_of
from playtest.insight.environment.views import studies_with
from playtest.insight.figures.response import figure_response
from playtest.insight.requests import scope_or_404, version_or_404
from playtest.insight.results.version import VersionResults
from playtest.insight.services.results import bring_up_to_date
from playtest.insight.states.comparison import Comparison, compare_states
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.studio.programs import of_programs


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
def states_versions(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """Where people are among the states of a level, in an earlier and a later version on one scale."""
    environment, scope = version_or_404(request, code).environment, scope_or_404(request)
    bring_up_to_date(scope.attempts.filter(environment=environment))
    every = versions_of(environment, scope)
    levels = max(one.version.levels for one in every)
    if not 1 <= number <= levels:
        raise Http404(f"{code} has levels 1 to {levels}.")
    context: dict[str, Any] = {
        "environment": environment,
        "scope": scope,
        "query": scope.query,
        "known": every,
        "number": number,
        "levels": range(1, levels + 1),
    }
    if len(every) > 1:
        earlier, later = sides_of(request, environment, every, scope)
        compared = compare_states(earlier, later, number)
        at = f"{reverse('insight:states-versions', args=[code, number])}figures/"
        chosen = {"earlier": earlier.version.digest, "later": later.version.digest}
        context |= {
            "earlier": earlier,
            "later": later,
            "heading": compared.heading,
            "rows": compared.rows(),
            "figures": [(figure, at + name) for name, figure in compared.figures.items()],
            "protocols": protocols_of_both(earlier, later),
            "studies": studies_with(later),
            "query": "&".join(filter(None, [urlencode(chosen), scope.query])),
        }
    return render(request, "insight/states/versions.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def figure(request: StaffRequest, code: str, number: int, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One of both figures as data."""
    compared, earlier, later = _compared(request, code, number)
    if name not in compared.figures:
        raise Http404(f"There is no figure {name!r} of these versions.")
    return figure_response(request, compared.figures[name], format, protocols_of_both(earlier, later))


def _compared(
    request: StaffRequest, code: str, number: int
) -> tuple[Comparison, VersionResults, VersionResults]:
    environment, scope = version_or_404(request, code).environment, scope_or_404(request)
    bring_up_to_date(scope.attempts.filter(environment=environment))
    every = versions_of(environment, scope)
    if len(every) < 2 or not 1 <= number <= max(one.version.levels for one in every):
        raise Http404("Two versions with such a level are compared.")
    earlier, later = sides_of(request, environment, every, scope)
    return compare_states(earlier, later, number), earlier, later
