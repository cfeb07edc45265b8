"""How far a long computation is."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, Sum

from engine.qualification.findings import Finding
from engine.qualification.report import report
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.studio.models import Exploration, Import, Qualification, Recording, RecordingKind

_WORDS = {
    JobStatus.WAITING: "waits for a worker",
    JobStatus.RUNNING: "is under way",
    JobStatus.DONE: "is done",
    JobStatus.CANCELLED: "was cancelled",
    JobStatus.FAILED: "failed",
}
_UNITS = {Qualification: "steps", Exploration: "states at most", Import: "environments"}
_MOST_IMPORTS = 20


def progress_of(run: Qualification | Exploration | Import) -> dict[str, Any]:
    """`unfinished`, `share` of the whole (0 to 1; null without one), `words`, how much is `found` so far."""
    words = f"It {_WORDS[JobStatus(run.status)]}"
    unfinished = run.status in UNFINISHED
    done = done_of_parts(run) if unfinished and isinstance(run, Qualification) else run.done
    if unfinished and run.total:
        words += f": {done:,} of {run.total:,} {_UNITS[type(run)]}"
    found = _found(run) if unfinished else 0
    if found and isinstance(run, Qualification):
        words += f"; {found:,} finding{'s' if found > 1 else ''} so far"
    share = min(done / run.total, 1.0) if run.total else None
    return {"unfinished": unfinished, "share": share, "words": words, "found": found}


def report_of(run: Qualification) -> dict[str, Any]:
    """What it found, or has found so far: then nothing can be watched yet."""
    if run.report:
        return dict(run.report)
    told = report_of_parts(run)
    for entry in told["checks"]:
        entry["recording"] = None
    return told


def report_of_parts(run: Qualification) -> dict[str, Any]:
    """What its parts have found, with recordings as `engine.qualification.Trajectory.as_json` tells them."""
    parts = list(run.parts.order_by("pk"))
    findings = [Finding.of(finding) for part in parts for finding in part.findings]
    unfinished = {part.regime for part in parts if part.status != JobStatus.DONE}
    return report(run.seed, run.steps, findings, unfinished)


def finding_in(recording: Recording) -> tuple[Qualification, dict[str, Any]] | None:
    """The qualification that found what a recording shows, and what its report says of it."""
    if recording.kind != RecordingKind.FINDING:
        return None
    for run in Qualification.objects.filter(version=recording.version_id).order_by("-pk"):
        for entry in run.report.get("checks", ()):
            if entry["recording"] == recording.pk:
                return run, entry
    return None


def latest_imports() -> Iterable[Import]:
    """The latest imports, the newest first."""
    return Import.objects.select_related("requested_by").order_by("-pk")[:_MOST_IMPORTS]


def done_of_parts(run: Qualification) -> int:
    """Steps; what has none of its own (structure, recordings) counts other things."""
    return run.parts.aggregate(done=Sum("done", filter=Q(steps__gt=0)))["done"] or 0


def _found(run: Qualification | Exploration | Import) -> int:
    if isinstance(run, Import):
        return len(run.results)
    if isinstance(run, Qualification):
        return sum(map(len, run.parts.exclude(findings=[]).values_list("findings", flat=True)))
    return 0
