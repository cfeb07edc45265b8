"""Imports that somebody asked for on a page: done by a worker, cancelled, requeued (`playtest.jobs`).

What was imported before an end stays, and another import goes on from there.
"""

from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from playtest.insight.models import StudyImport
from playtest.insight.outside.importing import import_data
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Enqueue
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.people.models import Staff
from playtest.play.errors import Refusal

STALLED = timedelta(minutes=15)
"""Longer than the largest recording can delay a heartbeat."""
_SUFFIXES = (".zip",)


def offered() -> list[str]:
    """The folders and zips of the import folder, by name."""
    folder: Path = settings.IMPORT_DIR
    if not folder.is_dir():
        return []
    found = (one for one in folder.iterdir() if one.is_dir() or one.suffix.lower() in _SUFFIXES)
    return sorted(one.name for one in found if not one.name.startswith("."))


def request_import(
    path: str,
    enqueue: Enqueue,
    *,
    by: Staff,
    name: str = "",
    source: str = "",
    licence: str = "",
    undo_counts: bool | None = None,
) -> StudyImport:
    """An import that waits for a worker; `undo_counts` as in `import_data`.

    Refusal: data_missing, import_running.
    """
    if path not in offered():
        raise Refusal("data_missing", "Choose a folder or a zip of the import folder.")
    with transaction.atomic():
        if StudyImport.objects.filter(path=path, status__in=UNFINISHED).exists():
            raise Refusal("import_running", f"{path} is being imported already.")
        made = StudyImport.objects.create(
            path=path, name=name.strip(), source=source.strip(), licence=licence.strip(),
            undo_counts=undo_counts, requested_by=by, requested_at=timezone.now(),
        )  # fmt: skip
    transaction.on_commit(lambda: enqueue(made.pk), robust=True)
    return made


def do_import(import_id: int, enqueue: Enqueue | None = None) -> None:
    """Does a waiting import, if no other worker has it; `enqueue` if this worker must end."""
    mine = StudyImport.objects.filter(pk=import_id)
    lease = lifecycle.claim(mine, started_at=timezone.now())
    if lease is None:
        return
    with lifecycle.working(lease, import_id, enqueue, _explained):
        job = mine.select_related("requested_by").get()
        made = import_data(
            settings.IMPORT_DIR / job.path,
            name=job.name,
            staff=job.requested_by,
            source=job.source,
            licence=job.licence,
            undo_counts=job.undo_counts,
            report=lambda done, total: lease.report(done=done, total=total),
            begun=lambda study: mine.update(study=study),
        )
        skipped = [{"file": one.name, "reason": one.reason} for one in made.skipped]
        lease.finish(JobStatus.DONE, study=made.study, skipped=skipped, differences=list(made.differences))


def cancel(import_id: int) -> bool:
    """Cancels an unfinished import; returns whether it did. What is imported stays."""
    return lifecycle.cancel(StudyImport.objects.filter(pk=import_id)) == 1


def requeue_stalled(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Enqueues imports whose worker must be gone."""
    return lifecycle.requeue_stalled(StudyImport.objects.all(), moment, STALLED, enqueue)


def _explained(error: Exception) -> str | None:
    if isinstance(error, Refusal):
        return f"{error.code}: {error.message}"
    return lifecycle.explain_fault(error)
