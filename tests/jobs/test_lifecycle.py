"""At most one worker has the lease of a job; an ended job does not change."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.models import QuerySet
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from playtest.jobs import lifecycle, retry
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.studio.models import Import

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
WORKERS = 3

steps = st.tuples(
    st.sampled_from(["claim", "heartbeat", "finish", "release", "cancel", "requeue"]),
    st.integers(0, WORKERS - 1),
)


@given(st.lists(steps, max_size=25))
def test_at_most_one_worker_has_the_lease(sequence: list[tuple[str, int]]) -> None:
    made = Import.objects.create(requested_at=timezone.now())
    row = Import.objects.filter(pk=made.pk)
    leases: dict[int, lifecycle.Lease] = {}
    holder: int | None = None
    status = JobStatus.WAITING
    later = timezone.now()
    for step, worker in sequence:
        mine = leases.get(worker)
        holds = mine is not None and worker == holder
        if step == "claim":
            claimed = lifecycle.claim(row)
            assert (claimed is not None) == (status == JobStatus.WAITING)
            if claimed is not None:
                leases[worker], holder, status = claimed, worker, JobStatus.RUNNING
        elif step == "cancel":
            assert lifecycle.cancel(row) == (status in UNFINISHED)
            holder, status = None, JobStatus.CANCELLED if status in UNFINISHED else status
        elif step == "requeue":
            later += 2 * HOUR
            enqueued: list[int] = []
            lifecycle.requeue_stalled(row, later, HOUR, enqueued.append)
            assert enqueued == ([made.pk] if status in UNFINISHED else [])
            holder, status = None, JobStatus.WAITING if status in UNFINISHED else status
        elif mine is not None and step == "heartbeat":
            assert _holds(mine) == holds
        elif mine is not None:
            over = JobStatus.DONE if step == "finish" else JobStatus.WAITING
            did = mine.finish(over) if step == "finish" else mine.release()
            assert did == holds
            holder, status = (None, over) if holds else (holder, status)
            leases.pop(worker)
        assert row.get().status == status


def _holds(lease: lifecycle.Lease) -> bool:
    try:
        lease.heartbeat()
    except lifecycle.Cancelled:
        return False
    return True


@pytest.mark.parametrize("made_all_the_same", [False, True])
def test_a_short_database_outage_ends_no_job(
    made_all_the_same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "_PAUSE_SECONDS", 0.0)
    for module in (lifecycle, retry):
        monkeypatch.setattr(module, "connection", _OutsideOfTransactions())
    row = Import.objects.filter(pk=Import.objects.create(requested_at=timezone.now()).pk)
    gone = _Gone(made_all_the_same)
    monkeypatch.setattr(QuerySet, "update", gone.of(QuerySet.update))
    lease = lifecycle.claim(row)
    assert lease is not None
    gone.times = 1
    lease.heartbeat(done=3)
    lease.heartbeat(done=4)
    gone.times = 2
    assert lease.finish(JobStatus.DONE)
    assert (row.get().status, row.get().done) == (JobStatus.DONE, 4)


class _OutsideOfTransactions:
    """The connection of a worker, which has none open; a test's own has."""

    in_atomic_block = False

    def close(self) -> None:
        """Nothing was opened."""


class _Gone:
    """Breaks so many updates off, before they are made or just afterwards."""

    def __init__(self, made_all_the_same: bool) -> None:
        self.times = 0
        self._made = made_all_the_same

    def of(self, update: Callable[..., int]) -> Callable[..., int]:
        def broken(row: lifecycle.Rows, **fields: object) -> int:
            if not self.times:
                return update(row, **fields)
            self.times -= 1
            if self._made:
                update(row, **fields)
            raise OperationalError("the server closed the connection unexpectedly")

        return broken
