"""Imports of what was uploaded: asked for, done by a worker, cancelled, taken up again.

An upload goes WAITING -> RUNNING -> DONE, CANCELLED or FAILED; every step is a conditional update. What was
imported before it was cancelled stays.
"""

import re
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from playtest.interruption import Interrupted, look
from playtest.people.models import Staff
from playtest.studio.models import UNFINISHED, RunStatus, Upload
from playtest.studio.services.importing import LoadResult, Report, load_environments
from playtest.studio.services.qualifications import Cancelled
from playtest.studio.services.uploads import root, unpack

STALLED = timedelta(minutes=5)
"""Longer than the slowest environment and its recordings may keep the import silent."""
_FORGOTTEN_SECONDS = 60 * 60
_MOST_NAMES = 100

type Enqueue = Callable[[int], object]
"""Has the upload with this primary key imported by some worker."""


def request_import(
    files: "Sequence[UploadedFile[Any]]", enqueue: Enqueue, *, by: Staff | None = None
) -> Upload:
    """An upload that waits for a worker. RuleError as `uploads.unpack`, and then nothing is kept."""
    with transaction.atomic():
        moment = timezone.now()
        names = [(file.name or "")[:_MOST_NAMES] for file in files[:_MOST_NAMES]]
        upload = Upload.objects.create(names=names, requested_by=by, requested_at=moment, heard_at=moment)
    place = _folder(upload.pk)
    try:
        place.mkdir(mode=0o700, parents=True)
        unpack(files, place)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        upload.delete()
        raise
    transaction.on_commit(lambda: enqueue(upload.pk))
    return upload


def do_import(upload_id: int, enqueue: Enqueue | None = None) -> None:
    """Do a waiting import, unless someone else does or nobody wants it; `enqueue` if the worker must end."""
    waiting = Upload.objects.filter(pk=upload_id, status=RunStatus.WAITING)
    if not waiting.update(status=RunStatus.RUNNING, heard_at=timezone.now()):
        return
    place = _folder(upload_id)
    try:
        results = load_environments(root(place), _reporter(upload_id, place))
        _end(upload_id, RunStatus.DONE, results=_told(results, place))
    except Cancelled:
        pass
    except Interrupted:
        running = Upload.objects.filter(pk=upload_id, status=RunStatus.RUNNING)
        if running.update(status=RunStatus.WAITING) and enqueue is not None:
            enqueue(upload_id)
        return
    except Exception:
        _end(upload_id, RunStatus.FAILED, error="import_failed: the server's log says why.")
        raise
    finally:
        if not Upload.objects.filter(pk=upload_id, status__in=UNFINISHED).exists():
            shutil.rmtree(place, ignore_errors=True)


def cancel(upload_id: int) -> bool:
    """Stop it before its next environment; whether there was anything to stop."""
    unfinished = Upload.objects.filter(pk=upload_id, status__in=UNFINISHED)
    return unfinished.update(status=RunStatus.CANCELLED, finished_at=timezone.now()) == 1


def take_up_again(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Has imported what no worker is busy with any more; forgets the files of what is over."""
    silent = Upload.objects.filter(status__in=UNFINISHED, heard_at__lt=moment - STALLED)
    stalled = list(silent.order_by("pk").values_list("pk", flat=True))
    silent.filter(pk__in=stalled).update(status=RunStatus.WAITING, heard_at=moment)
    for upload_id in stalled:
        enqueue(upload_id)
    _forget_files()
    return stalled


def _reporter(upload_id: int, place: Path) -> Report:
    """Keeps the progress; raises Cancelled when nobody wants the rest any more."""

    def report(done: int, total: int, results: list[LoadResult]) -> None:
        look()
        told = {"done": done, "total": total, "results": _told(results, place)}
        upload = Upload.objects.filter(pk=upload_id)
        if not upload.filter(status=RunStatus.RUNNING).update(**told, heard_at=timezone.now()):
            upload.filter(status=RunStatus.CANCELLED).update(**told)
            raise Cancelled

    return report


def _end(upload_id: int, status: RunStatus, **fields: Any) -> None:
    running = Upload.objects.filter(pk=upload_id, status=RunStatus.RUNNING)
    running.update(status=status, finished_at=timezone.now(), **fields)


def _told(results: list[LoadResult], place: Path) -> list[dict[str, str]]:
    """Without the places on this machine."""
    here = re.compile(rf"{re.escape(str(place))}/?")
    return [replace(result, reason=here.sub("", result.reason)).as_json() for result in results]


def _folder(upload_id: int) -> Path:
    path: Path = settings.DATA_DIR / "uploads" / str(upload_id)
    return path


def _forget_files() -> None:
    """Of uploads that are over, or that the server was killed in the middle of receiving."""
    places = settings.DATA_DIR / "uploads"
    wanted = {str(pk) for pk in Upload.objects.filter(status__in=UNFINISHED).values_list("pk", flat=True)}
    oldest = time.time() - _FORGOTTEN_SECONDS
    with suppress(FileNotFoundError):
        for place in places.iterdir():
            if place.name not in wanted and place.stat().st_mtime < oldest:
                shutil.rmtree(place, ignore_errors=True)
