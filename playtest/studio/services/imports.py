"""Imports of uploaded files, and uploads into the sandbox: requested, done by a worker, cancelled, requeued.

Each is a job (`playtest.jobs.lifecycle`). A cancelled job leaves what it has imported.
"""

import re
import shutil
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.play.packing import SOURCE
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Enqueue, Lease
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.jobs.retry import retry
from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.studio.models import Import, ReleaseSet
from playtest.studio.services.importing import load_environments
from playtest.studio.services.loading import LoadResult, Report
from playtest.studio.services.packing import pack_folders
from playtest.studio.services.sandbox import load_uploads
from playtest.studio.services.shipped import proposals
from playtest.studio.services.tasks import load_tasks
from playtest.studio.services.upload_decisions import checked_text
from playtest.studio.services.uploads import root, unpack, unpack_tasks

STALLED = timedelta(minutes=5)
"""Longer than the slowest environment and its recordings can delay a heartbeat."""
ASKS = "asks"
_UNUSED_SECONDS = 60 * 60
_MOST_NAMES = 100


def request_import(
    files: "Sequence[UploadedFile[Any]]",
    enqueue: Enqueue,
    *,
    by: Staff | None = None,
    kind: Kind = Kind.INTERACTIVE,
    release_set: str = ReleaseSet.NONE,
) -> Import:
    """An import that waits for a worker; new static tasks belong to a set.

    Raises RuleError set_unknown, and as `uploads.unpack`; then nothing is stored.
    """
    if release_set not in ReleaseSet:
        raise RuleError("set_unknown", "There is no such set: choose one of the list.")
    return _request(_names(files), _unpacked(files, kind), enqueue, by=by, kind=kind, release_set=release_set)


def request_upload(
    files: "Sequence[UploadedFile[Any]]", enqueue: Enqueue, *, by: Staff, comment: str
) -> Import:
    """As `request_import`, into the sandbox, with words for who approves. RuleError also: text_unusable."""
    fill = _unpacked(files, Kind.INTERACTIVE)
    return _request(_names(files), fill, enqueue, by=by, into_sandbox=True, comment=checked_text(comment))


def request_shipped(
    codes: Collection[str], kind: Kind, directory: Path, enqueue: Enqueue, *, by: Staff
) -> Import:
    """An import of what a folder has of this kind with these ids. RuleError nothing_proposed."""
    chosen = [one for one in proposals(directory) if one.kind is kind and one.code in codes]
    if not chosen:
        raise RuleError("nothing_proposed", "None of these is new or changed any more. Load the page again.")

    def fill(place: Path) -> None:
        packed = shutil.ignore_patterns(SOURCE)  # it stands beside its modules, maybe without their library
        for one in chosen:
            copy = partial(shutil.copytree, ignore=packed) if one.path.is_dir() else shutil.copy
            copy(one.path, place / one.path.name)

    return _request([one.code for one in chosen], fill, enqueue, by=by, kind=kind)


def confirm(import_id: int, codes: Collection[str], enqueue: Enqueue, *, by: Staff) -> Import:
    """Imports again what asked before it replaced something, for the chosen ids.

    RuleError: nothing_chosen, files_gone.
    """
    job, place = Import.objects.get(pk=import_id), _folder(import_id)
    asking = {result["id"] for result in job.results if result["status"] == ASKS}
    if not (chosen := sorted(asking.intersection(codes))):
        raise RuleError("nothing_chosen", "Choose at least one that asks.")
    if job.status in UNFINISHED or not place.is_dir():
        raise RuleError("files_gone", "Its files were deleted after an hour: upload them again.")

    def fill(new: Path) -> None:
        shutil.copytree(place, new, dirs_exist_ok=True)

    fields = {"kind": job.kind, "release_set": job.release_set, "confirmed": chosen}
    made = _request(job.names, fill, enqueue, by=by, **fields)
    shutil.rmtree(place, ignore_errors=True)
    return made


def _names(files: "Sequence[UploadedFile[Any]]") -> list[str]:
    return [(file.name or "")[:_MOST_NAMES] for file in files[:_MOST_NAMES]]


def _unpacked(files: "Sequence[UploadedFile[Any]]", kind: Kind) -> Callable[[Path], None]:
    return lambda place: _OF_KIND[kind].unpack(files, place)


def _request(
    names: list[str], fill: Callable[[Path], None], enqueue: Enqueue, *, by: Staff | None, **fields: Any
) -> Import:
    """An import of the files that `fill` puts into a new folder."""
    with transaction.atomic():
        made = Import.objects.create(
            names=names[:_MOST_NAMES], requested_by=by, requested_at=timezone.now(), **fields
        )
    place = _folder(made.pk)
    try:
        place.mkdir(mode=0o700, parents=True)
        fill(place)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        made.delete()
        raise
    transaction.on_commit(lambda: enqueue(made.pk), robust=True)
    return made


def do_import(import_id: int, enqueue: Enqueue | None = None) -> None:
    """Does a waiting import, if no other worker has it; `enqueue` if this worker must end."""
    mine = Import.objects.filter(pk=import_id)
    lease = lifecycle.claim(mine, started_at=timezone.now())
    if lease is None:
        return
    place, asks = _folder(import_id), False
    try:
        with lifecycle.working(lease, import_id, enqueue):
            job = mine.select_related("requested_by").get()
            of_kind = _OF_KIND[job.kind]
            results = of_kind.load(job, place, _reporter(mine, lease, place, each=of_kind.slow))
            asks = any(result.status == ASKS for result in results)
            lease.finish(JobStatus.DONE, results=_as_json(results, place))
    finally:
        if not asks and not retry(mine.filter(status__in=UNFINISHED).exists):
            shutil.rmtree(place, ignore_errors=True)


def _load_programs(job: Import, place: Path, report: Report) -> list[LoadResult]:
    folder = root(place)
    refused = pack_folders(folder, report)
    if not job.into_sandbox:
        return refused + load_environments(folder, report, confirmed=job.confirmed)
    assert job.requested_by is not None
    return refused + load_uploads(folder, job, job.requested_by, report)


def _load_tasks(job: Import, place: Path, report: Report) -> list[LoadResult]:
    return load_tasks(place, report, release_set=ReleaseSet(job.release_set), confirmed=job.confirmed)


class _Importing(NamedTuple):
    """How files of one kind are unpacked and imported; `slow` if each takes long enough to be reported."""

    unpack: "Callable[[Sequence[UploadedFile[Any]], Path], None]"
    load: Callable[[Import, Path, Report], list[LoadResult]]
    slow: bool


_OF_KIND = {
    Kind.INTERACTIVE: _Importing(unpack, _load_programs, slow=True),
    Kind.TASK: _Importing(unpack_tasks, _load_tasks, slow=False),
}


def cancel(import_id: int) -> bool:
    """Cancels an unfinished import; returns whether it did. Its worker notices within a second."""
    return lifecycle.cancel(Import.objects.filter(pk=import_id)) == 1


def requeue_stalled(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Enqueues imports whose worker must be gone; deletes the files of finished ones."""
    requeued = lifecycle.requeue_stalled(Import.objects.all(), moment, STALLED, enqueue)
    _delete_files()
    return requeued


def _reporter(mine: QuerySet[Import], lease: Lease, place: Path, *, each: bool) -> Report:
    """Stores the progress, even of a cancelled import; raises as `Lease.heartbeat`.

    After each environment, or at most twice a second where thousands follow each other quickly.
    """

    def report(done: int, total: int, results: list[LoadResult]) -> None:
        if not (each or lease.due):
            return
        progress = {"done": done, "total": total, "results": _as_json(results, place)}
        try:
            (lease.heartbeat if each else lease.report)(**progress)
        except lifecycle.Cancelled:
            mine.filter(status=JobStatus.CANCELLED).update(**progress)
            raise

    return report


def _as_json(results: list[LoadResult], place: Path) -> list[dict[str, str]]:
    """The results as JSON, without paths of this machine."""
    folder = re.compile(rf"{re.escape(str(place))}/?")
    return [replace(result, reason=folder.sub("", result.reason)).as_json() for result in results]


def _folder(import_id: int) -> Path:
    path: Path = settings.DATA_DIR / "uploads" / str(import_id)
    return path


def _delete_files() -> None:
    """Deletes files of imports that ended, and of uploads that the end of the server interrupted."""
    places = settings.DATA_DIR / "uploads"
    wanted = {str(pk) for pk in Import.objects.filter(status__in=UNFINISHED).values_list("pk", flat=True)}
    oldest = time.time() - _UNUSED_SECONDS
    with suppress(FileNotFoundError):
        for place in places.iterdir():
            if place.name not in wanted and place.stat().st_mtime < oldest:
                shutil.rmtree(place, ignore_errors=True)
