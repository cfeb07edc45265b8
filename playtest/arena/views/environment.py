"""People and agents on one environment, side by side."""

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.arena.figures import AGENTS, FIGURES, MOST_STUCK, PEOPLE
from playtest.arena.queries.baselines import baseline_of
from playtest.arena.queries.side_by_side import SideBySide, deepest, side_by_side
from playtest.arena.queries.stuck import stuck_levels
from playtest.arena.views.forms import FilesForm
from playtest.insight.figures.response import figure_response
from playtest.insight.requests import version_or_404
from playtest.insight.results.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right


@require_safe
@requires(Right.READ_BOARDS)
def environment(request: StaffRequest, code: str) -> HttpResponse:
    """What agents and people did on an environment: actions, rates, and where people got stuck."""
    found = _find(request, code)
    may_watch = request.user.may(Right.WATCH_ATTEMPTS)
    version = found.version
    baseline = baseline_of(version)
    context = {
        "environment": version.environment,
        "version": version,
        "versions": version.environment.versions.filter(is_draft=False).order_by("-imported_at", "-pk"),
        "baseline": baseline,
        "rows": [
            {"level": level.level, "who": who, "on": on, "baseline": baseline.of(level.level)}
            for level in found.levels
            for who, on in ((PEOPLE, level.people), (AGENTS, level.agents))
            if level.people.reached or level.agents.reached
        ],
        "people": len({row.attempt for row in found.people}),
        "agents": len({row.attempt for row in found.agents}),
        "deepest_people": deepest(found.people),
        "deepest_agents": deepest(found.agents),
        "figures": {name: build(found, may_watch=may_watch) for name, build in FIGURES.items()},
        "stuck": stuck_levels(found, MOST_STUCK),
        "may_watch": may_watch,
        "figures_at": f"{reverse('arena:environment', args=[code])}figures/",
        "query": f"version={version.digest}",
        "files_form": FilesForm(),
        "may_read": request.user.may(Right.READ_BASELINES),
    }
    return render(request, "arena/environment.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def figure(request: StaffRequest, code: str, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure of people and agents as data."""
    if name not in FIGURES:
        raise Http404(f"There is no figure {name!r} of people and agents.")
    built = FIGURES[name](_find(request, code), may_watch=request.user.may(Right.WATCH_ATTEMPTS))
    return figure_response(request, built, format, Protocols())


def _find(request: StaffRequest, code: str) -> SideBySide:
    return side_by_side(version_or_404(request, code))
