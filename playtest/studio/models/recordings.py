"""Recordings of a version that no person made in a sitting: its developer's, a search's, a finding's."""

from django.db import models

from playtest.studio.models.environments import Version


class RecordingKind(models.TextChoices):
    WIN = "win", "win"
    LOSS = "loss", "loss"
    OPTIMAL = "optimal", "shortest way through a level"
    FINDING = "finding", "what a check found"


class Recording(models.Model):
    """Actions that play the same again from `seed`, begun on `level` (1 for the whole environment).

    `actions` is a list of [id, x, y] (x, y null but for a click), without the opening; `state_hashes` the hex
    state hash after the opening and after each action, empty where the recording came without them, as are
    `milliseconds` since the opening and `levels_completed`: what it says of the opening and of each action.
    """

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="recordings")
    kind = models.CharField(max_length=8, choices=RecordingKind)
    name = models.CharField(max_length=100)
    seed = models.PositiveIntegerField(default=0)
    level = models.PositiveSmallIntegerField(default=1)
    actions = models.JSONField()
    state_hashes = models.JSONField(default=list)
    milliseconds = models.JSONField(default=list)
    levels_completed = models.JSONField(default=list)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "kind", "name"], name="recording_is_unique_by_name")
        ]
