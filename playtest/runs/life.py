"""The life of what workers do: WAITING -> RUNNING -> DONE, CANCELLED or FAILED.

Every step is a conditional update of rows of a model made of `playtest.runs.models.Work`, so that of two
processes that try it one takes it: two workers, or a worker and a person who cancels. A worker that has to
end gives back what it does; what a dead one left is taken up again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from playtest.runs.interruption import Interrupted, look
from playtest.runs.models import UNFINISHED, RunStatus

_SECONDS_BETWEEN_REPORTS = 0.5

type Rows = QuerySet[Any]
"""Rows of one model; a step is about one of them unless it says otherwise."""
type Enqueue = Callable[[int], object]
"""Has the row with this primary key done by some worker."""


class Cancelled(Exception):
    """Nobody wants the rest any more."""


def claim(row: Rows, **fields: Any) -> bool:
    """Begin what waits; whether it waited, and is the caller's to do from now on."""
    waiting = row.filter(status=RunStatus.WAITING)
    return waiting.update(status=RunStatus.RUNNING, done=0, heard_at=timezone.now(), **fields) == 1


def tell(row: Rows, **fields: Any) -> None:
    """Keep how far it is; a sign of life.

    Raises Cancelled if it is wanted no more, Interrupted if the worker is about to end.
    """
    look()
    if not row.filter(status=RunStatus.RUNNING).update(heard_at=timezone.now(), **fields):
        raise Cancelled


def end(row: Rows, status: RunStatus, **fields: Any) -> bool:
    """End what runs; whether it ran until now."""
    running = row.filter(status=RunStatus.RUNNING)
    return running.update(status=status, finished_at=timezone.now(), **fields) == 1


def cancel(rows: Rows) -> int:
    """Stop them wherever they are, and say how many there were to stop.

    Their workers notice at the next `tell`.
    """
    return rows.filter(status__in=UNFINISHED).update(status=RunStatus.CANCELLED, finished_at=timezone.now())


def give_back(row: Rows, moment: datetime | None = None) -> bool:
    """Let somebody else do what runs, from the start; whether it ran until now."""
    running = row.filter(status=RunStatus.RUNNING)
    return running.update(status=RunStatus.WAITING, done=0, heard_at=moment or timezone.now()) == 1


@contextmanager
def doing(
    row: Rows,
    key: int,
    enqueue: Enqueue | None,
    explain: Callable[[Exception], str | None] = lambda error: None,
) -> Iterator[None]:
    """Around the work on a claimed row, `key` its primary key: however the work is left, the row says so.

    Cancelled is the end of it. A worker that must end hands it on through `enqueue`. Anything else makes it
    FAILED: with what `explain` says of it ("code: sentence"), or as a mistake of ours, which is raised too.
    """
    try:
        yield
    except Cancelled:
        pass
    except Interrupted:
        if give_back(row) and enqueue is not None:
            enqueue(key)
    except Exception as error:
        explained = explain(error)
        end(row, RunStatus.FAILED, error=explained or "failed_unexpectedly: the server's log says why.")
        if explained is None:
            raise


def take_up_again(rows: Rows, moment: datetime, silence: timedelta, enqueue: Enqueue) -> list[int]:
    """Has rows done whose worker was not heard for so long, or that no worker seems to know of; their keys.

    What waits may do so because workers are busy: it is spoken of again only when nothing of its kind runs.
    Speaking of it once too often does no harm, since it is claimed once.
    """
    old = rows.filter(heard_at__lt=moment - silence)
    taken_up = []
    for key in old.filter(status=RunStatus.RUNNING).order_by("pk").values_list("pk", flat=True):
        if give_back(old.filter(pk=key), moment):
            taken_up.append(key)
    if not rows.filter(status=RunStatus.RUNNING).exists():
        waiting = old.filter(status=RunStatus.WAITING)
        forgotten = list(waiting.order_by("pk").values_list("pk", flat=True))
        rows.filter(pk__in=forgotten, status=RunStatus.WAITING).update(heard_at=moment)
        taken_up += forgotten
    for key in taken_up:
        enqueue(key)
    return taken_up


class Seldom:
    """Whether it is time for the next report: at most twice a second, the first after half a second."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self) -> bool:
        moment = time.monotonic()
        due = moment - self._last >= _SECONDS_BETWEEN_REPORTS
        if due:
            self._last = moment
        return due
