"""Qualifications: asked for, divided over workers, cancelled, taken up again, and put together at the end.

A qualification goes WAITING -> RUNNING -> DONE, CANCELLED or FAILED, and so does each part; every step is a
conditional update, so that of two processes one does it. A part's outcome depends on its seed alone: if two
workers do the same part, both find the same and the first is kept. `manage.py qualify` does parts as workers
do: `claim`, `reporter`, `keep`. However it ends, what finished parts have found is told.
"""

import secrets
import time
from collections.abc import Callable, Iterable
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
)
from engine.source import Source, from_parts
from playtest.interruption import Interrupted, look
from playtest.people.models import Staff
from playtest.studio.models import (
    UNFINISHED,
    Qualification,
    QualificationPart,
    RecordingKind,
    RunStatus,
    Version,
)
from playtest.studio.services.conclusions import conclude
from playtest.studio.trials import Report, run_part

_SECONDS_BETWEEN_REPORTS = 0.5
_SECONDS_BETWEEN_SIGNS = 10.0
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
        qualification = create(version, seed, steps, by)
        first = qualification.parts.get(regime=STRUCTURE)
        transaction.on_commit(lambda: enqueue(first.pk))
    return qualification


def do_part(part_id: int, enqueue: Enqueue) -> None:
    """Do a waiting part, unless someone else does or nobody wants it; the last to be done ends the whole."""
    row = claim(part_id)
    if row is None:
        return
    try:
        findings = do_here(row.qualification.version, part_of(row), reporter(row))
    except Cancelled:
        return
    except Interrupted:
        if _give_back(row):
            enqueue(row.pk)
        return
    except Exception:
        fail(row.qualification_id)
        raise
    for waiting_id in keep(row, findings):
        enqueue(waiting_id)


def claim(part_id: int) -> QualificationPart | None:
    """The part, if it waited for whoever does it; it is running from now on, and theirs."""
    waiting = QualificationPart.objects.filter(
        pk=part_id, status=RunStatus.WAITING, qualification__status__in=UNFINISHED
    )
    if not waiting.update(status=RunStatus.RUNNING, done=0, heard_at=timezone.now()):
        return None
    row = QualificationPart.objects.select_related("qualification__version__environment").get(pk=part_id)
    begun = Qualification.objects.filter(pk=row.qualification_id, status=RunStatus.WAITING)
    begun.update(status=RunStatus.RUNNING, started_at=timezone.now())
    return row


def keep(row: QualificationPart, findings: list[Finding]) -> list[int]:
    """Store what a claimed part found, and put the report together after the last; what can be done now."""
    if not _keep(row, findings):
        return []
    waiting = _go_on(row, findings)
    finish(row.qualification_id)
    return waiting


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
    return _end(qualification_id, RunStatus.CANCELLED)


def fail(qualification_id: int) -> bool:
    """End it because of a mistake that is not the environment's."""
    return _end(qualification_id, RunStatus.FAILED, "qualification_failed: the server's log says why.")


def finish(qualification_id: int) -> bool:
    """Put the report together once every part is done; whether this was the call that did it."""
    with transaction.atomic():
        locked = Qualification.objects.select_for_update().select_related("version")
        qualification = locked.get(pk=qualification_id)
        if qualification.status != RunStatus.RUNNING:
            return False
        if qualification.parts.filter(status__in=UNFINISHED).exists():
            return False
        conclude(qualification, RunStatus.DONE)
    return True


def _end(qualification_id: int, status: RunStatus, error: str = "") -> bool:
    with transaction.atomic():
        locked = Qualification.objects.select_for_update().select_related("version")
        qualification = locked.filter(pk=qualification_id, status__in=UNFINISHED).first()
        if qualification is None:
            return False
        conclude(qualification, status, error)
        qualification.parts.filter(status__in=UNFINISHED).update(status=RunStatus.CANCELLED)
    return True


def source_of(version: Version) -> Source:
    """What is played: exactly what was imported."""
    return from_parts(version.metadata, version.source, version.environment.code)


def random_seed() -> int:
    """A seed nobody chose."""
    return secrets.randbelow(LARGEST_SEED + 1)


def does_not_load(findings: Iterable[Finding]) -> bool:
    """Whether there is no point in playing it."""
    return any(finding.check == LOAD and not finding.note for finding in findings)


def create(version: Version, seed: int | None, steps: int, by: Staff | None = None) -> Qualification:
    """One that nobody does yet, with its parts; ValueError as `engine.qualify.plan`."""
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


def part_of(row: QualificationPart) -> Part:
    """As `engine.qualify` planned it."""
    return Part(row.regime, row.number, row.seed, row.steps)


def reporter(row: QualificationPart) -> Report:
    """Keeps the progress, at most twice a second; raises Cancelled when the part is wanted no more."""
    looked, kept, heard = 0.0, 0, time.monotonic()

    def progress(done: int) -> None:
        nonlocal looked, kept, heard
        if time.monotonic() - looked < _SECONDS_BETWEEN_REPORTS:
            return
        looked = time.monotonic()
        look()
        running = QualificationPart.objects.filter(
            pk=row.pk, status=RunStatus.RUNNING, qualification__status=RunStatus.RUNNING
        )
        if not running.exists():
            raise Cancelled
        if done != kept or looked - heard > _SECONDS_BETWEEN_SIGNS:
            kept, heard = done, looked
            running.update(done=min(done, row.steps) if row.steps else done, heard_at=timezone.now())
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


def _give_back(row: QualificationPart) -> bool:
    running = QualificationPart.objects.filter(pk=row.pk, status=RunStatus.RUNNING)
    return running.update(status=RunStatus.WAITING, done=0) == 1


def _go_on(row: QualificationPart, findings: list[Finding]) -> list[int]:
    """The parts that can be done now that this one is."""
    if row.regime != STRUCTURE:
        return []
    others = QualificationPart.objects.filter(qualification=row.qualification_id, status=RunStatus.WAITING)
    if does_not_load(findings):
        others.update(status=RunStatus.CANCELLED)
        return []
    return list(others.order_by("pk").values_list("pk", flat=True))
