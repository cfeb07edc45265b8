"""An environment's page, a level's page, their figures and pictures."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.figures import Figure, figure_response
from playtest.insight.pages.environment.attempt_strips import (
    WIDTH,
    attempt_rows,
    environment_heading,
    idle_attempts,
    level_heading,
)
from playtest.insight.pages.environment.ends import (
    FATES,
    LEFT,
    attempts_of_fate,
    ends_heading,
    fates_on,
    people_of_fate,
    people_on,
)
from playtest.insight.pages.environment.figures import PAGE, build, heat_maps, standards_of
from playtest.insight.pages.environment.first_frames import first_frame_or_start
from playtest.insight.pages.environment.level_table import (
    level_facts,
    level_rows,
    seconds_to_change,
)
from playtest.insight.pages.task.views import task_figure, task_page
from playtest.insight.requests import scope_or_404, shows_demonstration, version_or_404
from playtest.insight.scope import is_live
from playtest.insight.tables.acceptance import evidence_of
from playtest.insight.tables.protocols import protocols_of, rules_of, too_few_text
from playtest.insight.tables.version import VersionResults, version_results
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.review.journal_document import SECONDS
from playtest.review.video.pictures import png
from playtest.rules.dropoff import worst
from playtest.rules.kinds import Kind
from playtest.studio.models import SightingKind, Version
from playtest.studio.shown import environment_of_address, of_programs, shows

MOST_ATTEMPTS = 50
"""The page has the newest attempts, the list has all."""
_SCALE = 4
_A_DAY = 24 * 60 * 60
"""Who saw an environment is recorded by the day: a picture is asked for again on the next one."""


@require_safe
@requires(Right.READ_BASELINES)
@shows_demonstration
@shows(SightingKind.FRAMES, environment_of_address)
def environment(request: StaffRequest, code: str) -> HttpResponse:
    """The results of one environment: where people stop, and why."""
    found = find_played(request, code)
    return _PAGES[found.version.kind].page(request, found)


def _program(request: StaffRequest, found: VersionResults) -> HttpResponse:
    context = _present(found, request)
    funnel, *figures = ((builder(found), context["figures_at"] + name) for name, builder in PAGE.items())
    context |= {
        "funnel": funnel,
        "figures": figures,
        "attempts": attempt_rows(found, MOST_ATTEMPTS, idle_attempts(found)),
        "all_attempts": found.links.attempts(level=1),
        "strip_width": WIDTH,
        "legend": found.outcome_labels,
        "rehearsals": studies_with(found).filter(rehearsal=True),
    }
    return render(request, "insight/environment/environment.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.FRAMES, environment_of_address)
def now(request: StaffRequest, code: str) -> HttpResponse:
    """The parts of the page, beside its figures, that change while a session runs."""
    found = find_played(request, code)
    return _PAGES[found.version.kind].now(request, found)


@require_safe
@requires(Right.READ_BASELINES)
@shows_demonstration
@shows(SightingKind.FRAMES, environment_of_address)
def level(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The results of one level: heat maps and people."""
    found = find_played(request, code)
    level_or_404(found, number)
    return _PAGES[found.version.kind].level(request, found, number)


def _level(request: StaffRequest, found: VersionResults, number: int) -> HttpResponse:
    facts = level_facts(found, seconds_to_change(found))
    context = page_context(found, request)
    at = context["figures_at"]
    context |= {
        "number": number,
        "heat_maps": [(builder(found), at + name) for name, builder in heat_maps(found, number).items()],
        "heading": level_heading(found, facts[number - 1]),
        "row": level_rows(found, facts, standards_of(found))[number - 1],
        "people": people_on(found, number),
        "left": next(fate for fate in fates_on(found, number) if fate.name == LEFT),
        "levels": range(1, found.version.levels + 1),
    }
    return render(request, "insight/environment/level.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.FRAMES, environment_of_address)
def figure(request: StaffRequest, code: str, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure as data."""
    found = find_played(request, code)
    built = _PAGES[found.version.kind].figure(found, name)
    if built is None:
        raise Http404(f"An environment has no figure {name!r}.")
    return figure_response(request, built, format, protocols_of(found.attempts), actions=found.scope.undo)


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.FRAMES, environment_of_address)
def level_picture(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """A level's first frame as a PNG, which never changes if the address has a version: of drafts, too."""
    drawn = Version.objects.select_related("environment").filter(environment__code=code)
    exact = drawn.filter(digest=request.GET.get("version", "")).first()
    frame = first_frame_or_start(exact or version_or_404(request, code), number)
    if frame is None:
        raise Http404("frame_unknown: there is no such level, or it cannot be started")
    response = HttpResponse(png(frame, _SCALE), content_type="image/png")
    if "version" in request.GET:
        patch_cache_control(response, private=True, max_age=_A_DAY, immutable=True)
    return response


def find_played(request: StaffRequest, code: str) -> VersionResults:
    """The results of the version and scope in the address, up to date with the journal."""
    version, scope = version_or_404(request, code), scope_or_404(request)
    bring_up_to_date(scope.whole.attempts.filter(environment=version.environment))
    may_watch = request.user.may(Right.WATCH_ATTEMPTS)
    found = version_results(version, scope, may_watch=may_watch)
    before = version_or_404(request, code, "before") if request.GET.get("before") else version
    if before == version:
        return found
    return replace(found, before=version_results(before, scope, may_watch=may_watch))


def level_or_404(found: VersionResults, number: int) -> None:
    """Raises Http404 if the version has no such level."""
    if not 1 <= number <= found.version.levels:
        raise Http404(f"{found.version.environment.code} has levels 1 to {found.version.levels}.")


def page_context(found: VersionResults, request: StaffRequest) -> dict[str, Any]:
    """The context of all pages of one version: scope, choices, address of figures."""
    environment, version = found.version.environment, found.version
    return {
        "environment": environment,
        "version": version,
        "versions": environment.versions.filter(is_draft=False).order_by("-imported_at", "-pk"),
        "studies": studies_with(found),
        "scope": found.scope,
        "population": found.population,
        "protocols": protocols_of(found.attempts),
        "results": found,
        "query": address_query(found, request),
        "figures_at": f"{reverse('insight:environment', args=[environment.code])}figures/",
        "live": is_live(found.scope, environment),
        "may_watch": found.may_watch,
    }


def _program_now(request: StaffRequest, found: VersionResults) -> HttpResponse:
    return render(request, "insight/environment/now.html", _present(found, request))


def _task(request: StaffRequest, found: VersionResults, part: str = "task") -> HttpResponse:
    context = page_context(found, request) | {
        "other_versions": _elsewhere(found),
        "rehearsals": studies_with(found).filter(rehearsal=True),
    }
    return task_page(request, found, context, part)


def _pair(request: StaffRequest, found: VersionResults, number: int) -> HttpResponse:
    """A test pair has its place on the page of its task."""
    query = address_query(found, request)
    page = reverse("insight:environment", args=[found.version.environment.code])
    return redirect(f"{page}{'?' if query else ''}{query}#pair-{number}")


class _Pages(NamedTuple):
    """The pages and figures of the results of one kind of environment."""

    page: Callable[[StaffRequest, VersionResults], HttpResponse]
    now: Callable[[StaffRequest, VersionResults], HttpResponse]
    level: Callable[[StaffRequest, VersionResults, int], HttpResponse]
    figure: Callable[[VersionResults, str], Figure | None]


_PAGES = {
    Kind.INTERACTIVE: _Pages(_program, _program_now, _level, build),
    Kind.TASK: _Pages(_task, partial(_task, part="now"), _pair, task_figure),
}


def _present(found: VersionResults, request: StaffRequest) -> dict[str, Any]:
    """What both the page and its live parts show."""
    facts = level_facts(found, seconds_to_change(found))
    rows = level_rows(found, facts, standards_of(found))
    most = next((row for row in rows if row.ends_href and row.counts in worst(facts)), None)
    elsewhere = _elsewhere(found)
    return page_context(found, request) | {
        "heading": environment_heading(found, facts, elsewhere=bool(elsewhere)),
        "other_versions": elsewhere,
        "rows": rows,
        "introduces": any(row.new for row in rows),
        "worst": most,
        "too_few": too_few_text(rules_of(found.attempts, found.scope)),
        "replays": evidence_of(found).replays[: 2 if most else 3],
    }


def studies_with(found: VersionResults) -> QuerySet[Study]:
    """The studies in which somebody played the environment, and the chosen one."""
    met = Study.objects.filter(sessions__attempts__environment=found.version.environment)
    chosen = Study.objects.filter(pk=found.scope.study.pk) if found.scope.study else Study.objects.none()
    return (met | chosen).distinct().order_by("rehearsal", "name")


def address_query(found: VersionResults, request: StaffRequest) -> str:
    """Version and scope as the query of an address; "" for the default of both."""
    chosen = {name: request.GET[name] for name in ("version", "before") if request.GET.get(name)}
    return "&".join(filter(None, [urlencode(chosen), found.scope.query]))


def _elsewhere(found: VersionResults) -> list[tuple[str, int]]:
    """Where nobody played this version: digests of others, and how many attempts of the scope each has."""
    if found.people:
        return []
    others = found.scope.attempts.filter(environment=found.version.environment).exclude(version=found.version)
    return list(others.values_list("version__digest").annotate(Count("pk")).order_by("-version__imported_at"))


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
        "heading": ends_heading(found, number, fate, len(people)),
        "fate": fate,
        "fates": fates_on(found, number),
        "left": LEFT,
        "page": Paginator(people, AT_ONCE).get_page(request.GET.get("page")),
        "as_list": attempts_of_fate(found, number, fate),
        "seconds": SECONDS,
    }
    return render(request, "insight/environment/ends.html", context)
