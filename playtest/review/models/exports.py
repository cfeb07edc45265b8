"""Files that a worker makes from the journal on request."""

from django.db import models

from playtest.jobs.models import Job, Request
from playtest.play.models import Attempt, Study


class ExportKind(models.TextChoices):
    MP4 = "mp4", "MP4 video"
    WEBM = "webm", "WebM video"
    GIF = "gif", "GIF animation"
    STUDY_PARQUET = "study_parquet", "study data as Parquet"
    STUDY_CSV = "study_csv", "study data as CSV"
    RUNS_PARQUET = "runs_parquet", "runs as Parquet"
    RUNS_CSV = "runs_csv", "runs as CSV"


RUN_KINDS = (ExportKind.RUNS_PARQUET, ExportKind.RUNS_CSV)
"""Exports of agents' runs, which the arena makes and lists. Their rows stay as a record."""


class Export(Job, Request):
    """A requested file, with `done` of `total` frames or attempts. `file` is below DATA_DIR/exports."""

    kind = models.CharField(max_length=16, choices=ExportKind)
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="exports")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, related_name="exports")
    options = models.JSONField(default=dict)
    file = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True)
