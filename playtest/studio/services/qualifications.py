"""Qualifications: asked for, divided over workers, cancelled, taken up again, and put together at the end.

A qualification goes WAITING -> RUNNING -> DONE, CANCELLED or FAILED, and so does each part; every step is a
conditional update, so that of two processes one does it. A part's outcome depends on its seed alone: if two
workers do the same part, both find the same and the first is kept.
"""

import secrets
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from engine.qualify import (
    FULL_STEPS,
    LARGEST_SEED,
    LOAD,
    RECORDINGS,
    STRUCTURE,
    Finding,
    Part,
    is_full,
    plan,
    report,
)
from engine.source import Source, from_parts
from playtest.people.models import Staff
from playtest.studio.models import (
    Qualification,
    QualificationPart,
    Recording,
    RecordingKind,
    RunStatus,
    Version,
)
from playtest.studio.trials import Report, run_part

UNFINISHED = (RunStatus.WAITING, RunStatus.RUNNING)
_SECONDS_BETWEEN_REPORTS = 0.5
_RECORDED = ("name", "kind", "seed", "level", "actions", "state_hashes")

type Enqueue = Callable[[int], object]
"""Has the part with this primary key done by some worker."""


class Cancelled(Exception):
    """Nobody wants the qualification any more."""


def request_qualification(
    version: Version,
    enqueue: Enqueue,
    *,
    seed: int | None = None,
    steps: int = FULL_STEPS,
    by: Staff | None = None,
) -> Qualification:
    """A qualification whose first part waits for a worker; ValueError as `engine.qualify.plan`.

    The structure is looked at first: what does not load is not played.
    """
    with transaction.atomic():
        qualification = _create(version, seed, steps, by)
        first = qualification.parts.get(regime=STRUCTURE)
        transaction.on_commit(lambda: enqueue(first.pk))
    return qualification


def do_part(part_id: int, enqueue: Enqueue) -> None:
    """Do a waiting part, unless someone else does or nobody wants it; the last to be done ends the whole."""
    waiting = QualificationPart.objects.filter(
        pk=part_id, status=RunStatus.WAITING, qualification__status__in=UNFINISHED
    )
    if not waiting.update(status=RunStatus.RUNNING, done=0):
        return
    row = QualificationPart.objects.select_related("qualification__version__environment").get(pk=part_id)
    qualification = row.qualification
    _begin(qualification)
    try:
        findings = do_here(qualification.version, _part(row), _reporter(row))
    except Cancelled:
        return
    except Exception:
        _fail(qualification, "qualification_failed: the server's log says why.")
        raise
    if _keep(row, findings):
        for waiting_id in _go_on(row, findings):
            enqueue(waiting_id)
        finish(qualification.pk)


def do_here(version: Version, part: Part, progress: Report) -> list[Finding]:
    """One part on this machine, in a process of its own; what it found."""
    recordings = recordings_of(version) if part.regime == RECORDINGS else []
    return run_part(source_of(version), part, recordings, progress)


def recordings_of(version: Version) -> list[dict[str, Any]]:
    """What must replay exactly: all but what other checks found."""
    stored = version.recordings.exclude(kind=RecordingKind.FINDING).order_by("kind", "name")
    return [dict(row) for row in stored.values(*_RECORDED)]


def cancel(qualification_id: int) -> bool:
    """Stop it wherever it is; whether there was anything to stop. Its workers notice within a second."""
    unfinished = Qualification.objects.filter(pk=qualification_id, status__in=UNFINISHED)
    return unfinished.update(status=RunStatus.CANCELLED, finished_at=timezone.now()) == 1


def finish(qualification_id: int) -> bool:
    """Put the report together once every part is done; whether this was the call that did it."""
    with transaction.atomic():
        locked = Qualification.objects.select_for_update().select_related("version")
        qualification = locked.get(pk=qualification_id)
        parts = list(qualification.parts.order_by("pk"))
        if qualification.status != RunStatus.RUNNING or any(part.status in UNFINISHED for part in parts):
            return False
        findings = [Finding.of(finding) for part in parts for finding in part.findings]
        _conclude(qualification, findings)
    return True


def keep_finished(
    version: Version, seed: int, steps: int, findings: dict[Part, list[Finding]], started_at: datetime
) -> Qualification:
    """Store a qualification that was done here and now, as if workers had done it."""
    with transaction.atomic():
        qualification = _create(version, seed, steps, None)
        qualification.started_at = started_at
        for row in qualification.parts.all():
            row.findings = [finding.as_json() for finding in findings.get(_part(row), ())]
            row.status, row.done = RunStatus.DONE, row.steps
            row.save()
        _conclude(qualification, [finding for found in findings.values() for finding in found])
    return qualification


def source_of(version: Version) -> Source:
    """What is played: exactly what was imported."""
    return from_parts(version.metadata, version.source, version.environment.code)


def random_seed() -> int:
    """A seed nobody chose."""
    return secrets.randbelow(LARGEST_SEED + 1)


def does_not_load(findings: Iterable[Finding]) -> bool:
    """Whether there is no point in playing it."""
    return any(finding.check == LOAD and not finding.note for finding in findings)


def _create(version: Version, seed: int | None, steps: int, by: Staff | None) -> Qualification:
    seed = random_seed() if seed is None else seed
    parts = plan(seed, steps)
    qualification = Qualification.objects.create(
        version=version,
        seed=seed,
        steps={"most": steps}
        | {regime: _steps(parts, regime) for regime in dict.fromkeys(p.regime for p in parts)},
        full=is_full(steps),
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


def _steps(parts: Iterable[Part], regime: str) -> int:
    return sum(part.steps for part in parts if part.regime == regime)


def _part(row: QualificationPart) -> Part:
    return Part(row.regime, row.number, row.seed, row.steps)


def _begin(qualification: Qualification) -> None:
    waiting = Qualification.objects.filter(pk=qualification.pk, status=RunStatus.WAITING)
    waiting.update(status=RunStatus.RUNNING, started_at=timezone.now())


def _reporter(row: QualificationPart) -> Report:
    """Keeps the progress, at most twice a second; raises Cancelled when the part is wanted no more."""
    looked, kept = 0.0, 0

    def progress(done: int) -> None:
        nonlocal looked, kept
        if time.monotonic() - looked < _SECONDS_BETWEEN_REPORTS:
            return
        looked = time.monotonic()
        running = QualificationPart.objects.filter(
            pk=row.pk, status=RunStatus.RUNNING, qualification__status=RunStatus.RUNNING
        )
        if not running.exists():
            raise Cancelled
        if done != kept:
            kept = done
            running.update(done=min(done, row.steps) if row.steps else done)
            _sum_up(row.qualification_id)

    return progress


def _sum_up(qualification_id: int) -> None:
    rows = QualificationPart.objects.filter(qualification=qualification_id, steps__gt=0)
    done = rows.aggregate(done=Sum("done"))["done"] or 0
    Qualification.objects.filter(pk=qualification_id).update(done=done)


def _keep(row: QualificationPart, findings: list[Finding]) -> bool:
    running = QualificationPart.objects.filter(pk=row.pk, status=RunStatus.RUNNING)
    kept = running.update(
        status=RunStatus.DONE, done=row.steps, findings=[finding.as_json() for finding in findings]
    )
    _sum_up(row.qualification_id)
    return kept == 1


def _go_on(row: QualificationPart, findings: list[Finding]) -> list[int]:
    """The parts that can be done now that this one is."""
    if row.regime != STRUCTURE:
        return []
    others = QualificationPart.objects.filter(qualification=row.qualification_id, status=RunStatus.WAITING)
    if does_not_load(findings):
        others.update(status=RunStatus.CANCELLED)
        return []
    return list(others.order_by("pk").values_list("pk", flat=True))


def _conclude(qualification: Qualification, findings: list[Finding]) -> None:
    """Stores the report, and each recording in it as one that can be watched."""
    told = report(qualification.seed, qualification.steps["most"], findings)
    for number, entry in enumerate(told["checks"], start=1):
        if entry["recording"] is not None:
            name = f"Qualification {qualification.pk}, {number}: {entry['code']}"
            stored = Recording.objects.create(
                version=qualification.version,
                kind=RecordingKind.FINDING,
                name=name,
                made_at=timezone.now(),
                **entry["recording"],
            )
            entry["recording"] = stored.pk
    qualification.report = told
    qualification.passed = told["passed"]
    qualification.status = RunStatus.DONE
    qualification.done = qualification.total
    qualification.finished_at = timezone.now()
    qualification.save()


def _fail(qualification: Qualification, error: str) -> None:
    running = Qualification.objects.filter(pk=qualification.pk, status__in=UNFINISHED)
    running.update(status=RunStatus.FAILED, error=error, finished_at=timezone.now())
