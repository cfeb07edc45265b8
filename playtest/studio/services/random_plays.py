"""Random play of levels: requested, divided into batches, done by workers, cancelled, requeued.

Each batch is a job (`playtest.jobs.lifecycle`), and counts by itself as soon as it is done. What came of it
cannot be seen before, so nobody can cancel a batch because it wins.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.prove.exploration.graph import Limits
from engine.prove.player import BATCH, Batch
from engine.prove.qualification.plan import LARGEST_SEED
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Claimed, Enqueue
from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.studio.models import RandomPlay, Version
from playtest.studio.processes.random_play import Report, play_batch
from playtest.studio.queries import evidence
from playtest.studio.queries.evidence import Plan, plan
from playtest.studio.services import explorations
from playtest.studio.services.qualifications import random_seed, source_of

MOST_TRIES = 1_000_000
STALLED = timedelta(minutes=5)
"""Batches wait long behind other jobs, so they are requeued late."""


def request_tries(
    version: Version,
    level: int,
    enqueue: Enqueue,
    *,
    tries: int | None = None,
    seed: int | None = None,
    by: Staff | None = None,
) -> list[RandomPlay]:
    """Batches that wait for workers. Raises RuleError as `create`."""
    with transaction.atomic():
        batches = create(version, level, tries=tries, seed=seed, by=by)
        transaction.on_commit(lambda: _enqueue_all(batches, enqueue), robust=True)
    return batches


def create(
    version: Version,
    level: int,
    *,
    tries: int | None = None,
    seed: int | None = None,
    by: Staff | None = None,
) -> list[RandomPlay]:
    """Batches that no worker knows of yet, of `tries` in all: by default as many as the gate lacks.

    A try may have as many actions as the level's budget is now. Raises RuleError level_unknown, bad_tries,
    no_win_known, seed_used, tries_not_needed.
    """
    if not 1 <= level <= version.levels:
        raise RuleError("level_unknown", f"This environment has levels 1 to {version.levels}.")
    seed = random_seed() if seed is None else seed
    if not 1 <= (MOST_TRIES if tries is None else tries) <= MOST_TRIES or not 0 <= seed <= LARGEST_SEED:
        message = f"Tries go from 1 to {MOST_TRIES:,}, a seed from 0 to {LARGEST_SEED}."
        raise RuleError("bad_tries", message)
    if RandomPlay.objects.filter(version=version, level=level, seed=seed).exists():
        message = f"Level {level} already has tries with seed {seed}. Choose another seed."
        raise RuleError("seed_used", message)
    known = evidence.verdict(version, level)
    if known.budget is None:
        message = f"No win of level {level} is known. Add a recording that wins it, or explore the level."
        raise RuleError("no_win_known", message)
    wanted = evidence.tries_to_request(version, known) if tries is None else tries
    if wanted <= 0 or not known.open:
        raise RuleError("tries_not_needed", f"{known.sentence} More tries would change nothing.")
    return RandomPlay.objects.bulk_create(
        RandomPlay(
            version=version,
            level=level,
            seed=seed,
            number=number,
            budget=known.budget,
            total=min(BATCH, wanted - number * BATCH),
            requested_by=by,
            requested_at=timezone.now(),
        )
        for number in range(-(-wanted // BATCH))
    )


def do_batch(batch_id: int, enqueue: Enqueue | None = None) -> None:
    """Makes a waiting batch, if no other worker has it and its level is still undecided.

    `enqueue` if the worker must end.
    """
    claimed = claim(batch_id)
    if claimed is None:
        return
    with lifecycle.working(claimed.lease, batch_id, enqueue, lifecycle.explain_fault):
        row = claimed.row
        keep(claimed, play_batch(source_of(row.version), batch_of(row), reporter(claimed)))


def claim(batch_id: int) -> Claimed[RandomPlay] | None:
    """Claims a waiting batch; None if it no longer waits.

    A batch whose level is decided by now is cancelled.
    """
    mine = RandomPlay.objects.filter(pk=batch_id)
    lease = lifecycle.claim(mine, started_at=timezone.now())
    if lease is None:
        return None
    row = mine.select_related("version__environment").get()
    if evidence.verdict(row.version, row.level).open:
        return Claimed(row, lease)
    lease.finish(JobStatus.CANCELLED, error="not_needed: enough is known of the level.")
    return None


def keep(claimed: Claimed[RandomPlay], report: dict[str, Any]) -> bool:
    """Stores the report of a batch; False if the lease was lost."""
    return claimed.lease.finish(JobStatus.DONE, report=report, done=claimed.row.total)


def reporter(claimed: Claimed[RandomPlay]) -> Report:
    """Stores the progress, at most twice a second; raises as `Lease.heartbeat`."""
    return lambda done: claimed.lease.report(done=done)


def batch_of(row: RandomPlay) -> Batch:
    """The batch as `engine.prove.player` takes it."""
    return Batch(row.level, row.seed, row.number * BATCH, row.total, row.budget)


def cancel(batches: QuerySet[RandomPlay]) -> int:
    """Cancels unfinished batches; returns their number. Workers notice within a second."""
    return lifecycle.cancel(batches)


def requeue_stalled(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Enqueues batches whose worker must be gone, and those that no worker knows of."""
    return lifecycle.requeue_stalled(RandomPlay.objects.all(), moment, STALLED, enqueue)


def _enqueue_all(batches: list[RandomPlay], enqueue: Enqueue) -> None:
    for batch in batches:
        enqueue(batch.pk)


GRAPH_LIMITS = Limits(nodes=20_000, edges=200_000, steps=1_000_000, seconds=60.0)
"""Limits of a first exploration. What it leaves open, random tries bound within minutes."""


def gather(version: Version, explore: Enqueue, play: Enqueue, by: Staff | None = None) -> Plan:
    """Requests all missing evidence; returns what was requested.

    Workers take explorations first. A batch whose level is decided by then is not played.
    """
    with transaction.atomic():
        made = plan(version)
        for level in made.graphs:
            explorations.request_exploration(version, level, explore, limits=GRAPH_LIMITS, by=by)
        for level, tries in made.tries:
            request_tries(version, level, play, tries=tries, by=by)
    return made
