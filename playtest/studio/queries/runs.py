"""How far a long computation is."""

from typing import Any

from django.db.models import Q, Sum

from playtest.studio.models import Exploration, Qualification, RunStatus

_WORDS = {
    RunStatus.WAITING: "waits for a worker",
    RunStatus.RUNNING: "is under way",
    RunStatus.DONE: "is done",
    RunStatus.CANCELLED: "was cancelled",
    RunStatus.FAILED: "failed",
}


def progress_of(run: Qualification | Exploration) -> dict[str, Any]:
    """`unfinished`, `share` of the steps or states (0 to 1; null without a whole), `words`."""
    done = run.done
    if isinstance(run, Qualification) and run.status == RunStatus.RUNNING:
        # What has no steps of its own (structure, recordings) counts other things.
        done = run.parts.aggregate(done=Sum("done", filter=Q(steps__gt=0)))["done"] or 0
    words = _WORDS[RunStatus(run.status)]
    unfinished = run.status in (RunStatus.WAITING, RunStatus.RUNNING)
    if unfinished and run.total:
        unit = "steps" if isinstance(run, Qualification) else "states at most"
        words += f": {done:,} of {run.total:,} {unit}"
    share = min(done / run.total, 1.0) if run.total else None
    return {"unfinished": unfinished, "share": share, "words": words}
