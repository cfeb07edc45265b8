"""Moves between stages, who made them, why and on what evidence; and what a gate was waived of, and why."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.rules.pipeline import NEEDS, Need, Stage
from playtest.studio.models.environments import Environment, Version

_STAGES = [(stage.value, stage.value) for stage in Stage]


class StageMove(Recorded):
    """One move; never changed. `evidence` is what the gate said at that moment, as plain data."""

    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="moves")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, null=True, related_name="+")
    before = models.CharField(max_length=16, choices=_STAGES)
    after = models.CharField(max_length=16, choices=_STAGES)
    reason = models.TextField(blank=True, db_column="words")
    evidence = models.JSONField(default=dict)
    moved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    moved_at = models.DateTimeField()


class WaiverState(models.TextChoices):
    ASKED = "asked", "asked for"
    GRANTED = "granted", "granted"
    ENDED = "ended", "refused or ended"


class GateWaiver(Recorded):
    """A step of a waiver: asked for by anybody who describes environments, granted or ended by a lead.

    No row changes: the newest one of an environment, need and version says how it stands. `version` is None
    of a need about the environment: it holds for every version. `by` is None where the installation did it.
    """

    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="waivers")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, null=True, related_name="+")
    need = models.CharField(max_length=16, choices=[(need.value, need.value) for need in Need])
    state = models.CharField(max_length=8, choices=WaiverState)
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.environment_id}, {self.need}, {self.state}"

    @property
    def what(self) -> str:
        """What the environment goes without."""
        return NEEDS[Need(self.need)]
