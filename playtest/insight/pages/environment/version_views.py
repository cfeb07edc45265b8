"""The page that compares two versions of an environment."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import polars as pl
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.figures import Figure, figure_response
from playtest.insight.pages.environment.distributions import funnel_figure
from playtest.insight.pages.environment.versions import (
    FEWEST_PEOPLE,
    PlayedVersion,
    adjusted_for_people,
    compare,
    completion_figure,
    name_of,
    versions_heading,
    versions_of,
)
from playtest.insight.pages.environment.views import studies_with
from playtest.insight.requests import scope_or_404, shows_demonstration, version_or_404
from playtest.insight.scope import Scope, is_live
from playtest.insight.tables.protocols import Protocols, protocols_of
from playtest.insight.tables.version import VersionResults, version_results
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.text import persons
from playtest.studio.models import Environment, Version
from playtest.studio.shown import of_programs


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
def versions(request: StaffRequest, code: str) -> HttpResponse:
    """Compares an earlier and a later version, level by level."""
    environment, scope = version_or_404(request, code).environment, scope_or_404(request)
    bring_up_to_date(scope.attempts)  # results elsewhere tell how able people are
    every = versions_of(environment, scope)
    context: dict[str, Any] = {"environment": environment, "scope": scope, "known": every}
    if len(every) > 1:
        earlier, later = sides_of(request, environment, every, scope)
        figures, at = _figures(earlier, later), f"{reverse('insight:versions', args=[code])}figures/"
        chosen = {"earlier": earlier.version.digest, "later": later.version.digest}
        context |= {
            "earlier": earlier,
            "later": later,
            "heading": versions_heading(earlier, later),
            "rows": adjusted_for_people(compare(earlier, later), earlier, later),
            "protocols": protocols_of_both(earlier, later),
            "funnels": [(figures[name], at + name) for name in ("funnel-earlier", "funnel-later")],
            "completion": figures["completion"],
            "completion_at": f"{at}completion",
            "query": "&".join(filter(None, [urlencode(chosen), scope.query])),
            "live": is_live(scope, environment),
            "studies": studies_with(later),
            "fewest_people": FEWEST_PEOPLE,
        }
    return render(request, "insight/environment/versions.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def figure(request: StaffRequest, code: str, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure as data."""
    environment, scope = version_or_404(request, code).environment, scope_or_404(request)
    bring_up_to_date(scope.attempts.filter(environment=environment))
    every = versions_of(environment, scope)
    if len(every) < 2:
        raise Http404("One version is nothing to compare.")
    sides = sides_of(request, environment, every, scope)
    found = _figures(*sides)
    if name not in found:
        raise Http404(f"There is no figure {name!r} of these versions.")
    return figure_response(request, found[name], format, protocols_of_both(*sides), actions=scope.undo)


def protocols_of_both(earlier: VersionResults, later: VersionResults) -> Protocols:
    """The protocols behind the attempts of two versions."""
    return protocols_of(pl.concat([earlier.attempts.select("protocol"), later.attempts.select("protocol")]))


def _figures(earlier: VersionResults, later: VersionResults) -> dict[str, Figure]:
    figures = [_funnel(earlier, "earlier"), _funnel(later, "later"), completion_figure(earlier, later)]
    return {figure.name: figure for figure in figures}


def _funnel(side: VersionResults, which: str) -> Figure:
    people = persons(side.people)
    title = f"{which.capitalize()} version {name_of(side.version)}: {people}"
    return replace(funnel_figure(side), name=f"funnel-{which}", title=title)


def sides_of(
    request: StaffRequest, environment: Environment, every: list[PlayedVersion], scope: Scope
) -> tuple[VersionResults, VersionResults]:
    """The versions in the address, or the current one and the newest other played one."""
    later = _named(request, environment, "later") or environment.current or every[0].version
    others = [one for one in every if one.version != later]
    earlier = _named(request, environment, "earlier")
    if earlier is None or earlier == later:
        earlier = next((one.version for one in others if one.people), others[0].version)
    may_watch = request.user.may(Right.WATCH_ATTEMPTS)
    return version_results(earlier, scope, may_watch=may_watch), version_results(
        later, scope, may_watch=may_watch
    )


def _named(request: StaffRequest, environment: Environment, which: str) -> Version | None:
    return version_or_404(request, environment.code, which) if request.GET.get(which) else None
