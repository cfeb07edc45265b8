"""The page that compares two versions of an environment, level by level."""

from dataclasses import replace
from urllib.parse import urlencode

import polars as pl
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.environment.distributions import funnel_figure
from playtest.insight.pages.environment.versions import (
    FEWEST_PEOPLE,
    adjusted_for_people,
    compare,
    versions_heading,
)
from playtest.insight.pages.environment.views import find_played, page_context
from playtest.insight.requests import scope_or_404, shows_demonstration
from playtest.insight.tables.population import population_of
from playtest.insight.tables.protocols import protocols_of
from playtest.insight.tables.results import attempts
from playtest.insight.tables.version import VersionResults, version_results
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.inference.ranks import BETWEEN_VERSIONS
from playtest.studio.queries.catalogue import pictured_levels
from playtest.studio.shown import of_programs


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
def versions(request: StaffRequest, code: str) -> HttpResponse:
    """Compares the version in the address with another one, in the address as `before`."""
    bring_up_to_date(scope_or_404(request).whole.attempts)  # results elsewhere tell how able people are
    later = find_played(request, code)
    earlier = later.before or _another(later)
    context = page_context(later, request)
    if earlier is not None:
        later = replace(later, before=earlier)
        everyone = pl.concat([earlier.everyone, later.everyone])
        chosen = urlencode({"version": later.version.digest, "before": earlier.version.digest})
        context |= {
            "results": later,
            "earlier": earlier,
            "population": population_of(everyone, later.scope),
            "protocols": protocols_of(pl.concat([earlier.attempts, later.attempts])),
            "funnel": funnel_figure(later),
            "query": "&".join(filter(None, [chosen, later.scope.query])),
            "pictured": pictured_levels(earlier.version, later.version),
            "heading": versions_heading(earlier, later),
            "rows": adjusted_for_people(compare(earlier, later), earlier, later),
            "fewest_people": FEWEST_PEOPLE,
            "assumes": BETWEEN_VERSIONS,
        }
    return render(request, "insight/environment/versions.html", context)


def _another(later: VersionResults) -> VersionResults | None:
    """The newest other version that anybody of the scope played, or the newest one; None without any."""
    environment = later.version.environment
    others = environment.versions.filter(is_draft=False).exclude(pk=later.version.pk)
    newest = list(others.order_by("-imported_at", "-pk"))
    played = set(attempts(later.scope, [environment])["version"])
    chosen = next((one for one in newest if one.pk in played), newest[0] if newest else None)
    return version_results(chosen, later.scope, may_watch=later.may_watch) if chosen else None
