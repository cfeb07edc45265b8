"""What was done to keep the installation sound, and which processes run."""

from datetime import datetime, timedelta

from django.db import models

from playtest.people.record.links import Recorded

SILENT_AFTER = timedelta(seconds=60)


class MaintenanceKind(models.TextChoices):
    BACKUP = "backup", "backup"
    AUDIT = "audit", "audit"


class Maintenance(Recorded):
    """One backup or audit that ended, for the status page: whether it succeeded, and a sentence about it."""

    kind = models.CharField(max_length=12, choices=MaintenanceKind)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    succeeded = models.BooleanField()
    summary = models.TextField()

    class Meta:
        verbose_name_plural = "maintenance"
        indexes = [models.Index(fields=["kind", "ended_at"], name="maintenance_by_kind_and_end")]


class RunningProcess(models.Model):
    """A process of the product, as it last said: what it is, since when, of which version.

    A process that ends orderly removes its row; one that does not is seen no more (`seen_at`).
    """

    name = models.CharField(max_length=80)
    machine = models.CharField(max_length=253)
    pid = models.PositiveIntegerField()
    version = models.CharField(max_length=40)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "running processes"
        constraints = [
            models.UniqueConstraint(fields=["machine", "pid"], name="process_is_unique_on_machine")
        ]

    @property
    def kind(self) -> str:
        """Its name in the Procfile; that of a server goes on with its address."""
        return self.name.split()[0]

    def silent_for(self, at: datetime) -> timedelta | None:
        """For how long it is silent at this moment; None if it was seen within a minute."""
        silence = at - self.seen_at
        return silence if silence > SILENT_AFTER else None
