"""Environments and their versions. A version is its source's digest and never changes."""

from django.conf import settings
from django.db import models

from playtest.rules.pipeline import Stage


class ReleaseSet(models.TextChoices):
    """The purpose of a finished environment (report 3.5)."""

    NONE = "none", "none"
    PUBLIC = "public", "public demonstration"
    SEMI_PRIVATE = "semi_private", "semi-private"
    PRIVATE = "private", "fully private"


class Environment(models.Model):
    """A candidate environment, named by its four-character id; the title is for staff only."""

    code = models.CharField(max_length=4, unique=True)
    title = models.CharField(max_length=100, blank=True)
    note = models.TextField(blank=True)
    current = models.ForeignKey("Version", on_delete=models.PROTECT, null=True, related_name="+")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    release_set = models.CharField(max_length=16, choices=ReleaseSet, default=ReleaseSet.NONE)
    stage = models.CharField(
        max_length=16,
        choices=[(stage.value, stage.value) for stage in Stage],
        default=Stage.SPECIFICATION.value,
    )

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.code


class Version(models.Model):
    """One immutable source of an environment, kept whole so that every attempt on it can be rebuilt.

    A draft is what an author is working on (`manage.py watch`): never the current version, and replaced by
    the next draft as long as nothing was done with it.
    """

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
    is_draft = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["environment", "digest"], name="version_is_unique_by_digest")
        ]

    def __str__(self) -> str:
        return f"{self.environment_id}-{self.digest[:8]}"


class FirstFrame(models.Model):
    """A level's first frame, by which a version is recognised; 2,048 bytes (`engine.frames.pack`).

    It follows from the version, goes with it, and can be drawn again (`services.first_frames`).
    """

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="first_frames")
    level = models.PositiveSmallIntegerField()
    frame = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "level"], name="first_frame_is_unique_by_level")
        ]

    def __str__(self) -> str:
        return f"{self.version_id}, level {self.level}"
