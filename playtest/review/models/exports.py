"""Files made from the journal on request, by the worker, with progress."""

from django.conf import settings
from django.db import models

from playtest.play.models import Attempt, Study


class ExportKind(models.TextChoices):
    MP4 = "mp4", "MP4 video"
    WEBM = "webm", "WebM video"
    GIF = "gif", "GIF animation"
    STUDY_PARQUET = "study_parquet", "study data as Parquet"
    STUDY_CSV = "study_csv", "study data as CSV"


class ExportState(models.TextChoices):
    WAITING = "waiting", "waiting"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class Export(models.Model):
    """One file in the making. `progress` goes from 0 to 1; `file` is a name below DATA_DIR/exports.

    `heard_at`: the last sign of life of who makes it, or of who had it made again.
    """

    kind = models.CharField(max_length=16, choices=ExportKind)
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="exports")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, related_name="exports")
    options = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=ExportState, default=ExportState.WAITING)
    progress = models.FloatField(default=0.0)
    file = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    requested_at = models.DateTimeField()
    heard_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
