"""What needs somebody's attention, as sentences: pure, from what the queries have read."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

SILENT_AFTER = timedelta(seconds=60)
BACKUP_DUE_AFTER = timedelta(hours=36)
AUDIT_DUE_AFTER = timedelta(days=8)
LONG_QUEUE = 100
_GIGABYTE = 1e9
LEAST_GIGABYTES = 2.0


@dataclass(frozen=True)
class Process:
    """One process as it last said, and whether it still does."""

    name: str
    machine: str
    version: str
    started_at: datetime
    seen_at: datetime
    silent: bool


@dataclass(frozen=True)
class LastMaintenance:
    """The last backup or audit."""

    ended_at: datetime
    succeeded: bool
    summary: str


@dataclass(frozen=True)
class Status:
    """All that the page shows. `queues` is None if the broker cannot be reached."""

    at: datetime
    processes: list[Process] = field(default_factory=list)
    queues: dict[str, int] | None = None
    jobs: dict[tuple[str, str], int] = field(default_factory=dict)
    backup: LastMaintenance | None = None
    audit: LastMaintenance | None = None
    free_bytes: int = 0
    total_bytes: int = 0
    faults: int = 0

    @property
    def free_gigabytes(self) -> float:
        return self.free_bytes / _GIGABYTE

    @property
    def total_gigabytes(self) -> float:
        return self.total_bytes / _GIGABYTE


def sentences(status: Status) -> list[str]:
    """What needs attention; empty if all is well."""
    return [*_of_processes(status), *_of_queues(status), *_of_record(status), *_of_disk(status)]


def _of_processes(status: Status) -> Iterator[str]:
    running = [one for one in status.processes if not one.silent]
    for one in status.processes:
        if one.silent:
            seconds = (status.at - one.seen_at) / timedelta(seconds=1)
            yield f"{one.name} on {one.machine} is silent for {seconds:.0f} s. See its log and restart it."
    for kind, meaning in (
        ("web", "serves nobody"),
        ("worker", "ends no overdue session"),
        ("beat", "starts no job"),
    ):
        if not any(one.name.split()[0] == kind for one in running):
            yield f"No process {kind} runs, so the installation {meaning}."
    versions = sorted({one.version for one in running})
    if len(versions) > 1:
        yield f"The processes run different versions: {', '.join(versions)}. Restart those of the older one."


def _of_queues(status: Status) -> Iterator[str]:
    if status.queues is None:
        yield "The broker of the queues cannot be reached, so no worker gets a job. Check REDIS_URL."
        return
    for queue, length in status.queues.items():
        if length > LONG_QUEUE:
            yield f"{length} calls wait in the queue {queue}. Look whether its workers run."


def _of_record(status: Status) -> Iterator[str]:
    if status.backup is None:
        yield "There is no backup yet. Run: manage.py backup --to DIR"
    elif status.at - status.backup.ended_at > BACKUP_DUE_AFTER:
        yield "The last backup is older than a day and a half. Run: manage.py backup --to DIR"
    if status.audit is None:
        yield "The record was never audited here. Run: manage.py audit"
    elif not status.audit.succeeded:
        yield f"The last audit found something: {status.audit.summary}. Run it again: manage.py audit"
    elif status.at - status.audit.ended_at > AUDIT_DUE_AFTER:
        yield "The last audit is older than a week. Run: manage.py audit"


def _of_disk(status: Status) -> Iterator[str]:
    if status.free_gigabytes < LEAST_GIGABYTES:
        yield f"Only {status.free_gigabytes:.1f} GB are free on the disk of DATA_DIR. Free some space."
