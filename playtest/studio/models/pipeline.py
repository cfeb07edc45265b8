"""Moves between stages: who made them, when, why, and on what evidence."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.rules.pipeline import Stage
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
