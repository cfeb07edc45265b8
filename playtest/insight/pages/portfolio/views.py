"""The page with the table of all environments, and the table as a file."""

from collections import Counter

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.figures import Figure, figure_response, table
from playtest.insight.figures import Row as Values
from playtest.insight.requests import scope_or_404, shows_demonstration
from playtest.insight.scope import Scope, attempt_list
from playtest.insight.tables.population import population_of
from playtest.insight.tables.portfolio import Row
from playtest.insight.tables.portfolio import portfolio as portfolio_rows
from playtest.insight.tables.protocols import protocols_of
from playtest.insight.tables.results import attempts, in_scope
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.people.templatetags.staff import controls
from playtest.play.models import Study
from playtest.rules.acceptance import Gate
from playtest.rules.pipeline import Stage
from playtest.rules.protocol import DEFAULT

GATE_LABELS = {
    Gate.PASSED: "passed",
    Gate.NEEDS_PEOPLE: "needs people",
    Gate.BACK: "back to its developer",
}
_GATE_LABELS_PLURAL = {
    Gate.PASSED: "passed",
    Gate.NEEDS_PEOPLE: "need people",
    Gate.BACK: "back to their developers",
}


NOT_YET = "not yet in External"
"""The gate of an environment whose stage is before External and that nobody has played."""


def gate_summary(rows: list[Row]) -> str:
    """Counts by result of the gate: "12 passed, 1 needs people, 45 not yet in External"."""
    counts = Counter(row.verdict.gate for row in rows if not _not_yet(row))
    parts = [
        f"{count} {(GATE_LABELS if count == 1 else _GATE_LABELS_PLURAL)[gate]}"
        for gate in Gate
        if (count := counts[gate])
    ]
    if waiting := sum(map(_not_yet, rows)):
        parts.append(f"{waiting} {NOT_YET}")
    return ", ".join(parts)


def _not_yet(row: Row) -> bool:
    """Whether nobody counts because the environment is not yet in External."""
    return row.verdict.people == 0 and row.environment.stage in (Stage.SPECIFICATION, Stage.INTERNAL)


_WIDTH, _HEIGHT, _MARGIN = 96, 24, 3


def completion_spark(row: Row) -> SafeString:
    """One bar for each level: the share of those who reached level 1 that completed it."""
    if not row.completion:
        return mark_safe('<span class="spark muted" title="No attempts">–</span>')  # noqa: RUF001
    step, bottom = (_WIDTH - 2 * _MARGIN) / len(row.completion), _HEIGHT - _MARGIN
    path = "".join(
        f"M{round(_MARGIN + index * step, 2)},{bottom}"
        f"v{-max(round((_HEIGHT - 2 * _MARGIN) * share, 2), 0.5)}h{round(step * 0.8, 2)}V{bottom}z"
        for index, share in enumerate(row.completion)
    )
    return format_html(
        '<svg class="spark" role="img" aria-label="Completed by level: {}" viewBox="0 0 {} {}" width="{}"'
        ' height="{}"><path d="{}"/></svg>',
        ", ".join(f"{share:.0%}" for share in row.completion), _WIDTH, _HEIGHT, _WIDTH, _HEIGHT, path,
    )  # fmt: skip


def gate_label(row: Row) -> str:
    return NOT_YET if _not_yet(row) else GATE_LABELS[row.verdict.gate]


def waived(row: Row) -> str:
    """What the environment goes without at its gates, and why."""
    return " ".join(f"Waived: {one.what}. {one.reason}" for one in row.waivers)


def table_figure(rows: list[Row]) -> Figure:
    """The table as a file: shares in percent, with one column for each level."""
    most_levels = max((row.version.levels for row in rows), default=0)
    levels = [f" | completed_{level}_percent Level {level} [%]" for level in range(1, most_levels + 1)]
    return table(
        "environments",
        "Environments",
        "environment Environment | title Title | kind Kind | version Version | levels Levels | "
        "controls Controls | attempts_begun Attempts begun | people_counted People counted | "
        "people_solved People who solved it | solved_percent Solved [%] | "
        "median_minutes Median time [minutes] | "
        "hardest_level First level that lost most people | gate Gate | "
        "ambiguous_pairs Test pairs where people agree on a wrong output | waived Waived at its gates"
        + "".join(levels),
        [_values(row, most_levels) for row in rows],
    )


def _values(row: Row, most_levels: int) -> Values:
    shares = [100 * share for share in row.completion]
    return (
        row.environment.code,
        row.environment.title,
        row.environment.kind,
        row.version.digest,
        row.version.levels,
        controls(row.version.available_actions),
        row.attempts,
        row.verdict.people,
        row.verdict.solvers,
        None if row.solved is None else 100 * row.solved,
        row.minutes,
        row.hardest[0].level if row.hardest else None,
        row.verdict.gate,
        " ".join(str(one.pair) for one in row.ambiguous),
        waived(row),
        *shares,
        *[None] * (most_levels - len(shares)),
    )


@require_safe
@requires(Right.READ_BASELINES)
@shows_demonstration
def portfolio(request: StaffRequest) -> HttpResponse:
    """Every environment with its counted people, their results, and the gate."""
    scope = scope_or_404(request)
    rows = _rows(scope)
    everyone = attempts(scope.whole)
    studies = Study.objects.order_by("rehearsal", "name")
    attempts_at = f"{attempt_list(scope)}&environment=" if request.user.may(Right.WATCH_ATTEMPTS) else ""
    context = {
        "scope": scope,
        "population": population_of(everyone, scope),
        "query": f"?{scope.query}" if scope.query else "",
        "studies": studies,
        "count": len(rows),
        "gates": gate_summary(rows),
        "protocols": protocols_of(in_scope(everyone, scope)),
        "gate_people": DEFAULT.acceptance.people,
        "rows": [(row, gate_label(row), completion_spark(row), waived(row)) for row in rows],
        "attempts_at": attempts_at,
        "both_kinds": len({row.environment.kind for row in rows}) > 1,
        "with_tasks": not all(row.version.kind.has_levels for row in rows),
    }
    return render(request, "insight/portfolio/portfolio.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def file(request: StaffRequest) -> HttpResponseBase:
    """The table as CSV."""
    scope = scope_or_404(request)
    table = table_figure(_rows(scope))
    return figure_response(request, table, "csv", protocols_of(attempts(scope)), actions=scope.undo)


def _rows(scope: Scope) -> list[Row]:
    bring_up_to_date(scope.whole.attempts)
    return portfolio_rows(scope)
