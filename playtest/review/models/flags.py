"""Effort flags: what the rules noticed, with the figures that raised it. Derived; can be computed anew."""

from django.db import models
from django.db.models import Q

from playtest.play.models import Attempt, Session


class Strength(models.TextChoices):
    NOTE = "note", "for information"
    REVIEW = "review", "to be reviewed"
    STRONG = "strong", "strong"


class Flag(models.Model):
    """One rule's finding about a session, or about one attempt of it.

    `figures` are the numbers the `sentence` speaks of; `rule_version` names the rule set that found it.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="flags")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="flags")
    rule = models.CharField(max_length=40)
    rule_version = models.CharField(max_length=20)
    strength = models.CharField(max_length=8, choices=Strength)
    figures = models.JSONField()
    sentence = models.TextField()
    raised_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "rule", "rule_version"],
                condition=Q(attempt__isnull=False),
                name="flag_is_unique_for_an_attempt",
            ),
            models.UniqueConstraint(
                fields=["session", "rule", "rule_version"],
                condition=Q(attempt__isnull=True),
                name="flag_is_unique_for_a_session",
            ),
        ]
