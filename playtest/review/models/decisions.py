"""Reviewers' decisions. Rows are only added: a reversal is also a decision."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from playtest.play.models import Attempt, Session


class DecisionKind(models.TextChoices):
    KEEP = "keep", "keep everything"
    EXCLUDE_ATTEMPT = "exclude_attempt", "exclude this attempt"
    EXCLUDE_FROM = "exclude_from", "exclude this attempt from a moment on"
    EXCLUDE_SESSION = "exclude_session", "exclude the whole session"
    REVERSE = "reverse", "reverse an earlier decision"


class Decision(models.Model):
    """One reviewer's decision about a session or one of its attempts.

    `answers` is the first reviewer's exclusion to which this is the second verdict, given without seeing it.
    `confirms` is the same exclusion where both agree; then it is in force, else it is not. Both verdicts
    stay. `reverses` is the decision that is no longer in force.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="decisions")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="decisions")
    kind = models.CharField(max_length=16, choices=DecisionKind)
    from_seq = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=40)
    explanation = models.TextField(blank=True, db_column="words")
    rule_version = models.CharField(max_length=20)
    needs_confirmation = models.BooleanField(default=False)
    confirms = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="confirmed_by")
    answers = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="answered_by")
    reverses = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="reversed_by")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=DecisionKind.EXCLUDE_FROM, from_seq__isnull=False)
                | (~Q(kind=DecisionKind.EXCLUDE_FROM) & Q(from_seq__isnull=True)),
                name="only_exclude_from_has_a_moment",
            ),
            models.CheckConstraint(
                condition=Q(kind=DecisionKind.REVERSE, reverses__isnull=False)
                | (~Q(kind=DecisionKind.REVERSE) & Q(reverses__isnull=True)),
                name="only_a_reversal_reverses",
            ),
        ]
