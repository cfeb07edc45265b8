"""The batches of random play of a level: their progress and their outcomes."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.people.models import Staff
from playtest.studio.models import RandomPlay, Version


@dataclass(frozen=True)
class BatchSequence:
    """The batches of one seed: how many tries were requested, and the outcomes of those that were made.

    `errors` are the reasons why batches were not made, each once.
    """

    seed: int
    requested_at: datetime
    requested_by: Staff | None
    budget: int
    requested: int
    tries: int
    won: int
    lost: int
    actions: int
    waiting: int
    faults: tuple[tuple[str, int], ...]
    errors: tuple[str, ...]


def of_level(version: Version, level: int) -> QuerySet[RandomPlay]:
    """All batches of a level."""
    return RandomPlay.objects.filter(version=version, level=level)


def sequences(version: Version, level: int) -> list[BatchSequence]:
    """The batches by their seed, the latest first."""
    rows = of_level(version, level).select_related("requested_by").order_by("-requested_at", "seed", "number")
    return [_sequence(seed, list(some)) for seed, some in groupby(rows, key=lambda row: row.seed)]


def progress_of(version: Version, level: int) -> dict[str, Any]:
    """As `queries.jobs.progress_of`, of all batches asked for together with one that is not finished.

    `found` is how many batches are done.
    """
    requested = of_level(version, level)
    seeds = requested.filter(status__in=UNFINISHED).values("seed")
    together = list(requested.filter(seed__in=seeds).values_list("status", "done", "total"))
    if not together:
        return {"unfinished": False, "share": None, "text": "It is done", "found": 0}
    done, total = sum(one[1] for one in together), sum(one[2] for one in together)
    begun = any(status != JobStatus.WAITING for status, _, _ in together)
    sentence = f"It {'is under way' if begun else 'waits for a worker'}: {done:,} of {total:,} tries"
    found = sum(status == JobStatus.DONE for status, _, _ in together)
    return {"unfinished": True, "share": done / total, "text": sentence, "found": found}


def _sequence(seed: int, rows: list[RandomPlay]) -> BatchSequence:
    reports = [row.report for row in rows if row.status == JobStatus.DONE]
    faults: Counter[str] = Counter()
    for report in reports:
        faults.update(report["faults"])
    return BatchSequence(
        seed,
        rows[0].requested_at,
        rows[0].requested_by,
        rows[0].budget,
        sum(row.total for row in rows),
        _sum(reports, "tries"),
        sum(len(report["wins"]) for report in reports),
        _sum(reports, "lost"),
        _sum(reports, "actions"),
        sum(row.total for row in rows if row.status in UNFINISHED),
        tuple(faults.items()),
        tuple(dict.fromkeys(row.error for row in rows if row.error)),
    )


def _sum(reports: Iterable[dict[str, Any]], name: str) -> int:
    return sum(report[name] for report in reports)
