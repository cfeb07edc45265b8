"""Qualifications: requested, divided over workers, cancelled, requeued, and reported.

Each part is a job (`playtest.jobs.lifecycle`). A part's outcome depends on its seed alone: if two workers do
the same part, both find the same and the first is kept. `manage.py qualify` does parts as workers do:
`claim`, `reporter`, `keep`. However it ends, the report says what the finished parts have found.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.errors import SourceError
from engine.play.source import Source, from_parts
from engine.prove.qualification import plan
from engine.prove.qualification.findings import Finding
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Claimed, Enqueue
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.jobs.retry import DATABASE_ERRORS, retry
from playtest.people.models import Staff
from playtest.studio.models import Qualification, QualificationPart, Recording, RecordingKind, Version
from playtest.studio.processes.qualification import SILENCE_SECONDS, Report, run_part
from playtest.studio.queries.jobs import done_of_parts, report_of_parts
from playtest.studio.queries.turns import ready_parts

STALLED = timedelta(seconds=SILENCE_SECONDS + 30)
_RECORDED = ("name", "kind", "seed", "level", "as_arcengine", "actions", "state_hashes")


def request_qualification(
    version: Version,
    enqueue: Enqueue,
    *,
    seed: int | None = None,
    steps: int = plan.FULL_STEPS,
    by: Staff | None = None,
) -> Qualification:
    """A qualification whose first part waits for a worker; ValueError as
    `engine.prove.qualification.plan.plan`.

    The structure is checked first: what does not load is not played.
    """
    with transaction.atomic():
        qualification = create(version, seed, steps, by)
        first = qualification.parts.get(regime=plan.STRUCTURE)
        transaction.on_commit(lambda: enqueue(first.pk), robust=True)
    return qualification


def do_part(part_id: int, enqueue: Enqueue) -> bool:
    """Does a waiting part; False if another worker has it. The last part ends the qualification."""
    claimed = claim(part_id)
    if claimed is None:
        return False
    row = claimed.row
    try:
        with lifecycle.working(claimed.lease, part_id, enqueue):
            findings = do_here(row.qualification.version, part_of(row), reporter(claimed))
            for waiting_id in keep(claimed, findings):
                enqueue(waiting_id)
    except DATABASE_ERRORS:
        raise
    except Exception:
        fail(row.qualification_id)
        raise
    return True


def claim(part_id: int) -> Claimed[QualificationPart] | None:
    """Claims a waiting part; None if it no longer waits."""
    lease = lifecycle.claim(_wanted(part_id))
    if lease is None:
        return None
    row = QualificationPart.objects.select_related("qualification__version__environment").get(pk=part_id)
    begun = Qualification.objects.filter(pk=row.qualification_id, status=JobStatus.WAITING)
    begun.update(status=JobStatus.RUNNING, started_at=timezone.now())
    return Claimed(row, lease)


def keep(claimed: Claimed[QualificationPart], findings: list[Finding]) -> list[int]:
    """Stores the findings of a part, after the last the report; returns the parts that can start now."""
    row = claimed.row
    found = {"done": row.steps, "findings": [finding.as_json() for finding in findings]}
    if not claimed.lease.finish(JobStatus.DONE, **found):
        return []
    waiting = retry(lambda: _go_on(row, findings))
    retry(lambda: finish(row.qualification_id))
    return waiting


def do_here(version: Version, part: plan.Part, progress: Report) -> list[Finding]:
    """Does one part in a confined process; returns what it found."""
    recordings = recordings_of(version) if part.regime == plan.RECORDINGS else []
    return run_part(source_of(version), part, recordings, progress)


def recordings_of(version: Version) -> list[dict[str, Any]]:
    """The recordings that must replay exactly: all but those of findings."""
    stored = version.recordings.exclude(kind=RecordingKind.FINDING).order_by("kind", "name")
    return [dict(row) for row in stored.values(*_RECORDED)]


def cancel(qualification_id: int) -> bool:
    """Cancels an unfinished qualification; returns whether it did. Its workers notice within a second."""
    return _end(qualification_id, JobStatus.CANCELLED)


def fail(qualification_id: int) -> bool:
    """Ends a qualification because of an error that is not the environment's."""
    return _end(qualification_id, JobStatus.FAILED, "qualification_failed: the server's log says why.")


def finish(qualification_id: int) -> bool:
    """Stores the report once every part is done; returns whether this call did."""
    with transaction.atomic():
        locked = Qualification.objects.select_for_update().select_related("version")
        qualification = locked.get(pk=qualification_id)
        if qualification.status != JobStatus.RUNNING:
            return False
        if qualification.parts.filter(status__in=UNFINISHED).exists():
            return False
        conclude(qualification, JobStatus.DONE)
    return True


def _end(qualification_id: int, status: JobStatus, error: str = "") -> bool:
    with transaction.atomic():
        locked = Qualification.objects.select_for_update().select_related("version")
        qualification = locked.filter(pk=qualification_id, status__in=UNFINISHED).first()
        if qualification is None:
            return False
        conclude(qualification, status, error)
        lifecycle.cancel(qualification.parts.all())
    return True


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


def source_of(version: Version) -> Source:
    """The source exactly as it was imported. Raises SourceError not_a_program, of a static task."""
    if not version.kind.has_program:
        message = "A static task has no program: it needs no qualification."
        raise SourceError("not_a_program", message, file=version.game_id)
    return from_parts(version.metadata, version.source, version.environment.code)


def random_seed() -> int:
    """A random seed."""
    return secrets.randbelow(plan.LARGEST_SEED + 1)


def does_not_load(findings: Iterable[Finding]) -> bool:
    """Whether the environment does not load, so that playing it shows nothing."""
    return any(finding.check == plan.LOAD and not finding.note for finding in findings)


def create(version: Version, seed: int | None, steps: int, by: Staff | None = None) -> Qualification:
    """A qualification with its parts, not enqueued; ValueError as `engine.prove.qualification.plan.plan`."""
    seed = random_seed() if seed is None else seed
    parts = plan.plan(seed, steps)
    qualification = Qualification.objects.create(
        version=version,
        seed=seed,
        steps=steps,
        full=plan.is_full(steps),
        total=sum(part.steps for part in parts),
        requested_by=by,
        requested_at=timezone.now(),
    )
    QualificationPart.objects.bulk_create(
        QualificationPart(
            qualification=qualification,
            regime=part.regime,
            number=part.number,
            seed=part.seed,
            steps=part.steps,
        )
        for part in parts
    )
    return qualification


def part_of(row: QualificationPart) -> plan.Part:
    """The part as `engine.prove.qualification.plan` planned it."""
    return plan.Part(row.regime, row.number, row.seed, row.steps)


def reporter(claimed: Claimed[QualificationPart]) -> Report:
    """Stores the progress, at most twice a second; raises as `Lease.heartbeat`."""
    steps = claimed.row.steps
    return lambda done: claimed.lease.report(done=min(done, steps) if steps else done)


def requeue_stalled(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Enqueues parts whose worker must be gone, and those that no worker knows of.

    Ends a qualification whose last worker ended before it could do so.
    """
    requeued = lifecycle.requeue_stalled(ready_parts(), moment, STALLED, enqueue)
    unfinished = QualificationPart.objects.filter(status__in=UNFINISHED).values("qualification")
    running = Qualification.objects.filter(status=JobStatus.RUNNING).exclude(pk__in=unfinished)
    for qualification_id in list(running.values_list("pk", flat=True)):
        finish(qualification_id)
    return requeued


def _wanted(part_id: int) -> QuerySet[QualificationPart]:
    return QualificationPart.objects.filter(pk=part_id, qualification__status__in=UNFINISHED)


def _go_on(row: QualificationPart, findings: list[Finding]) -> list[int]:
    """The parts that can start after this one."""
    if row.regime != plan.STRUCTURE:
        return []
    others = QualificationPart.objects.filter(qualification=row.qualification_id, status=JobStatus.WAITING)
    if does_not_load(findings):
        lifecycle.cancel(others)
        return []
    others.update(heartbeat_at=timezone.now())
    return list(others.order_by("pk").values_list("pk", flat=True))
