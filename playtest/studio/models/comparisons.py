"""Levels of two versions that were compared, so that evidence of the earlier one can go on."""

from django.db import models

from playtest.studio.models.environments import Version


class LevelComparison(models.Model):
    """A level as `version` and as the earlier version `before` play it.

    `difference` says where they first differ, "" if nothing does in so many `actions`. Never changed.
    """

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="level_comparisons")
    before = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    level = models.PositiveSmallIntegerField()
    actions = models.PositiveIntegerField()
    difference = models.TextField(blank=True)
    compared_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "before", "level"], name="level_is_compared_once")
        ]
