"""Long computations on one version: qualification, divided over workers, and the search of state graphs."""

from django.conf import settings
from django.db import models

from playtest.studio.models.environments import Version


class RunStatus(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


UNFINISHED = (RunStatus.WAITING, RunStatus.RUNNING)


class Run(models.Model):
    """`seed` repeats it exactly; `done` of `total` steps are behind it; `error` is "code: sentence"."""

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="%(class)ss")
    seed = models.PositiveBigIntegerField()
    status = models.CharField(max_length=12, choices=RunStatus, default=RunStatus.WAITING)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    requested_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class Qualification(Run):
    """`steps` is what the regimes were scaled to; `full` whether that is the whole of them.

    `report` is `engine.qualify`'s: {"passed", "checks": [{"code", "passed", "message", "mend", ...}]}.
    """

    steps = models.JSONField(default=dict)
    full = models.BooleanField(default=False)
    passed = models.BooleanField(null=True)
    report = models.JSONField(default=dict)


class QualificationPart(models.Model):
    """A share of one regime that one worker does: `steps` random steps from `seed`; what it found.

    `heard_at` is the worker's last sign of life.
    """

    qualification = models.ForeignKey(Qualification, on_delete=models.CASCADE, related_name="parts")
    regime = models.CharField(max_length=24)
    number = models.PositiveSmallIntegerField()
    seed = models.PositiveBigIntegerField()
    steps = models.PositiveBigIntegerField()
    done = models.PositiveBigIntegerField(default=0)
    status = models.CharField(max_length=12, choices=RunStatus, default=RunStatus.WAITING)
    findings = models.JSONField(default=list)
    heard_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["qualification", "regime", "number"], name="qualification_part_is_unique"
            )
        ]


class Exploration(Run):
    """The state graph of one level: `limits` it was searched within, `report` as `engine.graph` tells it.

    `graph` holds nodes and edges of a graph small enough to draw, else nothing.
    """

    level = models.PositiveSmallIntegerField()
    limits = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    graph = models.JSONField(default=dict)
