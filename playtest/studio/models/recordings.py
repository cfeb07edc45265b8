"""Recordings of a version by its developer, an exploration or a finding."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.studio.models.environments import Version


class RecordingKind(models.TextChoices):
    WIN = "win", "win"
    LOSS = "loss", "loss"
    UNFINISHED = "unfinished", "unfinished"
    OPTIMAL = "optimal", "shortest win of a level"
    FINDING = "finding", "finding of a check"


DEVELOPERS = (RecordingKind.WIN, RecordingKind.LOSS, RecordingKind.UNFINISHED)
"""The kinds that come beside a source. Explorations and qualifications store the others."""


class Recording(Recorded):
    """Actions that play the same again from `seed`, begun on `level` (1 for the whole environment).

    `actions` is a list of [id, x, y] (x, y null but for a click), without the opening, up to the win if there
    is one; `state_hashes` the hex state hash after the opening and after each action, empty where the
    recording came without them, as are `milliseconds` since the opening. `levels_completed` after the opening
    and after each action, empty where it does not play as recorded. `as_arcengine`: it is played by
    arcengine's rules, not by those for people (`engine.play.game.Game.start`). `remark`: what playing it
    showed, in sentences. `digest` tells one file from another.
    """

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="recordings")
    kind = models.CharField(max_length=16, choices=RecordingKind)
    name = models.CharField(max_length=100)
    seed = models.PositiveIntegerField(default=0)
    level = models.PositiveSmallIntegerField(default=1)
    actions = models.JSONField()
    state_hashes = models.JSONField(default=list)
    milliseconds = models.JSONField(default=list)
    levels_completed = models.JSONField(default=list)
    as_arcengine = models.BooleanField(default=False)
    remark = models.TextField(blank=True)
    digest = models.CharField(max_length=32, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "kind", "name"], name="recording_is_unique_by_name")
        ]


class RecordingChange(Recorded):
    """The removal of a developer's recording, or the change of its type. A row is never changed.

    `after` is empty for a removal. `digest` is that of the file it came from, so that the same file does not
    bring back what was removed.
    """

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="recording_changes")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=32, blank=True)
    actions = models.PositiveIntegerField()
    before = models.CharField(max_length=16, choices=RecordingKind)
    after = models.CharField(max_length=16, choices=RecordingKind, blank=True)
    reason = models.TextField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    changed_at = models.DateTimeField()
