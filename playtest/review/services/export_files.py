"""The files of exports: made by whoever holds the export, counted, cancelled meanwhile, deleted when old.

An export goes WAITING -> RUNNING -> DONE, FAILED or CANCELLED; every step is a conditional update, so that a
worker and a person who cancels cannot both win. One whose worker ends, or is gone, waits for another.
"""

import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models.functions import Coalesce

from engine.errors import EngineError
from playtest.interruption import Interrupted, look
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.review.films import Film, FilmOptions
from playtest.review.models import Export, ExportKind, ExportState
from playtest.review.video import film

KEPT_FOR = timedelta(days=14)
LONGEST_RUN = timedelta(hours=6)
STALLED = timedelta(minutes=10)
"""Longer than whoever makes a file says nothing."""
_SECONDS_BETWEEN_REPORTS = 0.5
_TOKEN_BYTES = 24

FILM_KINDS = (ExportKind.MP4, ExportKind.WEBM, ExportKind.GIF)
UNFINISHED = (ExportState.WAITING, ExportState.RUNNING)


class Cancelled(Exception):
    """Someone cancelled the export while it was made."""


type Report = Callable[[float], None]
"""Takes the progress, 0 to 1; raises Cancelled when the export is wanted no more."""
type Maker = Callable[[Export, Path, Report], str]
"""Writes an export's file and returns its digest, or an empty text."""
type Enqueue = Callable[[int], object]
"""Has the export with this primary key made by some worker."""


def folder() -> Path:
    """Where the files are; made when first needed, for the server's own user only."""
    path: Path = settings.DATA_DIR / "exports"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def make(export_id: int, maker: Maker, enqueue: Enqueue | None = None) -> None:
    """Make the file of an export that still waits; whatever goes wrong is kept with it, with a code.

    `enqueue` hands it on if the worker has to end before.
    """
    if not move(export_id, (ExportState.WAITING,), state=ExportState.RUNNING, heard_at=now()):
        return
    export = Export.objects.select_related("attempt__version", "study").get(pk=export_id)
    name = f"{secrets.token_urlsafe(_TOKEN_BYTES)}.{extension(export)}"
    path = folder() / name
    try:
        digest = maker(export, path, _reporter(export_id))
    except Cancelled:
        path.unlink(missing_ok=True)
    except Interrupted:
        path.unlink(missing_ok=True)
        if move(export_id, (ExportState.RUNNING,), state=ExportState.WAITING, progress=0.0) and enqueue:
            enqueue(export_id)
    except (EngineError, Refusal) as error:
        _fail(export_id, path, error.code, error.message)
    except OSError as error:
        _fail(export_id, path, "writing_failed", f"The file could not be written: {error}.")
    except Exception:
        _fail(export_id, path, "export_failed", "This export failed unexpectedly; the server's log says why.")
        raise
    else:
        done = {"state": ExportState.DONE, "progress": 1.0, "file": name, "digest": digest}
        if not move(export_id, (ExportState.RUNNING,), **done, finished_at=now()):
            path.unlink(missing_ok=True)


def make_film(export: Export, path: Path, report: Report) -> str:
    """The film of an export's attempt."""
    assert export.attempt is not None, "a film is of an attempt"
    options = FilmOptions.of(export.options)
    whole = Film(export.attempt, options)
    done = 0

    def progress() -> None:
        nonlocal done
        done += 1
        report(done / whole.frames)

    film.write(
        path,
        whole.stills(),
        export.kind,
        scale=options.scale,
        captions=options.captions,
        progress=progress,
    )
    return ""


def discard(export: Export) -> None:
    """Delete a finished export with its file; who took identified data stays on record."""
    if export.options.get("identified"):
        Export.objects.filter(pk=export.pk).update(file="")
    else:
        export.delete()
    if export.file:
        (folder() / export.file).unlink(missing_ok=True)


def take_up_again(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Has exports made that nobody is heard to make, and returns them."""
    silent = Export.objects.filter(state__in=UNFINISHED).alias(last_sign=Coalesce("heard_at", "requested_at"))
    stalled = list(silent.filter(last_sign__lt=moment - STALLED).order_by("pk").values_list("pk", flat=True))
    for export_id in stalled:
        if move(export_id, UNFINISHED, state=ExportState.WAITING, progress=0.0, heard_at=moment):
            enqueue(export_id)
    return stalled


def clean_up() -> None:
    """Delete exports past their time and files nobody knows; report those whose worker is gone as failed."""
    moment = now()
    for export in Export.objects.filter(requested_at__lt=moment - KEPT_FOR).exclude(state__in=UNFINISHED):
        discard(export)
    Export.objects.filter(state__in=UNFINISHED, requested_at__lt=moment - LONGEST_RUN).update(
        state=ExportState.FAILED,
        error_code="worker_lost",
        error_message="No worker finished this export. Ask for it again.",
        finished_at=moment,
    )
    known = set(Export.objects.exclude(file="").values_list("file", flat=True))
    oldest_running = time.time() - LONGEST_RUN.total_seconds()
    for path in folder().iterdir():
        if path.name not in known and path.stat().st_mtime < oldest_running:
            path.unlink()


def extension(export: Export) -> str:
    """What the name of the export's file ends with."""
    return export.kind if export.kind in FILM_KINDS else "zip"


def _reporter(export_id: int) -> Report:
    """Keeps the progress, at most twice a second; raises Cancelled when nobody wants the export any more."""
    reported = time.monotonic()

    def report(progress: float) -> None:
        nonlocal reported
        if time.monotonic() - reported < _SECONDS_BETWEEN_REPORTS:
            return
        reported = time.monotonic()
        look()
        if not move(export_id, (ExportState.RUNNING,), progress=progress, heard_at=now()):
            raise Cancelled

    return report


def _fail(export_id: int, path: Path, code: str, message: str) -> None:
    path.unlink(missing_ok=True)
    failed = {"state": ExportState.FAILED, "error_code": code, "error_message": message}
    move(export_id, (ExportState.RUNNING,), **failed, finished_at=now())


def move(export_id: int, states: tuple[ExportState, ...], **values: Any) -> bool:
    """Change an export that is in one of these states; whether it was."""
    return Export.objects.filter(pk=export_id, state__in=states).update(**values) == 1
