"""The keys by which agents identify themselves, and the scores that were disclosed to them."""

from django.conf import settings
from django.db import models

from playtest.studio.models.environments import ReleaseSet


class ApiKey(models.Model):
    """A key, stored as its SHA-256 only. `hint` is its last four characters, to tell keys apart.

    `sets` names the release sets (`ReleaseSet`) whose environments it may play. `per_minute` is the most
    requests a minute. A revoked key stays, with what it did.
    """

    name = models.CharField(max_length=100)
    key_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=4)
    sets = models.JSONField(default=list)
    per_minute = models.PositiveIntegerField(default=600)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return f"{self.name} (…{self.hint})"


class KeyChange(models.Model):
    """A change of a key, with the sets and the limit that it had from then on. Rows are only added.

    `staff` is None for a command of the server.
    """

    class Kind(models.TextChoices):
        CREATED = "created", "created"
        CHANGED = "changed", "changed"
        REVOKED = "revoked", "revoked"

    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(max_length=16, choices=Kind)
    sets = models.JSONField(default=list)
    per_minute = models.PositiveIntegerField()
    at = models.DateTimeField()
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["at", "pk"]


class KeyDay(models.Model):
    """How many requests a key made on a day (UTC), and how many more were refused for its limit.

    A few seconds late; a process that is killed loses what it had not yet stored.
    """

    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="days")
    day = models.DateField()
    requests = models.PositiveBigIntegerField(default=0)
    refused = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["-day"]
        constraints = [models.UniqueConstraint(fields=["key", "day"], name="key_has_one_row_a_day")]


class Disclosure(models.Model):
    """A score over environments of one set that was told to a key, or shown on a board.

    A card discloses one score a set, however often it is told: telling it again says nothing new.
    """

    card = models.ForeignKey("arena.Scorecard", on_delete=models.PROTECT, related_name="disclosures")
    release_set = models.CharField(max_length=16, choices=ReleaseSet)
    environments = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["card", "release_set"], name="score_is_disclosed_once_per_card_and_set"
            )
        ]
