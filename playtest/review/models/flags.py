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

    `figures` are the numbers the `sentence` speaks of; `rule_version` names the rule set that found it, and
    `thresholds` what the study had changed of that set's own (None: not kept then). `raised_at` is the moment
    in the sitting from which there was enough to see; `judged_at` when the rules saw it. A flag that a later
    look does not find, or finds otherwise, stays with the moment of that look in `superseded_at`.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="flags")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="flags")
    rule = models.CharField(max_length=40)
    rule_version = models.CharField(max_length=20)
    thresholds = models.JSONField(null=True)
    strength = models.CharField(max_length=8, choices=Strength)
    figures = models.JSONField()
    sentence = models.TextField()
    raised_at = models.DateTimeField()
    judged_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "rule"],
                condition=Q(attempt__isnull=False, superseded_at__isnull=True),
                name="flag_stands_once_for_an_attempt",
            ),
            models.UniqueConstraint(
                fields=["session", "rule"],
                condition=Q(attempt__isnull=True, superseded_at__isnull=True),
                name="flag_stands_once_for_a_session",
            ),
        ]
