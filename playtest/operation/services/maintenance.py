"""Stores which backups and audits were made."""

from datetime import datetime

from playtest.operation.models import Maintenance, MaintenanceKind
from playtest.play.clock import machine_now


def record_maintenance(kind: MaintenanceKind, began_at: datetime, summary: str, *, succeeded: bool) -> None:
    """Stores one that has just ended."""
    Maintenance.objects.create(
        kind=kind, began_at=began_at, ended_at=machine_now(), succeeded=succeeded, summary=summary
    )
