"""Explorations: requested, done by a worker, cancelled, requeued, and stored.

Each is a job (`playtest.jobs.lifecycle`). The shortest win becomes a recording of the level.
"""

import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.confine.client import Counts
from engine.prove.exploration.graph import Limits
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Enqueue, Lease
from playtest.jobs.models import JobStatus
from playtest.jobs.retry import retry
from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.evidence import Standing
from playtest.studio.models import (
    Exploration,
    ExploredStates,
    RandomPlay,
    Recording,
    RecordingKind,
    Version,
)
from playtest.studio.processes.exploration import Report, explore
from playtest.studio.queries import evidence
from playtest.studio.services.inheriting import inherits
from playtest.studio.services.qualifications import source_of

DEFAULT_LIMITS = Limits()
GATHERED = Limits(nodes=20_000, edges=200_000, steps=1_000_000, seconds=60.0)
"""Limits of an exploration for evidence that is missing. What it leaves open, random play bounds."""
MOST_SECONDS = 24 * 60 * 60
MOST = 10**9
"""The largest value of any other limit."""
STALLED = timedelta(minutes=2)
"""A worker sends a heartbeat twice a second."""


def request_exploration(version: Version, level: int, enqueue: Enqueue, **asked: Any) -> Exploration:
    """An exploration that waits for a worker; `asked` and RuleError as of `create`."""
    with transaction.atomic():
        exploration = create(version, level, **asked)
        transaction.on_commit(lambda: enqueue(exploration.pk), robust=True)
    return exploration


def create(
    version: Version,
    level: int,
    *,
    seed: int = 0,
    limits: Limits = DEFAULT_LIMITS,
    budget: int | None = None,
    by: Staff | None = None,
) -> Exploration:
    """An exploration that no worker knows of yet. Raises RuleError level_unknown, bad_limits.

    `budget`: the actions of a random player whose chance is computed; None for those of one try at the level.
    """
    if not 1 <= level <= version.levels:
        raise RuleError("level_unknown", f"This environment has levels 1 to {version.levels}.")
    may_be_none = [1 if number is None else number for number in (budget, limits.depth)]
    numbers = [limits.nodes, limits.edges, limits.steps, *may_be_none]
    sound = 1 <= min(numbers) <= max(numbers) <= MOST
    if not sound or not 0 < limits.seconds <= MOST_SECONDS or not 0 <= seed < 2**31:
        message = f"Limits go from 1 to {MOST:,}, seconds to {MOST_SECONDS:,}, a seed stays below 2^31."
        raise RuleError("bad_limits", message)
    return Exploration.objects.create(
        version=version,
        level=level,
        seed=seed,
        limits=limits.as_json() | {"budget": budget},
        total=limits.nodes,
        requested_by=by,
        requested_at=timezone.now(),
    )


def do_exploration(
    exploration_id: int, on_progress: Report = lambda counts: None, enqueue: Enqueue | None = None
) -> bool:
    """Does a waiting exploration; False if another worker has it. `enqueue` if this worker must end."""
    mine = Exploration.objects.filter(pk=exploration_id)
    lease = lifecycle.claim(mine, started_at=timezone.now())
    if lease is None:
        return False
    row = mine.select_related("version__environment").get()
    limits = dict(row.limits)
    budget = limits.pop("budget", None)

    def report(counts: Counts) -> None:
        on_progress(counts)
        lease.report(done=counts["nodes"])

    with lifecycle.working(lease, exploration_id, enqueue, lifecycle.explain_fault):
        if inherits(row.version, row.level, lease.report):
            error = "not_needed: the level plays as in an earlier version, and keeps its evidence."
            lease.finish(JobStatus.CANCELLED, error=error)
            return False
        gathered = (limits, budget) == (GATHERED.as_json(), None)
        if gathered and not evidence.verdict(row.version, row.level).open:
            lease.finish(JobStatus.CANCELLED, error="not_needed: enough is known of the level.")
            return False
        result = explore(
            source_of(row.version),
            seed=row.seed,
            level=row.level,
            limits=limits,
            budget=budget,
            fewest=evidence.verdict(row.version, row.level).fewest,
            report=report,
        )
        retry(lambda: _store(row, lease, result))
        stop_gathering(row.version, row.level)
    return True


def stop_gathering(version: Version, level: int) -> None:
    """Cancels what waits of the version's other levels, if this one is now known to be too easy."""
    if level < evidence.NEEDED_FROM or evidence.verdict(version, level).standing != Standing.TOO_EASY:
        return
    error = f"not_needed: level {level} is too easy, so the gate stays closed."
    ended = {"status": JobStatus.CANCELLED, "error": error, "finished_at": timezone.now()}
    for model in (RandomPlay, Exploration):
        model._default_manager.filter(version=version, status=JobStatus.WAITING).update(**ended)


def cancel(exploration_id: int) -> bool:
    """Cancels an unfinished exploration; returns whether it did. Its worker notices within a second."""
    return lifecycle.cancel(Exploration.objects.filter(pk=exploration_id)) == 1


def requeue_stalled(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Enqueues explorations whose worker must be gone, and those that no worker knows of."""
    return lifecycle.requeue_stalled(Exploration.objects.all(), moment, STALLED, enqueue)


def _store(row: Exploration, lease: Lease, result: Mapping[str, Any]) -> None:
    report = result["report"]
    with transaction.atomic():
        fields = {"report": report, "graph": result["graph"], "done": report["nodes"]}
        if not lease.finish(JobStatus.DONE, **fields):
            return
        if result["states"] is not None:
            tables = {name: zlib.compress(table) for name, table in result["states"].items()}
            ExploredStates.objects.create(exploration=row, **tables)
        if report["shortest_win_actions"] is not None:
            _store_shortest_win(row, report["shortest_win_actions"], result["state_hashes"])


def _store_shortest_win(row: Exploration, actions: list[Any], state_hashes: list[str]) -> None:
    """Stores the shortest win as a recording of the level, if none as short is stored."""
    name = f"Level {row.level}"
    known = Recording.objects.filter(version=row.version, kind=RecordingKind.OPTIMAL, name=name).first()
    if known is not None and len(known.actions) <= len(actions):
        return
    Recording.objects.update_or_create(
        version=row.version,
        kind=RecordingKind.OPTIMAL,
        name=name,
        defaults={
            "seed": row.seed,
            "level": row.level,
            "actions": actions,
            "state_hashes": state_hashes,
            "milliseconds": [],
            "levels_completed": [row.level - 1] * len(actions) + [row.level],
            "made_at": timezone.now(),
        },
    )
