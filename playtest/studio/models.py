"""Environments and their versions. A version is its source's digest and never changes."""

from django.db import models


class Environment(models.Model):
    """A candidate environment, named by its four-character id; the title is for staff only."""

    code = models.CharField(max_length=4, unique=True)
    title = models.CharField(max_length=100, blank=True)
    note = models.TextField(blank=True)
    current = models.ForeignKey("Version", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.code


class Version(models.Model):
    """One immutable source of an environment, kept whole so that every attempt on it can be rebuilt."""

    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="versions")
    digest = models.CharField(max_length=64)
    game_id = models.CharField(max_length=64)
    class_name = models.CharField(max_length=100)
    source = models.TextField()
    metadata = models.JSONField()
    default_fps = models.PositiveSmallIntegerField()
    levels = models.PositiveSmallIntegerField()
    available_actions = models.JSONField()
    imported_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["environment", "digest"], name="version_is_unique_by_digest")
        ]

    def __str__(self) -> str:
        return f"{self.environment_id}-{self.digest[:8]}"
