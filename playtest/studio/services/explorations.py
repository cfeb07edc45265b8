"""Searches of state graphs: asked for, done by a worker, cancelled, taken up again, and kept.

An exploration goes WAITING -> RUNNING -> DONE, CANCELLED or FAILED; every step is a conditional update, so
that of two processes one does it. The shortest win becomes the level's optimal recording.
"""

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.errors import EngineError
from engine.explore import BUDGET
from engine.graph import Limits
from playtest.interruption import Interrupted, look
from playtest.people.models import Staff
from playtest.studio.models import UNFINISHED, Exploration, Recording, RecordingKind, RunStatus, Version
from playtest.studio.searches import SILENCE_SECONDS, Report, search
from playtest.studio.services.qualifications import Cancelled, source_of

MOST_SECONDS = 24 * 60 * 60
FORGOTTEN = timedelta(minutes=10)
_SECONDS_BETWEEN_REPORTS = 0.5
_BEGINNINGS = 6  # a search may begin anew a few times (`engine.explore`)

type Enqueue = Callable[[int], object]
"""Has the exploration with this primary key done by some worker."""


class BadRequest(ValueError):
    """A search that cannot be asked for; `code` and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def request_exploration(
    version: Version,
    level: int,
    enqueue: Enqueue,
    *,
    seed: int = 0,
    limits: Limits | None = None,
    budget: int = BUDGET,
    by: Staff | None = None,
) -> Exploration:
    """A search that waits for a worker. Raises BadRequest as `create`."""
    with transaction.atomic():
        exploration = create(version, level, seed=seed, limits=limits or Limits(), budget=budget, by=by)
        transaction.on_commit(lambda: enqueue(exploration.pk))
    return exploration


def create(
    version: Version, level: int, *, seed: int, limits: Limits, budget: int, by: Staff | None = None
) -> Exploration:
    """Raises BadRequest level_unknown, bad_limits."""
    if not 1 <= level <= version.levels:
        raise BadRequest("level_unknown", f"This environment has levels 1 to {version.levels}.")
    numbers = (limits.nodes, limits.edges, limits.steps, budget)
    if min(numbers) < 1 or not 0 < limits.seconds <= MOST_SECONDS or not 0 <= seed < 2**31:
        message = f"Limits are numbers above 0, seconds at most {MOST_SECONDS:,}, a seed below 2^31."
        raise BadRequest("bad_limits", message)
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
    exploration_id: int, tell: Report = lambda progress: None, enqueue: Enqueue | None = None
) -> None:
    """Do a waiting search, unless someone else does or nobody wants it; `enqueue` if the worker must end."""
    waiting = Exploration.objects.filter(pk=exploration_id, status=RunStatus.WAITING)
    if not waiting.update(status=RunStatus.RUNNING, started_at=timezone.now(), done=0):
        return
    row = Exploration.objects.select_related("version__environment").get(pk=exploration_id)
    limits = dict(row.limits)
    budget = limits.pop("budget", BUDGET)
    try:
        end = search(
            source_of(row.version),
            seed=row.seed,
            level=row.level,
            limits=limits,
            budget=budget,
            report=_reporter(row, tell),
        )
    except Cancelled:
        return
    except Interrupted:
        running = Exploration.objects.filter(pk=row.pk, status=RunStatus.RUNNING)
        if running.update(status=RunStatus.WAITING, done=0) and enqueue is not None:
            enqueue(row.pk)
        return
    except EngineError as error:
        _end(row, RunStatus.FAILED, error=f"{error.code}: {error.message}")
        return
    except Exception:
        _end(row, RunStatus.FAILED, error="exploration_failed: the server's log says why.")
        raise
    _keep(row, end)


def cancel(exploration_id: int) -> bool:
    """Stop it wherever it is; whether there was anything to stop. Its worker notices within a second."""
    unfinished = Exploration.objects.filter(pk=exploration_id, status__in=UNFINISHED)
    return unfinished.update(status=RunStatus.CANCELLED, finished_at=timezone.now()) == 1


def take_up_again(moment: datetime, enqueue: Enqueue) -> list[int]:
    """Has searches done again whose worker must be gone, and those that no worker was told of."""
    stalled = []
    for row in Exploration.objects.filter(status=RunStatus.RUNNING).only("limits", "started_at"):
        longest = timedelta(seconds=_BEGINNINGS * float(row.limits["seconds"]) + 2 * SILENCE_SECONDS)
        if row.started_at is not None and moment - row.started_at > longest:
            running = Exploration.objects.filter(pk=row.pk, status=RunStatus.RUNNING)
            if running.update(status=RunStatus.WAITING, requested_at=moment):
                stalled.append(row.pk)
    waiting = Exploration.objects.filter(status=RunStatus.WAITING, requested_at__lt=moment - FORGOTTEN)
    if not Exploration.objects.filter(status=RunStatus.RUNNING).exists():
        forgotten = list(waiting.order_by("pk").values_list("pk", flat=True))
        waiting.filter(pk__in=forgotten).update(requested_at=moment)
        stalled += forgotten
    for exploration_id in stalled:
        enqueue(exploration_id)
    return stalled


def _reporter(row: Exploration, tell: Report) -> Report:
    """Keeps the progress, at most twice a second; raises Cancelled when the search is wanted no more."""
    looked = 0.0

    def report(progress: Mapping[str, int]) -> None:
        nonlocal looked
        tell(progress)
        if time.monotonic() - looked < _SECONDS_BETWEEN_REPORTS:
            return
        looked = time.monotonic()
        look()
        running = Exploration.objects.filter(pk=row.pk, status=RunStatus.RUNNING)
        if not running.update(done=progress["nodes"]):
            raise Cancelled

    return report


def _end(row: Exploration, status: RunStatus, **fields: Any) -> bool:
    running = Exploration.objects.filter(pk=row.pk, status=RunStatus.RUNNING)
    return running.update(status=status, finished_at=timezone.now(), **fields) == 1


def _keep(row: Exploration, end: Mapping[str, Any]) -> None:
    report = end["report"]
    with transaction.atomic():
        fields = {"report": report, "graph": end["graph"], "done": report["nodes"]}
        if _end(row, RunStatus.DONE, **fields) and report["shortest_win_actions"] is not None:
            _keep_optimal(row, report["shortest_win_actions"], end["state_hashes"])


def _keep_optimal(row: Exploration, actions: list[Any], state_hashes: list[str]) -> None:
    """The level's optimal recording, if there is none as short."""
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
