"""The pages of baselines: all of them, one, releasing it, and a release compared with today."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.figures import Figure, Row, figure_response, table
from playtest.insight.models import Release
from playtest.insight.pages.baseline import releases
from playtest.insight.pages.baseline.report import BaselineReport, LevelReport, baseline_report
from playtest.insight.pages.environment.distributions import DOUBTED
from playtest.insight.pages.environment.figures import PAGE
from playtest.insight.pages.environment.views import page_context
from playtest.insight.requests import find_version, scope_or_404, shows_demonstration, version_or_404
from playtest.insight.scope import EVERYONE, scope_of
from playtest.insight.services.releases import next_number
from playtest.insight.services.releases import release as release_service
from playtest.insight.tables.acceptance import evidence_of, verdicts
from playtest.insight.tables.version import version_results
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.refusals import refusal_as_404
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.acceptance import Verdict
from playtest.rules.text import whole_number
from playtest.studio.models import Environment
from playtest.studio.queries.waivers import granted_of_version
from playtest.studio.shown import of_programs


def levels_table(report: BaselineReport) -> Figure:
    """The table of the page."""
    return table(
        "levels",
        "The baseline of each level",
        "level Level | ended Ended it [people] | completers Completers [people] | "
        "upper_median Upper median [actions] | low From [actions] | high To [actions] | "
        "coverage Least coverage | more_people More people for ±20 % [people] | "
        "best Best first run [actions] | fewest_known Fewest known [actions] | "
        "fewest_is_proven Proven fewest",
        [_numbers(level) for level in report.levels],
        "The upper median of actions, its interval, and the interval's least coverage.",
    )


def _numbers(level: LevelReport) -> Row:
    found, between = level.baseline, level.interval
    return (
        level.level,
        level.ended,
        found.completers,
        found.upper_median,
        between.low if between else None,
        between.high if between else None,
        between.coverage if between else None,
        level.more.people,
        found.best,
        level.fewest.actions if level.fewest else None,
        level.fewest.proven if level.fewest else False,
    )


def people_table(report: BaselineReport) -> Figure:
    """Every level that a person reached: whether it is in the baseline, and if not, why."""
    rows: list[Row] = [
        (
            person.participant, person.attempt_id, person.outcome, person.why_not_counted, run.level,
            run.actions, run.resets, run.actions_since_reset, not run.why_out, run.why_out,
            person.under_review,
        )
        for person in report.people
        for run in person.runs
    ]  # fmt: skip
    return table(
        "people",
        "Who is in the baseline, and who is not",
        "participant Person | attempt Attempt | outcome Outcome | why_not_counted The whole attempt | "
        "level Level | actions Actions [actions] | resets Resets | "
        "actions_since_reset Since the last reset [actions] | counted In the baseline | why_out Reason"
        f"{DOUBTED}",
        rows,
        "One row for each level that a person of this scope reached.",
    )


TABLES: dict[str, Callable[[BaselineReport], Figure]] = {"levels": levels_table, "people": people_table}


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
def baseline(request: StaffRequest, code: str) -> HttpResponse:
    """The baseline by level, the people in it and not in it, and the releases."""
    return baseline_page(request, _report(request, code))


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def baseline_figure(
    request: StaffRequest,
    code: str,
    name: str,
    format: str,  # noqa: A002
) -> HttpResponseBase:
    """One figure as data."""
    if name not in TABLES:
        raise Http404(f"A baseline has no figure {name!r}.")
    report = _report(request, code)
    return figure_response(request, TABLES[name](report), format, report.protocols, actions=report.scope.undo)


def baseline_page(
    request: StaffRequest, report: BaselineReport, refusal: Refusal | None = None
) -> HttpResponse:
    """The page; with a `refusal` if a release was refused."""
    version, scope, environment = report.version, report.scope, report.version.environment
    results = version_results(version, scope, may_watch=request.user.may(Right.WATCH_ATTEMPTS))
    context: dict[str, Any] = page_context(results, request) | {
        "report": report,
        "protocols": report.protocols,
        "figure": PAGE["actions"](results),
        "files_at": f"{reverse('insight:baseline', args=[environment.code])}figures/",
        "evidence": evidence_of(results),
        "releases": releases.releases(environment),
        "may_release": request.user.may(Right.RELEASE_BASELINES) and scope == EVERYONE,
        "next_number": next_number(environment),
        "inputs_digest": releases.inputs_digest(version.digest, releases.inputs(report)),
        "refusal": refusal,
        "note": request.POST.get("note", ""),
    }
    return render(
        request, "insight/baseline/baseline.html", context, status=refusal.status if refusal else 200
    )


def _report(request: StaffRequest, code: str) -> BaselineReport:
    version, scope = version_or_404(request, code), scope_or_404(request)
    bring_up_to_date(scope.whole.attempts.filter(environment=version.environment))
    return baseline_report(version, scope)


@dataclass(frozen=True)
class BaselineRow:
    """An environment, the verdict of its gate, and its newest release."""

    environment: Environment
    verdict: Verdict
    release: Release | None

    @property
    def is_outdated(self) -> bool:
        return self.release is not None and self.release.version_id != self.environment.current_id


@require_safe
@requires(Right.READ_BASELINES)
def baselines(request: StaffRequest) -> HttpResponse:
    """Every interactive environment with a version: people counted, and its newest release."""
    rows = baseline_rows()
    released = sum(row.release is not None for row in rows)
    tasks = Environment.objects.tasks().filter(current__isnull=False).count()
    context = {"rows": rows, "released": released, "tasks": tasks}
    return render(request, "insight/baseline/list.html", context)


def baseline_rows(judged: Mapping[int, Verdict] | None = None) -> list[BaselineRow]:
    """By id, without static tasks, which have none. Real people of all studies count, as in a release.

    `judged` are verdicts that are known already, by environment.
    """
    environments = list(
        Environment.objects.interactive()
        .filter(current__isnull=False)
        .select_related("current")
        .defer("note", "current__source", "current__metadata")
        .order_by("code")
    )
    known = judged or {}
    if others := [one for one in environments if one.pk not in known]:
        known = {**known, **verdicts(others)}
    newest = {
        release.environment_id: release
        for release in Release.objects.select_related("released_by").order_by("number")
    }
    return [BaselineRow(one, known[one.pk], newest.get(one.pk)) for one in environments]


@require_POST
@requires(Right.RELEASE_BASELINES)
@of_programs
def new_release(request: StaffRequest, code: str) -> HttpResponse:
    """Releases the baseline of a version, or shows the baseline's page with the refusal."""
    given = request.POST
    with refusal_as_404():
        version, scope = find_version(code, given.get("version", "")), scope_of(given)
    try:
        made = release_service(
            version,
            request.user,
            given.get("note", ""),
            scope=scope,
            provisional=bool(given.get("provisional")),
            number=whole_number(given.get("number", "")),
            seen=given.get("inputs") or None,
        )
    except Refusal as refusal:
        bring_up_to_date(scope.whole.attempts.filter(environment=version.environment))
        return baseline_page(request, baseline_report(version, scope), refusal)
    messages.success(request, f"Baseline {made.number} is released. It cannot be changed.")
    return redirect("insight:release", code, made.number)


@require_safe
@requires(Right.READ_BASELINES)
def release(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """A release, compared with today."""
    found = _find(code, number)
    bring_up_to_date(EVERYONE.attempts.filter(environment=found.environment))
    context = {
        "release": found,
        "environment": found.environment,
        "waivers": granted_of_version(found.environment_id, found.version_id, found.released_at),
        "comparison": releases.compare(found),
        "reports": found.reports.select_related("study") if request.user.may(Right.READ_SURVEYS) else [],
        "protocols": releases.released_protocols(found),
    }
    return render(request, "insight/baseline/release.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def release_inputs(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The inputs as the CSV file whose SHA-256 the release has."""
    found = _find(code, number)
    text = releases.release_csv(found, releases.released_inputs(found))
    return attachment(text, f"{code}-baseline-{number}-inputs.csv", "text/csv; charset=utf-8")


@refusal_as_404()
def _find(code: str, number: int) -> Release:
    return releases.find_release(code, number)
