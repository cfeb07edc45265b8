"""Stores the report of a qualification that has ended, and its recordings."""

from typing import Any

from django.utils import timezone

from playtest.jobs.models import JobStatus
from playtest.studio.models import Qualification, Recording, RecordingKind
from playtest.studio.queries.jobs import done_of_parts, report_of_parts


def conclude(qualification: Qualification, status: JobStatus, error: str = "") -> None:
    """Stores how it ended and what its finished parts found, with their recordings.

    Within the caller's transaction, with the row locked.
    """
    contents = report_of_parts(qualification)
    for number, entry in enumerate(contents["checks"], start=1):
        if entry["recording"] is not None:
            entry["recording"] = _store_recording(qualification, number, entry).pk
    qualification.report = contents
    qualification.status, qualification.error = status, error
    qualification.done = done_of_parts(qualification)
    if status == JobStatus.DONE:
        qualification.passed = contents["passed"]
    qualification.finished_at = timezone.now()
    qualification.save()


def _store_recording(qualification: Qualification, number: int, entry: dict[str, Any]) -> Recording:
    return Recording.objects.create(
        version=qualification.version,
        kind=RecordingKind.FINDING,
        name=f"Qualification {qualification.pk}, {number}: {entry['code']}",
        made_at=timezone.now(),
        **entry["recording"],
    )
