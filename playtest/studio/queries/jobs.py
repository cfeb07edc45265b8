"""The progress and the reports of jobs."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, Sum

from engine.prove.qualification.findings import Finding
from engine.prove.qualification.report import report
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.studio.models import Exploration, Import, Qualification, RandomPlay, Recording, RecordingKind
from playtest.studio.queries.turns import why_it_waits

_STATUS_TEXTS = {
    JobStatus.WAITING: "waits for a worker",
    JobStatus.RUNNING: "is under way",
    JobStatus.DONE: "is done",
    JobStatus.CANCELLED: "was cancelled",
    JobStatus.FAILED: "failed",
}
_UNITS = {Qualification: "steps", Exploration: "states at most", RandomPlay: "tries and runs at most"}
_MOST_IMPORTS = 20


def progress_of(job: Qualification | Exploration | RandomPlay | Import) -> dict[str, Any]:
    """`unfinished`, `share` of the whole (0 to 1; None without one), and `text`."""
    sentence = f"It {_STATUS_TEXTS[JobStatus(job.status)]}"
    unfinished = job.status in UNFINISHED
    done = done_of_parts(job) if unfinished and isinstance(job, Qualification) else job.done
    if job.status == JobStatus.WAITING and not isinstance(job, Import):
        sentence += f" {why_it_waits(job)}"
    elif unfinished and job.total:
        unit = f"{job.noun}s" if isinstance(job, Import) else _UNITS[type(job)]
        sentence += f": {done:,} of {job.total:,} {unit}"
    if unfinished and isinstance(job, Qualification) and (found := _found(job)):
        sentence += f"; {found:,} finding{'s' if found > 1 else ''} so far"
    share = min(done / job.total, 1.0) if job.total else None
    return {"unfinished": unfinished, "share": share, "text": sentence}


def report_of(job: Qualification) -> dict[str, Any]:
    """The report, or what was found so far, which cannot be watched yet."""
    if job.report:
        return dict(job.report)
    found_so_far = report_of_parts(job)
    for entry in found_so_far["checks"]:
        entry["recording"] = None
    return found_so_far


def report_of_parts(job: Qualification) -> dict[str, Any]:
    """The report of what its parts have found, with recordings as `Trajectory.as_json` gives them."""
    parts = list(job.parts.order_by("pk"))
    findings = [Finding.of(finding) for part in parts for finding in part.findings]
    unfinished = {part.regime for part in parts if part.status != JobStatus.DONE}
    return report(job.seed, job.steps, findings, unfinished)


def finding_in(recording: Recording) -> tuple[Qualification, dict[str, Any]] | None:
    """The qualification whose finding a recording shows, with that entry of its report; or None."""
    if recording.kind != RecordingKind.FINDING:
        return None
    for job in Qualification.objects.filter(version=recording.version_id).order_by("-pk"):
        for entry in job.report.get("checks", ()):
            if entry["recording"] == recording.pk:
                return job, entry
    return None


def latest_imports() -> Iterable[Import]:
    """The latest imports, the newest first; none into the sandbox."""
    found = Import.objects.filter(into_sandbox=False).select_related("requested_by")
    return found.order_by("-pk")[:_MOST_IMPORTS]


def done_of_parts(job: Qualification) -> int:
    """Steps done; parts without steps of their own (structure, recordings) count other things."""
    return job.parts.aggregate(done=Sum("done", filter=Q(steps__gt=0)))["done"] or 0


def _found(job: Qualification) -> int:
    return sum(map(len, job.parts.exclude(findings=[]).values_list("findings", flat=True)))
