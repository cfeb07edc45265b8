"""The baseline page of an environment."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.queries.baselines import LevelReport, find_version, level_reports
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal


@dataclass(frozen=True)
class Strip:
    """A level's action counts as places along one axis that all levels share, in percent of its length."""

    dots: tuple[float, ...]
    median: float | None


@require_safe
@requires(Right.READ_BASELINES)
def baseline(request: StaffRequest, code: str) -> HttpResponse:
    """Per level: completers, upper median, best, and the counts behind them, each leading to its replay."""
    try:
        version = find_version(code, request.GET.get("version", ""))
    except Refusal as refusal:
        raise Http404(refusal.message) from refusal
    with_excluded = request.GET.get("excluded") == "with"
    reports = level_reports(version, with_excluded=with_excluded)
    most = max((run.counts.actions for report in reports for run in report.completions), default=0)
    context: dict[str, Any] = {
        "environment": version.environment,
        "version": version,
        "versions": version.environment.versions.order_by("-imported_at", "-pk"),
        "rows": [(report, _strip(report, most)) for report in reports],
        "most": most,
        "with_excluded": with_excluded,
        "left_out": any(report.left_out for report in reports),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
    }
    return render(request, "insight/baseline.html", context)


def _strip(report: LevelReport, most: int) -> Strip:
    def place(actions: int) -> float:
        return round(2 + 96 * actions / most, 2)

    median = report.baseline.upper_median
    return Strip(
        tuple(place(run.counts.actions) for run in report.completions),
        None if median is None else place(median),
    )
