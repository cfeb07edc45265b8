"""The columns of a job. A room makes its own models of these."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone


class JobStatus(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


UNFINISHED = (JobStatus.WAITING, JobStatus.RUNNING)
LATELY = timedelta(days=7)
"""So long homes name what failed."""


class JobState(models.Model):
    """How far something is, and how it ended: `done` counts what is finished, `error` is "code: sentence"."""

    status = models.CharField(max_length=12, choices=JobStatus, default=JobStatus.WAITING)
    done = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class Job(JobState):
    """Work for one worker (`playtest.jobs.lifecycle`).

    `heartbeat_at` is the last heartbeat of the worker that holds the lease, or when the job began to wait.
    """

    heartbeat_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True


class Request(JobState):
    """What somebody asked for: it is at `done` of `total`."""

    total = models.PositiveBigIntegerField(default=0)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    requested_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
