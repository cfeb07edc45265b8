"""Environments and their versions. A version is its source's digest and never changes."""

from collections.abc import Sequence
from typing import Any, Self

from django.conf import settings
from django.db import models

from engine.errors import SourceError
from playtest.people.record.links import Recorded, RecordedQuerySet
from playtest.rules.kinds import Kind
from playtest.rules.pipeline import WITH_PEOPLE, Stage
from playtest.rules.spreadsheets import misread

LONGEST_CODE = 32


class ReleaseSet(models.TextChoices):
    """The purpose of a finished environment (report 3.5)."""

    NONE = "none", "none"
    PUBLIC = "public", "public demonstration"
    SEMI_PRIVATE = "semi_private", "semi-private"
    PRIVATE = "private", "fully private"


HELD_OUT = (ReleaseSet.SEMI_PRIVATE, ReleaseSet.PRIVATE)
"""The sets that nobody may have seen who is tested with them."""


class KindField(models.CharField):  # type: ignore[type-arg]
    """Whether it is of interactive environments or of static tasks; read as a `Kind`."""

    _pyi_private_set_type: Kind
    _pyi_private_get_type: Kind

    def __init__(self, **options: Any) -> None:
        kinds = [(kind.value, kind.terms.label) for kind in Kind]
        usual = {"max_length": 12, "choices": kinds, "db_default": Kind.INTERACTIVE.value}
        super().__init__(**{**usual, "default": Kind.INTERACTIVE, **options})

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options

    def from_db_value(self, value: str | None, *_: Any) -> Kind | None:
        return None if value is None else Kind(value)


class EnvironmentQuerySet(RecordedQuerySet["Environment"]):
    def interactive(self) -> Self:
        return self.filter(kind=Kind.INTERACTIVE)

    def tasks(self) -> Self:
        return self.filter(kind=Kind.TASK)

    def sent_back(self) -> Self:
        """Those that the public could play until they were moved back; what never came so far is none."""
        return self.exclude(stage__in=WITH_PEOPLE).filter(moves__before__in=WITH_PEOPLE).distinct()


class Environment(Recorded):
    """A candidate environment of either kind, named by its id; the title is for staff only.

    The id of an interactive environment has four characters; that of a task is the name of its file.
    """

    code = models.CharField(max_length=LONGEST_CODE, unique=True)
    kind = KindField()
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

    objects = EnvironmentQuerySet.as_manager()  # type: ignore[misc]  # a plug-in adds `objects` to the base class

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.code

    def save(self, *args: Any, **options: Any) -> None:
        """Raises SourceError id_misread for a new one. Official tasks have ids that look like numbers."""
        if self._state.adding and (why := misread(self.code, numbers=self.kind is not Kind.TASK)):
            raise SourceError("id_misread", why, file=self.code)
        super().save(*args, **options)


class Version(Recorded):
    """One immutable source of an environment, kept whole so that every attempt on it can be rebuilt.

    A draft is what an author is working on (`manage.py watch`): never the current version, and replaced by
    the next draft as long as nothing was done with it.

    Of a static task, `source` is its canonical JSON (`engine.tasks.task.Task.text`), with the solutions, and
    `levels` counts its test inputs; it has no class and no actions.
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

    @property
    def kind(self) -> Kind:
        """Its environment's, without asking it: a static task has no class."""
        return Kind.INTERACTIVE if self.class_name else Kind.TASK


class FirstFrame(models.Model):
    """A level's first frame, by which a version is recognised; 2,048 bytes (`engine.play.frames.pack`).

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
