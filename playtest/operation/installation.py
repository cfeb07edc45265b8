"""The state of the installation: what runs and waits, and what of it needs attention, as sentences."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import redis
from django.apps import apps
from django.conf import settings
from django.db.models import Count
from django.utils import timezone
from redis.exceptions import RedisError

from playtest.jobs.models import UNFINISHED, Job
from playtest.operation.models import Maintenance, MaintenanceKind, RunningProcess
from playtest.play.clock import machine_now
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome

BACKUP_DUE_AFTER = timedelta(hours=36)
AUDIT_DUE_AFTER = timedelta(days=8)
LONG_QUEUE = 100
_GIGABYTE = 1e9
LEAST_GIGABYTES = 2.0


@dataclass(frozen=True)
class Status:
    """All that the page shows. `queues` is None if the broker cannot be reached."""

    at: datetime
    processes: list[RunningProcess] = field(default_factory=list)
    queues: dict[str, int] | None = None
    jobs: dict[tuple[str, str], int] = field(default_factory=dict)
    backup: Maintenance | None = None
    audit: Maintenance | None = None
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
    running = [one for one in status.processes if not one.silent_for(status.at)]
    for one in status.processes:
        if silence := one.silent_for(status.at):
            seconds = silence.total_seconds()
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


QUEUES = ("celery", "exports", "imports", "studio")
_SECONDS = 1.0


def queue_lengths() -> dict[str, int] | None:
    """The waiting calls by queue; None if the broker cannot be reached."""
    return _in_redis() if settings.REDIS_URL else _in_folder()


def _in_redis() -> dict[str, int] | None:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=_SECONDS, socket_timeout=_SECONDS
    )
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    try:
        with client, client.pipeline(transaction=False) as pipeline:
            for queue in QUEUES:
                pipeline.llen(f"{prefix}{queue}")
            return dict(zip(QUEUES, pipeline.execute(), strict=True))
    except (RedisError, OSError):
        return None


def _in_folder() -> dict[str, int]:
    """Messages are files whose names end with their queue's (`playtest.serve.broker`)."""
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    names = [path.name for path in folder.glob("*.msg")]
    return {queue: sum(name.endswith(f".{queue}.msg") for name in names) for queue in QUEUES}


def unfinished() -> dict[tuple[str, str], int]:
    """How many jobs of each kind have each status; kinds without any say 0 waiting."""
    found: dict[tuple[str, str], int] = {}
    for model in apps.get_models():
        if not issubclass(model, Job):
            continue
        kind = str(model._meta.verbose_name)
        found[kind, "waiting"] = 0
        rows = model._default_manager.filter(status__in=UNFINISHED).values_list("status")
        found |= {(kind, status): count for status, count in rows.annotate(Count("pk")).order_by()}
    return found


def status() -> Status:
    """Everything, as it is now."""
    at = machine_now()
    disk = shutil.disk_usage(settings.DATA_DIR)
    return Status(
        at=at,
        processes=list(RunningProcess.objects.order_by("machine", "name", "pid")),
        queues=queue_lengths(),
        jobs=unfinished(),
        backup=last(MaintenanceKind.BACKUP),
        audit=last(MaintenanceKind.AUDIT),
        free_bytes=disk.free,
        total_bytes=disk.total,
        faults=len(faults_of_today()),
    )


def last(kind: MaintenanceKind) -> Maintenance | None:
    """The last one of this kind that ended; None before the first."""
    return Maintenance.objects.filter(kind=kind).order_by("-ended_at").first()


def faults_of_today() -> list[Attempt]:
    """Attempts that ended today, by the center's clock, because their environment failed; newest first."""
    midnight = timezone.localtime(machine_now(), settings.CENTER_TIME_ZONE).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    found = Attempt.objects.filter(outcome=Outcome.FAULT, ended_at__gte=midnight)
    return list(found.select_related("environment").order_by("-ended_at"))


def record_maintenance(kind: MaintenanceKind, began_at: datetime, summary: str, *, succeeded: bool) -> None:
    """Stores one that has just ended."""
    Maintenance.objects.create(
        kind=kind, began_at=began_at, ended_at=machine_now(), succeeded=succeeded, summary=summary
    )
