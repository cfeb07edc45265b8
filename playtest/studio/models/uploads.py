"""Environments that came through the browser, and what became of each."""

from django.conf import settings
from django.db import models

from playtest.studio.models.runs import RunStatus


class Upload(models.Model):
    """What one person uploaded at once. Its files lie below DATA_DIR/uploads until it is over.

    `names` are those of the files; `done` of `total` sources are behind it; `results` one {"id", "status",
    "reason"} each; `error` is "code: sentence"; `heard_at` the last sign of life of who imports it.
    """

    names = models.JSONField(default=list)
    status = models.CharField(max_length=12, choices=RunStatus, default=RunStatus.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    results = models.JSONField(default=list)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    requested_at = models.DateTimeField()
    heard_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
