"""How far reviewers who do not see each other's verdicts agree, by study."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.review.queries.agreement import CLASSES, ReviewReport, review_report
from playtest.rules.agreement import FORMULA


@require_safe
@requires(Right.REVIEW_EFFORT)
def agreement(request: StaffRequest) -> HttpResponse:
    """Reviews and agreement of every study with sessions that have ended; rehearsals are left out."""
    studies = Study.objects.filter(rehearsal=False).order_by("-created_at", "-pk")
    reports = [report for report in map(review_report, studies) if report.ended]
    context = {"reports": [_shown(report) for report in reports], "classes": CLASSES, "formula": FORMULA}
    return render(request, "review/agreement.html", context)


def _shown(report: ReviewReport) -> dict[str, Any]:
    agreed = report.agreement.agreed
    return {
        "report": report,
        "rows": [(first, [report.pairs[first, second] for second in CLASSES]) for first in CLASSES],
        "agreed": agreed and [f"{100 * value:.0f}" for value in (agreed.value, agreed.low, agreed.high)],
    }
