"""The state machine of a job: WAITING -> RUNNING -> DONE, CANCELLED or FAILED.

Each step is a conditional update of a row of a model made of `playtest.jobs.models.Job`. So of two processes
that try the same step one succeeds: two workers, or a worker and a person who cancels. A worker that claims a
job gets a lease and renews it with heartbeats. A worker that must end releases its job. A job without
heartbeats is requeued; a worker that was only slow finds that it has lost its lease.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from engine.errors import EngineError
from playtest.jobs import shutdown
from playtest.jobs.models import UNFINISHED, Job, JobStatus
from playtest.jobs.retry import DATABASE_ERRORS, retry

_SECONDS_BETWEEN_REPORTS = 0.5
_log = logging.getLogger(__name__)

type Rows = QuerySet[Any]
"""Rows of one model; a step concerns one of them unless its docstring says otherwise."""
type Enqueue = Callable[[int], object]
"""Tells the workers of the job with this primary key."""


class Cancelled(Exception):
    """The job was cancelled, or its lease was lost: its result is not wanted from this worker."""


class Lease:
    """The right of one worker to one job, identified by the job's last heartbeat.

    Requeueing the job changes that moment and so ends the lease.
    """

    def __init__(self, row: Rows, heartbeat_at: datetime) -> None:
        self._row = row
        self._heartbeats = [heartbeat_at]
        self._reported = time.monotonic()

    @property
    def due(self) -> bool:
        """Whether half a second has passed since the last report."""
        return time.monotonic() - self._reported >= _SECONDS_BETWEEN_REPORTS

    def report(self, **fields: Any) -> None:
        """Stores progress with a heartbeat, at most twice a second. Raises as `heartbeat`."""
        if self.due:
            self._reported = time.monotonic()
            self.heartbeat(**fields)

    def heartbeat(self, **fields: Any) -> None:
        """Stores progress and the time; left out while the database is locked or gone.

        Raises Cancelled if the job was cancelled or the lease is lost, Interrupted if the worker must end.
        """
        shutdown.raise_if_requested()
        try:
            held = self._update(**fields)
        except DATABASE_ERRORS:
            if connection.in_atomic_block:
                raise
            _log.warning("A heartbeat could not be stored.", exc_info=True)
            connection.close()
            return
        if not held:
            raise Cancelled

    def finish(self, status: JobStatus, **fields: Any) -> bool:
        """Ends the job; False if the lease was lost before."""
        ended = {"status": status, "finished_at": timezone.now()} | fields
        return retry(lambda: self._update(**ended))

    def release(self) -> bool:
        """Lets another worker do the job from its start; False if the lease was lost before."""
        return retry(lambda: self._update(status=JobStatus.WAITING, done=0))

    def _update(self, **fields: Any) -> bool:
        """Returns whether the lease was held. An interrupted update can be repeated with the same result."""
        heartbeat_at = _later_than(self._heartbeats[-1])
        statuses = {JobStatus.RUNNING, fields.get("status", JobStatus.RUNNING)}
        leased = self._row.filter(status__in=statuses, heartbeat_at__in=self._heartbeats)
        self._heartbeats.append(heartbeat_at)
        held = leased.update(**({"heartbeat_at": heartbeat_at} | fields)) == 1
        if not connection.in_atomic_block:  # else it may yet be undone
            self._heartbeats = [heartbeat_at]
        return held


@dataclass(frozen=True)
class Claimed[J: Job]:
    """A job, and the lease of the worker that does it."""

    row: J
    lease: Lease


def claim(row: Rows, **fields: Any) -> Lease | None:
    """Begins a waiting job; None if it no longer waits."""
    moment = timezone.now()
    begun = {"status": JobStatus.RUNNING, "done": 0, "heartbeat_at": moment} | fields
    waiting = row.filter(status=JobStatus.WAITING)
    return Lease(row, moment) if retry(lambda: waiting.update(**begun)) else None


def cancel(rows: Rows) -> int:
    """Cancels the unfinished jobs of the rows; returns their number. Workers notice at the next heartbeat."""
    return rows.filter(status__in=UNFINISHED).update(status=JobStatus.CANCELLED, finished_at=timezone.now())


def explain_fault(error: Exception) -> str | None:
    """The "code: sentence" of an environment's fault; None for any other error."""
    return f"{error.code}: {error.message}" if isinstance(error, EngineError) else None


@contextmanager
def working(
    lease: Lease,
    key: int,
    enqueue: Enqueue | None,
    explain: Callable[[Exception], str | None] = lambda error: None,
) -> Iterator[None]:
    """Stores how the work within ended, for the job with the primary key `key`.

    Cancelled ends it in silence. Interrupted releases the job and enqueues it again. Errors of the database
    leave it running, to be requeued. Any other error makes the job FAILED, with the "code: sentence" that
    `explain` gives; one that it cannot explain is raised again, as are errors of the database.
    """
    try:
        yield
    except Cancelled:
        pass
    except shutdown.Interrupted:
        if lease.release() and enqueue is not None:
            enqueue(key)
    except DATABASE_ERRORS:
        raise
    except Exception as error:
        explained = explain(error)
        lease.finish(JobStatus.FAILED, error=explained or "failed_unexpectedly: the server's log says why.")
        if explained is None:
            raise


def requeue_stalled(rows: Rows, moment: datetime, silence: timedelta, enqueue: Enqueue) -> list[int]:
    """Enqueues jobs without a heartbeat for `silence`, and jobs that no worker knows of; returns their keys.

    A job may also wait because all workers are busy, so waiting jobs are enqueued again only while no other
    is running. Enqueueing a job twice does no harm, since it is claimed once.
    """
    old = rows.filter(heartbeat_at__lt=moment - silence)
    requeued = []
    for key in old.filter(status=JobStatus.RUNNING).order_by("pk").values_list("pk", flat=True):
        stalled = old.filter(pk=key, status=JobStatus.RUNNING)
        if stalled.update(status=JobStatus.WAITING, done=0, heartbeat_at=moment):
            requeued.append(key)
    if not rows.filter(status=JobStatus.RUNNING).exists():
        waiting = old.filter(status=JobStatus.WAITING)
        unknown = list(waiting.order_by("pk").values_list("pk", flat=True))
        rows.filter(pk__in=unknown, status=JobStatus.WAITING).update(heartbeat_at=moment)
        requeued += unknown
    for key in requeued:
        enqueue(key)
    return requeued


def _later_than(moment: datetime) -> datetime:
    """Now, unless the clock was put back."""
    return max(timezone.now(), moment + timedelta(microseconds=1))
