"""How far a long computation is."""

from typing import Any

from django.db.models import Sum

from playtest.studio.models import Exploration, Qualification, RunStatus

_WORDS = {
    RunStatus.WAITING: "waits for a worker",
    RunStatus.RUNNING: "is under way",
    RunStatus.DONE: "is done",
    RunStatus.CANCELLED: "was cancelled",
    RunStatus.FAILED: "failed",
}


def progress_of(run: Qualification | Exploration) -> dict[str, Any]:
    """`unfinished`, `share` of the steps (0 to 1; null when nobody knows the whole), `words`."""
    done = run.done
    if isinstance(run, Qualification) and run.status == RunStatus.RUNNING:
        done = run.parts.aggregate(done=Sum("done"))["done"] or 0
    words = _WORDS[RunStatus(run.status)]
    unfinished = run.status in (RunStatus.WAITING, RunStatus.RUNNING)
    if unfinished and run.total:
        words += f": {done:,} of {run.total:,} steps"
    elif unfinished and done:
        words += f": {done:,} steps"
    share = min(done / run.total, 1.0) if run.total else None
    return {"unfinished": unfinished, "share": share, "words": words}
