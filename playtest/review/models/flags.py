"""Effort flags with the figures that raised them. They can be computed again from the journal."""

from django.db import models
from django.db.models import Q

from playtest.play.models import Attempt, Session


class Strength(models.TextChoices):
    NOTE = "note", "for information"
    REVIEW = "review", "to be reviewed"
    STRONG = "strong", "strong"


class Flag(models.Model):
    """One rule's finding about a session, or about one attempt of it.

    `figures` are the numbers in the `sentence`. `rule_version` is the rule set, `thresholds` what the study
    had changed of it (None: not recorded then). `raised_at` is the time in the session from which there was
    enough evidence, `judged_at` the time of the assessment. A flag that a later assessment does not raise,
    or raises with another result, stays with the time of that assessment in `superseded_at`.
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
