"""The baseline page of an environment, and its figures as data."""

from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.baseline.figures import FIGURES, runs_figure
from playtest.insight.baseline.releases import inputs, inputs_digest, releases
from playtest.insight.baseline.report import BaselineReport, baseline_report
from playtest.insight.demonstration import shows_demonstration
from playtest.insight.figures.response import figure_response
from playtest.insight.requests import scope_or_404, version_or_404
from playtest.insight.results.acceptance import evidence
from playtest.insight.scope import EVERYONE, is_live
from playtest.insight.services.releases import next_number
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Study


@require_safe
@requires(Right.READ_BASELINES)
@shows_demonstration
def baseline(request: StaffRequest, code: str) -> HttpResponse:
    """The baseline by level, the people in it and not in it, and the releases."""
    return baseline_page(request, _report(request, code))


@require_safe
@requires(Right.READ_BASELINES)
def baseline_figure(
    request: StaffRequest,
    code: str,
    name: str,
    format: str,  # noqa: A002
) -> HttpResponseBase:
    """One figure as data."""
    if name not in FIGURES:
        raise Http404(f"A baseline has no figure {name!r}.")
    report = _report(request, code)
    if report.version.is_task:
        raise Http404("A static task has no baseline.")
    built = FIGURES[name](report, may_watch=request.user.may(Right.WATCH_ATTEMPTS))
    return figure_response(request, built, format, report.protocols)


def baseline_page(
    request: StaffRequest, report: BaselineReport, refusal: Refusal | None = None
) -> HttpResponse:
    """The page, of a static task what stands in its place; with a `refusal` if a release was refused."""
    version, scope = report.version, report.scope
    environment, may_watch = version.environment, request.user.may(Right.WATCH_ATTEMPTS)
    context: dict[str, Any] = {
        "environment": environment,
        "version": version,
        "versions": environment.versions.filter(is_draft=False).order_by("-imported_at", "-pk"),
        "studies": _studies(report),
        "scope": scope,
        "report": report,
        "protocols": report.protocols,
        "figure": runs_figure(report, may_watch=may_watch),
        "figures_at": f"{reverse('insight:baseline', args=[environment.code])}figures/",
        "query": _query(report),
        "live": is_live(scope, environment),
        "evidence": evidence(version, scope),
        "releases": releases(environment),
        "may_watch": may_watch,
        "may_release": request.user.may(Right.RELEASE_BASELINES) and scope == EVERYONE,
        "next_number": next_number(environment),
        "inputs_digest": inputs_digest(version.digest, inputs(report)),
        "refusal": refusal,
        "note": request.POST.get("note", ""),
    }
    page = "of-task" if version.is_task else "baseline"
    return render(
        request, f"insight/baseline/{page}.html", context, status=refusal.status if refusal else 200
    )


def _report(request: StaffRequest, code: str) -> BaselineReport:
    version, scope = version_or_404(request, code), scope_or_404(request)
    bring_up_to_date(scope.attempts.filter(environment=version.environment))
    return baseline_report(version, scope)


def _studies(report: BaselineReport) -> QuerySet[Study]:
    """The studies with an attempt at the version, and the chosen one."""
    chosen = Q(pk=report.scope.study.pk) if report.scope.study else Q()
    met = Q(sessions__attempts__version=report.version)
    return Study.objects.filter(met | chosen if chosen else met).distinct().order_by("name")


def _query(report: BaselineReport) -> str:
    """Version and scope as the query of an address."""
    return "&".join(filter(None, [urlencode({"version": report.version.digest}), report.scope.query]))
