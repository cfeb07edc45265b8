"""The life of what workers do: WAITING -> RUNNING -> DONE, CANCELLED or FAILED.

Every step is a conditional update of rows of a model made of `playtest.jobs.models.Work`, so that of two
processes that try it one takes it: two workers, or a worker and a person who cancels. A worker that has to
end gives back what it does; what a dead one left is taken up again, and should it not be dead after all, it
no longer holds it. A database that is locked or gone for a moment ends nothing.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import InterfaceError, OperationalError, connection
from django.db.models import QuerySet
from django.utils import timezone

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.jobs.shutdown import Interrupted, ending, look

_SECONDS_BETWEEN_REPORTS = 0.5
_SECONDS_BETWEEN_TRIES = 1.0
_PATIENCE_SECONDS = 60.0
TROUBLE = (OperationalError, InterfaceError)
"""The database's own, of which nobody's work is to blame."""
_log = logging.getLogger(__name__)

type Rows = QuerySet[Any]
"""Rows of one model; a step is about one of them unless it says otherwise."""
type Enqueue = Callable[[int], object]
"""Has the row with this primary key done by some worker."""


class Cancelled(Exception):
    """Nobody wants the rest any more."""


class Held:
    """A claimed row in the hands of who claimed it, known by when it was last heard of.

    Whoever takes the row up again changes that moment: then these hands are empty.
    """

    def __init__(self, row: Rows, heard_at: datetime) -> None:
        self._row = row
        self._heard = [heard_at]

    def update(self, **fields: Any) -> bool:
        """Whether it was still held. One that broke off may have been made: done again, it is the same."""
        heard_at = _later_than(self._heard[-1])
        states = {JobStatus.RUNNING, fields.get("status", JobStatus.RUNNING)}
        mine = self._row.filter(status__in=states, heard_at__in=self._heard)
        self._heard.append(heard_at)
        held = mine.update(**({"heard_at": heard_at} | fields)) == 1
        if not connection.in_atomic_block:  # else it may yet be undone
            self._heard = [heard_at]
        return held


def claim(row: Rows, **fields: Any) -> Held | None:
    """Begin what waits; it is the caller's to do from now on, if it waited."""
    moment = timezone.now()
    begun = {"status": JobStatus.RUNNING, "done": 0, "heard_at": moment} | fields
    waiting = row.filter(status=JobStatus.WAITING)
    return Held(row, moment) if patiently(lambda: waiting.update(**begun)) else None


def tell(held: Held, **fields: Any) -> None:
    """Keep how far it is; a sign of life, which is left out while the database is locked or gone.

    Raises Cancelled if it is wanted no more, or not this worker's; Interrupted if the worker is about to end.
    """
    look()
    try:
        wanted = held.update(**fields)
    except TROUBLE:
        if connection.in_atomic_block:
            raise
        _log.warning("A sign of life could not be kept.", exc_info=True)
        connection.close()
        return
    if not wanted:
        raise Cancelled


def end(held: Held, status: JobStatus, **fields: Any) -> bool:
    """End what runs; whether it was held until now."""
    over = {"status": status, "finished_at": timezone.now()} | fields
    return patiently(lambda: held.update(**over))


def cancel(rows: Rows) -> int:
    """Stop them wherever they are, and say how many there were to stop.

    Their workers notice at the next `tell`.
    """
    return rows.filter(status__in=UNFINISHED).update(status=JobStatus.CANCELLED, finished_at=timezone.now())


def give_back(held: Held) -> bool:
    """Let somebody else do what runs, from the start; whether it was held until now."""
    return patiently(lambda: held.update(status=JobStatus.WAITING, done=0))


def patiently[T](deed: Callable[[], T]) -> T:
    """Does it again while the database is locked or gone, for a minute, unless within a transaction."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return deed()
        except TROUBLE:
            if connection.in_atomic_block or ending.is_set() or time.monotonic() > until:
                raise
            _log.warning("The database is locked or gone; trying again.", exc_info=True)
        connection.close()
        time.sleep(_SECONDS_BETWEEN_TRIES)


@contextmanager
def doing(
    held: Held,
    key: int,
    enqueue: Enqueue | None,
    explain: Callable[[Exception], str | None] = lambda error: None,
) -> Iterator[None]:
    """Around the work on a claimed row, `key` its primary key: however the work is left, the row says so.

    Cancelled is the end of it. A worker that must end hands it on through `enqueue`. Trouble of the database
    leaves it running with nobody, to be taken up again. Anything else makes it FAILED: with what `explain`
    says of it ("code: sentence"), or as a mistake of ours. Trouble and mistakes are raised, too.
    """
    try:
        yield
    except Cancelled:
        pass
    except Interrupted:
        if give_back(held) and enqueue is not None:
            enqueue(key)
    except TROUBLE:
        raise
    except Exception as error:
        explained = explain(error)
        end(held, JobStatus.FAILED, error=explained or "failed_unexpectedly: the server's log says why.")
        if explained is None:
            raise


def take_up_again(rows: Rows, moment: datetime, silence: timedelta, enqueue: Enqueue) -> list[int]:
    """Has rows done whose worker was not heard for so long, or that no worker seems to know of; their keys.

    What waits may do so because workers are busy: it is spoken of again only when nothing of its kind runs.
    Speaking of it once too often does no harm, since it is claimed once.
    """
    old = rows.filter(heard_at__lt=moment - silence)
    taken_up = []
    for key in old.filter(status=JobStatus.RUNNING).order_by("pk").values_list("pk", flat=True):
        left = old.filter(pk=key, status=JobStatus.RUNNING)
        if left.update(status=JobStatus.WAITING, done=0, heard_at=moment):
            taken_up.append(key)
    if not rows.filter(status=JobStatus.RUNNING).exists():
        waiting = old.filter(status=JobStatus.WAITING)
        forgotten = list(waiting.order_by("pk").values_list("pk", flat=True))
        rows.filter(pk__in=forgotten, status=JobStatus.WAITING).update(heard_at=moment)
        taken_up += forgotten
    for key in taken_up:
        enqueue(key)
    return taken_up


def _later_than(moment: datetime) -> datetime:
    """Now, unless the clock was put back."""
    return max(timezone.now(), moment + timedelta(microseconds=1))


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
