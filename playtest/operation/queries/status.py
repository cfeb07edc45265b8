"""Reads what the status page shows."""

import shutil

from django.conf import settings
from django.utils import timezone

from playtest.operation.models import Maintenance, MaintenanceKind, RunningProcess
from playtest.operation.queries.jobs import unfinished
from playtest.operation.queues import queue_lengths
from playtest.operation.status.attention import SILENT_AFTER, LastMaintenance, Process, Status
from playtest.play.clock import machine_now
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome


def status() -> Status:
    """Everything, as it is now."""
    at = machine_now()
    disk = shutil.disk_usage(settings.DATA_DIR)
    return Status(
        at=at,
        processes=[
            Process(
                row.name,
                row.machine,
                row.version,
                row.started_at,
                row.seen_at,
                at - row.seen_at > SILENT_AFTER,
            )
            for row in RunningProcess.objects.order_by("machine", "name", "pid")
        ],
        queues=queue_lengths(),
        jobs=unfinished(),
        backup=last(MaintenanceKind.BACKUP),
        audit=last(MaintenanceKind.AUDIT),
        free_bytes=disk.free,
        total_bytes=disk.total,
        faults=len(faults_of_today()),
    )


def last(kind: MaintenanceKind) -> LastMaintenance | None:
    """The last one of this kind that ended; None before the first."""
    row = Maintenance.objects.filter(kind=kind).order_by("-ended_at").first()
    return LastMaintenance(row.ended_at, row.succeeded, row.summary) if row else None


def faults_of_today() -> list[Attempt]:
    """Attempts that ended today, by the center's clock, because their environment failed; newest first."""
    midnight = timezone.localtime(machine_now(), settings.CENTER_TIME_ZONE).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    found = Attempt.objects.filter(outcome=Outcome.FAULT, ended_at__gte=midnight)
    return list(found.select_related("environment").order_by("-ended_at"))
