"""What the studio adds to homes: jobs that run, and those that failed lately."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.people.models import Staff
from playtest.studio.models import Exploration, Qualification, RandomPlay, Version

_LATELY = timedelta(days=7)
_MOST = 4


def jobs(staff: Staff | None, request: object) -> dict[str, Any]:
    """How many jobs run, wait and failed within a week, with the newest of each kind."""
    kinds: list[tuple[str, QuerySet[Any], str, str]] = [
        ("Qualification", Qualification.objects.all(), "studio:qualification", "pk"),
        ("State graph", Exploration.objects.defer("graph"), "studio:exploration", "pk"),
        ("Random play of level", RandomPlay.objects.all(), "studio:random-play", "level"),
    ]
    failed = Q(status=JobStatus.FAILED, finished_at__gte=timezone.now() - _LATELY)

    def number(of: Q) -> int:
        return sum(found.filter(of).count() for _, found, _, _ in kinds)

    return {
        "request": request,
        "user": staff,
        "jobs": [
            (kind, named, job, reverse(page, args=[job.version.environment.code, named]))
            for kind, found, page, names in kinds
            for job in _newest(found.filter(Q(status__in=UNFINISHED) | failed))
            for named in (getattr(job, names),)
        ],
        "running": number(Q(status=JobStatus.RUNNING)),
        "waiting": number(Q(status=JobStatus.WAITING)),
        "failed": number(failed),
    }


def versions_since(_: Staff, since: datetime) -> int:
    """How many versions were imported."""
    return Version.objects.filter(imported_at__gt=since, is_draft=False).count()


def _newest(found: QuerySet[Any]) -> QuerySet[Any]:
    listed = found.select_related("version__environment").defer(
        "report", "version__source", "version__metadata"
    )
    return listed.order_by("-pk")[:_MOST]
