"""The state of the installation: what runs and waits. What of it needs attention is in `trouble`."""

import shutil
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db.models import CharField, Count, Max, Value
from django.utils import timezone

from playtest.jobs.models import UNFINISHED, Job
from playtest.operation.counted import Lately, locked_sign_ins, server_errors
from playtest.operation.models import Maintenance, MaintenanceKind, RunningProcess
from playtest.people.record.signing import first_unplaced
from playtest.play.clock import machine_now
from playtest.play.journal.anchors import waiting_anchors
from playtest.play.journal.outages import last_sign
from playtest.play.models import Attempt, Event, EventKind, SignedDay
from playtest.rules.attempt import Outcome

_GIGABYTE = 1e9
SIGNED_WITHIN = timedelta(hours=26)
_OUTAGES_OF = timedelta(days=1)
_NEWEST_EVENTS = 20_000
"""No more events are read for outages: there is no index of their times."""


@dataclass(frozen=True)
class Status:
    """All that the page shows. `queues` is None if the broker cannot be reached.

    `journal_at` is the newest heartbeat of a journal, `unsigned_since` when the oldest thing that is in no
    signed day was recorded, `anchors` sentences on signed days that have not left, `outage` when the last one
    of the last day began and ended.
    """

    at: datetime
    processes: list[RunningProcess] = field(default_factory=list)
    queues: dict[str, int] | None = None
    jobs: dict[tuple[str, str], int] = field(default_factory=dict)
    backup: Maintenance | None = None
    audit: Maintenance | None = None
    free_bytes: int = 0
    total_bytes: int = 0
    journal_at: datetime | None = None
    signed_at: datetime | None = None
    unsigned_since: datetime | None = None
    anchors: tuple[str, ...] = ()
    outage: tuple[datetime, datetime] | None = None
    errors: Lately = field(default_factory=Lately)
    locked: Lately = field(default_factory=Lately)

    @property
    def running(self) -> list[RunningProcess]:
        """The processes that are not silent."""
        return [one for one in self.processes if not one.silent_for(self.at)]

    @property
    def free_gigabytes(self) -> float:
        return self.free_bytes / _GIGABYTE

    @property
    def total_gigabytes(self) -> float:
        return self.total_bytes / _GIGABYTE


QUEUES = ("celery", "exports", "imports", "studio")
_SECONDS = 1.0


def queue_lengths() -> dict[str, int] | None:
    """The waiting calls by queue; None if the broker cannot be reached."""
    return _in_redis() if settings.REDIS_URL else _in_folder()


def _in_redis() -> dict[str, int] | None:
    import redis  # only where it is used: it is slow to import

    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=_SECONDS, socket_timeout=_SECONDS
    )
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    try:
        with client, client.pipeline(transaction=False) as pipeline:
            for queue in QUEUES:
                pipeline.llen(f"{prefix}{queue}")
            return dict(zip(QUEUES, pipeline.execute(), strict=True))
    except (redis.RedisError, OSError):
        return None


def _in_folder() -> dict[str, int]:
    """Messages are files whose names end with their queue's (`playtest.serve.broker`)."""
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    names = [path.name for path in folder.glob("*.msg")]
    return {queue: sum(name.endswith(f".{queue}.msg") for name in names) for queue in QUEUES}


def unfinished() -> dict[tuple[str, str], int]:
    """How many jobs of each kind have each status; kinds without any say 0 waiting."""
    kinds = {str(model._meta.verbose_name): model for model in apps.get_models() if issubclass(model, Job)}
    counts = [
        model._default_manager.filter(status__in=UNFINISHED)
        .order_by()
        .annotate(job=Value(kind, output_field=CharField()))
        .values_list("job", "status")
        .annotate(Count("pk"))
        for kind, model in kinds.items()
    ]
    rows = counts[0].union(*counts[1:], all=True)
    return {(kind, "waiting"): 0 for kind in kinds} | {(kind, status): count for kind, status, count in rows}


def status() -> Status:
    """Everything, as it is now."""
    at = machine_now()
    folder = settings.DATA_DIR  # made by the first start
    disk = shutil.disk_usage(folder if folder.exists() else folder.anchor)
    return Status(
        at=at,
        processes=list(RunningProcess.objects.order_by("machine", "name", "pid")),
        queues=queue_lengths(),
        jobs=unfinished(),
        backup=last(MaintenanceKind.BACKUP),
        audit=last(MaintenanceKind.AUDIT),
        free_bytes=disk.free,
        total_bytes=disk.total,
        journal_at=last_sign(),
        signed_at=SignedDay.objects.aggregate(at=Max("signed_at"))["at"],
        unsigned_since=first_unplaced(),
        anchors=tuple(one.message for one in waiting_anchors(at)),
        outage=_last_outage(at),
        errors=server_errors.lately(),
        locked=locked_sign_ins.lately(),
    )


def _last_outage(at: datetime) -> tuple[datetime, datetime] | None:
    """Of the servers here: not when one session's own connection was away, nor of a study from outside."""
    newest = Event.objects.aggregate(newest=Max("pk"))["newest"] or 0
    rows = Event.objects.filter(
        pk__gt=newest - _NEWEST_EVENTS,
        kind__in=(EventKind.PAUSED, EventKind.RESUMED),
        server_time__gt=at - _OUTAGES_OF,
        details__outage=True,
        details__all=True,
        session__study__outside__isnull=True,
    )
    times = dict(rows.values_list("kind").annotate(Max("server_time")).order_by())
    began, ended = times.get(EventKind.PAUSED), times.get(EventKind.RESUMED)
    return (began, ended) if began and ended else None


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
