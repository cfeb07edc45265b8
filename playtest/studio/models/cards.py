"""Specification cards: what an environment is to be, before any code is written (report 3.2)."""

from django.conf import settings
from django.db import models

from playtest.studio.models.environments import Environment


class SpecificationCard(models.Model):
    """The card of one environment, which exists from then on and so reserves its id.

    `revision` is the number of the latest revision; a save names the one that it is based on.
    """

    environment = models.OneToOneField(Environment, on_delete=models.PROTECT, related_name="card")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    revision = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["environment__code"]


class CardRevision(models.Model):
    """One text of a card; never changed. `content` is the JSON of `rules.cards.CardContent`."""

    card = models.ForeignKey(SpecificationCard, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    digest = models.CharField(max_length=64)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "number"], name="card_revision_is_unique"),
        ]


class CardSignOff(models.Model):
    """One member of staff signed one revision. It is in force while that is the latest, unless withdrawn."""

    revision = models.ForeignKey(CardRevision, on_delete=models.CASCADE, related_name="sign_offs")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    signed_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "staff"],
                condition=models.Q(withdrawn_at=None),
                name="card_is_signed_once",
            ),
        ]


class CardComment(models.Model):
    """A comment on one revision of a card; `game` is a known game that it names as near, if any."""

    revision = models.ForeignKey(CardRevision, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    game = models.CharField(max_length=100, blank=True)
    made_at = models.DateTimeField()
