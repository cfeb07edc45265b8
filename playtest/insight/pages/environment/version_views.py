"""The page that compares two versions of an environment, and what such pages have in common."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from playtest.insight.tables.population import population_of
from playtest.insight.tables.protocols import protocols_of
from playtest.insight.tables.version import VersionResults, version_results
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.text import persons
from playtest.studio.models import Environment, Version
from playtest.studio.queries.catalogue import pictured_levels
from playtest.studio.shown import of_programs


@dataclass(frozen=True)
class TwoVersions:
    """The `known` versions of an environment, and an earlier and a later one; None where it has one."""

    environment: Environment
    scope: Scope
    known: list[PlayedVersion]
    sides: tuple[VersionResults, VersionResults] | None

    def context(self, figures: Mapping[str, Figure], address: str) -> dict[str, Any]:
        """What a page needs that compares them; `address` is its own."""
        found: dict[str, Any] = {"environment": self.environment, "scope": self.scope, "known": self.known}
        if self.sides is None:
            return found
        earlier, later = self.sides
        chosen = {"earlier": earlier.version.digest, "later": later.version.digest}
        return found | {
            "earlier": earlier,
            "later": later,
            "population": population_of(pl.concat([earlier.everyone, later.everyone]), self.scope),
            "protocols": protocols_of(_protocols(self.sides)),
            "figures": [(figure, f"{address}figures/{name}") for name, figure in figures.items()],
            "query": "&".join(filter(None, [urlencode(chosen), self.scope.query])),
            "live": is_live(self.scope, self.environment),
            "studies": studies_with(later),
        }

    def response(
        self,
        request: StaffRequest,
        figures: Mapping[str, Figure],
        name: str,
        format: str,  # noqa: A002
    ) -> HttpResponseBase:
        """One of the figures as data, or Http404."""
        if self.sides is None or name not in figures:
            raise Http404(f"There is no figure {name!r} of two versions.")
        protocols = protocols_of(_protocols(self.sides))
        return figure_response(request, figures[name], format, protocols, actions=self.scope.undo)


def two_versions(request: StaffRequest, code: str, *, with_others: bool = False) -> TwoVersions:
    """Those in the address, or the current one and the newest other played one.

    `with_others`: results at other environments, which tell how able people are, are up to date too.
    """
    environment, scope = version_or_404(request, code).environment, scope_or_404(request)
    everyone = scope.whole.attempts
    bring_up_to_date(everyone if with_others else everyone.filter(environment=environment))
    known = versions_of(environment, scope)
    sides = _sides_of(request, environment, known, scope) if len(known) > 1 else None
    return TwoVersions(environment, scope, known, sides)


def _sides_of(
    request: StaffRequest, environment: Environment, known: list[PlayedVersion], scope: Scope
) -> tuple[VersionResults, VersionResults]:
    later = _named(request, environment, "later") or environment.current or known[0].version
    others = [one for one in known if one.version != later]
    earlier = _named(request, environment, "earlier")
    if earlier is None or earlier == later:
        earlier = next((one.version for one in others if one.people), others[0].version)
    may_watch = request.user.may(Right.WATCH_ATTEMPTS)
    return version_results(earlier, scope, may_watch=may_watch), version_results(
        later, scope, may_watch=may_watch
    )


def _named(request: StaffRequest, environment: Environment, which: str) -> Version | None:
    return version_or_404(request, environment.code, which) if request.GET.get(which) else None


def _protocols(sides: tuple[VersionResults, VersionResults]) -> pl.DataFrame:
    return pl.concat([side.attempts.select("protocol") for side in sides])


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
def versions(request: StaffRequest, code: str) -> HttpResponse:
    """Compares an earlier and a later version, level by level."""
    found = two_versions(request, code, with_others=True)
    context = found.context(_figures(found), reverse("insight:versions", args=[code]))
    if found.sides is not None:
        earlier, later = found.sides
        context |= {
            "pictured": pictured_levels(earlier.version, later.version),
            "heading": versions_heading(earlier, later),
            "rows": adjusted_for_people(compare(earlier, later), earlier, later),
            "fewest_people": FEWEST_PEOPLE,
        }
    return render(request, "insight/environment/versions.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def figure(request: StaffRequest, code: str, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure as data."""
    found = two_versions(request, code)
    return found.response(request, _figures(found), name, format)


def _figures(found: TwoVersions) -> dict[str, Figure]:
    if found.sides is None:
        return {}
    earlier, later = found.sides
    title = f"Version {name_of(later.version)}: {persons(later.people)}"
    bars = replace(funnel_figure(replace(later, before=earlier)), title=title)
    return {figure.name: figure for figure in (bars, completion_figure(earlier, later))}
