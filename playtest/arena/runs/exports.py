"""Exports of runs: what may leave by the custody of sets, and the record of who took what, and when."""

import tempfile
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from playtest.arena.models import Play, Scorecard
from playtest.arena.runs.custody import draws_of
from playtest.arena.runs.export_files import HUGGING_FACE, RunFiles, write_runs
from playtest.jobs.lifecycle import Enqueue
from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.review.models import RUN_KINDS, Export, ExportKind
from playtest.review.services.export_files import Report
from playtest.review.services.table_files import CSV, PARQUET, pack_folder
from playtest.rules.custody import Fact, may_disclose
from playtest.studio.models import Environment, ReleaseSet, SightingKind
from playtest.studio.services.sightings import note_sightings

_MAY_LEAVE = [one.value for one in ReleaseSet if may_disclose(one, Fact.RECORDING)]
LEAVING = Q(run__release_set__in=_MAY_LEAVE, run__environment__release_set__in=_MAY_LEAVE)
"""Plays of environments that are, and were when the run began, in a set whose runs may leave."""
FORMATS = {
    ExportKind.RUNS_PARQUET: PARQUET,
    ExportKind.RUNS_CSV: CSV,
    ExportKind.RUNS_DATASET: HUGGING_FACE,
}


def subject_of(chosen: Scorecard | Environment) -> dict[str, str]:
    """What is exported, as `Export.options` names it."""
    if isinstance(chosen, Scorecard):
        return {"card": str(chosen.card_id)}
    return {"environment": chosen.code}


def plays_of(subject: dict[str, Any]) -> QuerySet[Play]:
    """The ended plays of what an export's options name."""
    if "card" in subject:
        chosen = Q(run__card__card_id=subject["card"])
    else:
        chosen = Q(run__environment__code=subject["environment"])
    return Play.objects.filter(chosen, attempt__ended_at__isnull=False)


def leaving(subject: dict[str, Any]) -> Q:
    """Which of its plays leave: of a card not those of environments that it does not show, either."""
    cards = (
        Scorecard.objects.filter(card_id=subject["card"]) if "card" in subject else Scorecard.objects.none()
    )
    sealed = {code for draw in draws_of(cards).values() for code in draw.sealed}
    return LEAVING & ~Q(run__environment__code__in=sealed)


def environments_of(options: dict[str, Any]) -> QuerySet[Environment]:
    """The environments whose runs an export with these options has."""
    plays = plays_of(options)
    chosen = plays if options.get("held_out") else plays.filter(leaving(options))
    return Environment.objects.filter(pk__in=chosen.values("run__environment"))


def run_exports() -> QuerySet[Export]:
    """Every export of runs that anybody asked for, the newest first; they stay when their files are gone."""
    return (
        Export.objects.filter(kind__in=RUN_KINDS)
        .select_related("requested_by")
        .order_by("-requested_at", "-pk")
    )


def request_runs(chosen: Scorecard | Environment, kind: ExportKind, staff: Staff, enqueue: Enqueue) -> Export:
    """Requests the ended runs of a scorecard or an environment as files, made by a worker.

    Only runs of environments whose set lets them leave are in it. Refusal: runs_missing, runs_held_back.
    """
    subject = subject_of(chosen)
    plays = plays_of(subject)
    total, runs = plays.count(), plays.filter(leaving(subject)).count()
    if not total:
        raise Refusal("runs_missing", "There is no ended run to export.")
    if not runs:
        message = "Runs leave only of the public set, and not of a final part: nothing here is of such a set."
        raise Refusal("runs_held_back", message)
    export = Export.objects.create(
        kind=kind,
        options=subject | {"runs": runs, "held_back": total - runs},
        requested_by=staff,
        requested_at=now(),
        total=1,
    )
    transaction.on_commit(lambda: enqueue(export.pk), robust=True)
    return export


def make_runs(export: Export, path: Path, report: Report) -> str:
    """Writes the runs that may leave now as a ZIP file; returns the digest of their tables."""
    with tempfile.TemporaryDirectory(dir=path.parent) as made:
        plays = plays_of(export.options)
        leave = plays.filter(leaving(export.options))
        held_back, form = plays.count() - leave.count(), FORMATS[ExportKind(export.kind)]
        written = write_runs(leave, Path(made), form, held_back)
        pack_folder(Path(made), path)
    report(1, 1)
    return written.digest


def write_and_record(chosen: Scorecard | Environment, folder: Path, form: str, *, held_out: bool) -> RunFiles:
    """Writes runs into a folder of the server and records it. With `held_out` also those that may not leave.

    Refusal: record_damaged. OSError if a file cannot be written.
    """
    subject = subject_of(chosen)
    plays = plays_of(subject)
    leave = plays if held_out else plays.filter(leaving(subject))
    runs, held_back = leave.count(), plays.count() - leave.count()
    written = write_runs(leave, folder, form, held_back)
    taken = set(leave.values_list("run__environment", flat=True))
    moment = now()
    Export.objects.create(
        kind=next(kind for kind, name in FORMATS.items() if name == form),
        options=subject
        | {"runs": runs, "held_back": held_back, "held_out": held_out, "folder": str(folder.resolve())},
        status=JobStatus.DONE,
        digest=written.digest,
        requested_at=moment,
        finished_at=moment,
        total=1,
        done=1,
    )
    note_sightings(taken, SightingKind.FILE, None, "manage.py export_runs")
    return written
