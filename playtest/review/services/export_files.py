"""The files of exports: made by workers, cancelled on request, deleted when old (`operation.retention`).

Each export is a job (`playtest.jobs.lifecycle`): a worker and a person who cancels cannot both win, and an
export whose worker ends, or is gone, waits for another.
"""

import secrets
import shutil
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import F

from engine.errors import EngineError
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Enqueue
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.people.manifests import manifests
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models.outside import origin_in_files
from playtest.review.attempt_film import Film, FilmOptions
from playtest.review.models import RUN_KINDS, Export, ExportKind

LONGEST_RUN = timedelta(hours=6)
STALLED = timedelta(minutes=10)
"""An export without a heartbeat for so long is given to another worker."""
_TOKEN_BYTES = 24

FILM_KINDS = (ExportKind.MP4, ExportKind.WEBM, ExportKind.GIF)

type Report = Callable[[int, int], None]
"""Receives how much is done, of how much; raises as `Lease.heartbeat`."""
type Maker = Callable[[Export, Path, Report], str]
"""Writes an export's file and returns its digest, or an empty text."""


def maker_of(kind: str) -> Maker:
    """What makes exports of a kind: films, unless a room's manifest says otherwise."""
    return next((one.exports[kind] for one in manifests() if kind in one.exports), make_film)


def folder() -> Path:
    """The folder of the files, created when first needed, for the server's own user only."""
    path: Path = settings.DATA_DIR / "exports"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def make(export_id: int, maker: Maker | None = None, enqueue: Enqueue | None = None) -> None:
    """Makes the file of a waiting export, by what makes its kind; an error is stored with it, with a code.

    `enqueue` queues it again if the worker has to end before.
    """
    mine = Export.objects.filter(pk=export_id)
    lease = lifecycle.claim(mine, started_at=now())
    if lease is None:
        return
    export = mine.select_related("attempt__version", "study").get()
    name = f"{secrets.token_urlsafe(_TOKEN_BYTES)}.{extension(export)}"
    path = folder() / name
    finished = False
    try:
        with lifecycle.working(lease, export_id, enqueue, _error_text):
            made_by = maker or maker_of(export.kind)
            digest = made_by(export, path, lambda done, total: lease.report(done=done, total=total))
            finished = lease.finish(JobStatus.DONE, done=F("total"), file=name, digest=digest)
    finally:
        if not finished:
            path.unlink(missing_ok=True)


def make_film(export: Export, path: Path, report: Report) -> str:
    """Writes the film of an export's attempt to `path`; returns an empty digest."""
    assert export.attempt is not None, "a film is of an attempt"
    options = FilmOptions.of(export.options)
    whole = Film(export.attempt, options)
    done = 0

    def progress() -> None:
        nonlocal done
        done += 1
        report(done, whole.frames)

    from playtest.review.video import encoding  # takes 0.1 s, and most processes never need it

    encoding.write(
        path,
        whole.stills(),
        export.kind,
        scale=options.scale,
        captions=options.captions,
        comment=origin_in_files(export.attempt),
        progress=progress,
    )
    return ""


def discard(export: Export) -> None:
    """Deletes a finished export with its file; the record of identified data and of runs stays."""
    if export.options.get("identified") or export.kind in RUN_KINDS:
        Export.objects.filter(pk=export.pk).update(file="")
    else:
        export.delete()
    if export.file:
        (folder() / export.file).unlink(missing_ok=True)


def requeue_stalled(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Requeues exports without a heartbeat, and returns their keys."""
    return lifecycle.requeue_stalled(Export.objects.all(), moment, STALLED, enqueue)


def clean_up() -> None:
    """Deletes unknown files; marks exports whose worker is gone as failed."""
    moment = now()
    Export.objects.filter(status__in=UNFINISHED, requested_at__lt=moment - LONGEST_RUN).update(
        status=JobStatus.FAILED,
        error="worker_lost: No worker finished this export. Ask for it again.",
        finished_at=moment,
    )
    known = set(Export.objects.exclude(file="").values_list("file", flat=True))
    oldest_running = time.time() - LONGEST_RUN.total_seconds()
    for path in folder().iterdir():
        if path.name in known or path.stat().st_mtime >= oldest_running:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def extension(export: Export) -> str:
    """The extension of the export's file."""
    return export.kind if export.kind in FILM_KINDS else "zip"


def _error_text(error: Exception) -> str | None:
    if isinstance(error, EngineError | Refusal):
        return f"{error.code}: {error.message}"
    return f"writing_failed: The file could not be written: {error}." if isinstance(error, OSError) else None
