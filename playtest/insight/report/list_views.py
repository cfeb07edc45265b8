"""The page with the reports of all studies."""

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.models import ReleasedReport
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Study


@require_safe
@requires(Right.READ_SURVEYS)
def reports(request: StaffRequest) -> HttpResponse:
    """Every study with its report, studies of real people first; and reports that were released."""
    came = Count("sessions", filter=Q(sessions__checked_in_at__isnull=False), distinct=True)
    studies = Study.objects.annotate(
        came=came, answered=Count("report_answers__item", distinct=True)
    ).order_by("rehearsal", "-created_at")
    released = ReleasedReport.objects.select_related("release__environment", "study").defer("document")
    context = {"studies": studies, "released": released.order_by("-release__released_at", "study__name")}
    return render(request, "insight/report/list.html", context)
