"""The page with the baselines of all environments: what is released, and what could be."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.models import Release
from playtest.insight.results.acceptance import verdicts
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.acceptance import Verdict
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment


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
    tasks = Environment.objects.filter(current__isnull=False, kind=Kind.TASK).count()
    context = {"rows": rows, "released": released, "tasks": tasks}
    return render(request, "insight/baseline/list.html", context)


def baseline_rows() -> list[BaselineRow]:
    """By id, without static tasks, which have none. Real people of all studies count, as in a release."""
    environments = list(
        Environment.objects.filter(current__isnull=False, kind=Kind.INTERACTIVE)
        .select_related("current")
        .defer("note", "current__source", "current__metadata")
        .order_by("code")
    )
    judged = verdicts(environments)
    newest = {
        release.environment_id: release
        for release in Release.objects.select_related("released_by").order_by("number")
    }
    return [BaselineRow(one, judged[one.pk], newest.get(one.pk)) for one in environments]
