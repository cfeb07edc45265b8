"""Baseline releases: the human baseline of a version as it was published."""

from typing import Any

from django.conf import settings
from django.db import models

from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.studio.models import Version


class Release(models.Model):
    """A released baseline of a version, numbered from 1 in its environment. It never changes.

    `levels` is a list with one object a level: level, completers, upper_median, best, fewest_known,
    fewest_is_proven, low, high; early ones have `optimal` for `fewest_known` and no
    `fewest_is_proven`.
    `people` counted, of as many `asked` for by the protocol. `inputs_digest` is the SHA-256 of the inputs at
    that moment (`baseline.releases.inputs_csv` is the form).
    """

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="releases")
    environment = models.ForeignKey("studio.Environment", on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveSmallIntegerField()
    rule_version = models.CharField(max_length=16)
    people = models.PositiveIntegerField()
    asked = models.PositiveIntegerField()
    levels = models.JSONField()
    inputs_digest = models.CharField(max_length=64)
    note = models.TextField(blank=True, db_column="words")
    released_at = models.DateTimeField()
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["environment", "number"], name="release_is_unique_by_number")
        ]

    def __str__(self) -> str:
        return f"{self.environment} baseline {self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        """Only a new one. Refusal: release_frozen."""
        if not self._state.adding:
            raise self._frozen()
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """Refusal: release_frozen, always."""
        raise self._frozen()

    @property
    def provisional(self) -> bool:
        """Whether fewer people counted than the protocol asked for."""
        return self.people < self.asked

    def _frozen(self) -> Refusal:
        message = f"Baseline {self.number} is released and cannot be changed. Release another one instead."
        return Refusal("release_frozen", message)


class ReleaseInput(models.Model):
    """A level of one attempt in a release's scope. A withdrawal of the person deletes it."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="inputs")
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="+")
    level = models.PositiveSmallIntegerField()
    actions = models.PositiveIntegerField()
    counted = models.BooleanField()
    why_out = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "attempt", "level"], name="release_input_is_unique")
        ]
