"""Preregistrations of studies, and where they were deposited."""

from django.conf import settings
from django.db import models

from playtest.play.models import Study


class Preregistration(models.Model):
    """What a study registered, numbered from 1 in it. It never changes; a later one is an amendment.

    `document` is `rules.preregistration.Registered` as JSON, `digest` the SHA-256 of its canonical form.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="preregistrations")
    number = models.PositiveSmallIntegerField()
    document = models.JSONField()
    digest = models.CharField(max_length=64)
    registered_at = models.DateTimeField()
    registered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="preregistration_is_unique_by_number")
        ]

    def __str__(self) -> str:
        return f"{self.study} preregistration {self.number}"


class RegistryLink(models.Model):
    """Where a preregistration was deposited. Rows are only added; the last one holds."""

    preregistration = models.ForeignKey(Preregistration, on_delete=models.PROTECT, related_name="links")
    address = models.URLField(max_length=500)
    added_at = models.DateTimeField()
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
