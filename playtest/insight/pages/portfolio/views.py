"""The page with the table of all environments, and the table as a file."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.figures import figure_response
from playtest.insight.pages.portfolio.table import (
    completion_spark,
    gate_label,
    gate_summary,
    table_figure,
    waived,
)
from playtest.insight.requests import scope_or_404, shows_demonstration
from playtest.insight.scope import Scope, attempt_list
from playtest.insight.tables.population import population_of
from playtest.insight.tables.portfolio import Row
from playtest.insight.tables.portfolio import portfolio as portfolio_rows
from playtest.insight.tables.protocols import protocols_of
from playtest.insight.tables.results import attempts, in_scope
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.rules.protocol import DEFAULT


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
