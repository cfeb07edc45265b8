"""What the studio adds to homes: jobs that run, and those that failed lately."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.people.models import Staff
from playtest.studio.models import Exploration, Qualification, Version

_LATELY = timedelta(days=7)
_MOST = 5


def jobs(staff: Staff | None, request: object) -> dict[str, Any]:
    """Qualifications and explorations under way, and those that failed within a week."""
    rows = [
        ("Qualification", job, reverse("studio:qualification", args=[job.version.environment.code, job.pk]))
        for job in _of(Qualification.objects.defer("report"))
    ] + [
        ("State graph", job, reverse("studio:exploration", args=[job.version.environment.code, job.pk]))
        for job in _of(Exploration.objects.defer("report", "graph"))
    ]
    running = sum(job.status in UNFINISHED for _, job, _ in rows)
    return {
        "request": request,
        "user": staff,
        "jobs": rows,
        "running": running,
        "failed": len(rows) - running,
    }


def versions_since(_: Staff, since: datetime) -> int:
    """How many versions were imported."""
    return Version.objects.filter(imported_at__gt=since, is_draft=False).count()


def _of(found: QuerySet[Any]) -> QuerySet[Any]:
    failed = Q(status=JobStatus.FAILED, finished_at__gte=timezone.now() - _LATELY)
    listed = found.filter(Q(status__in=UNFINISHED) | failed).select_related("version__environment")
    return listed.defer("version__source", "version__metadata").order_by("-pk")[:_MOST]
