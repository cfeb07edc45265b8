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


class Opening(models.TextChoices):
    """Why a session was reviewed, as it was when the first verdict was given."""

    FLAGS = "flags", "its effort flags"
    DRAW = "draw", "drawn at random"
    REVIEWER = "reviewer", "a reviewer opened it"
    REVERSAL = "reversal", "an earlier decision was reversed"


class Decision(models.Model):
    """One reviewer's verdict about a session: everything, or some of its attempts.

    A verdict that leaves out several attempts has a row for each: the first is its head, and the others are
    `part_of` it. The following is said by heads alone, but for `confirms`, which every row has.

    `needs_confirmation`: two reviewers judge, each without seeing the other's verdict. `answers` is the first
    verdict to which this is the second one. `confirms` is the same row of the first verdict where both
    agree; then the first verdict is in force. Else `settles` is how a third reviewer, who has read both,
    settles it: it names the second verdict and is in force. All verdicts stay. `reverses` is the decision
    that is no longer in force. `opened_by` is said of first verdicts; empty where it was not recorded.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="decisions")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="decisions")
    kind = models.CharField(max_length=16, choices=DecisionKind)
    from_seq = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=40)
    explanation = models.TextField(blank=True, db_column="words")
    rule_version = models.CharField(max_length=20)
    opened_by = models.CharField(max_length=8, choices=Opening, blank=True)
    needs_confirmation = models.BooleanField(default=False)
    part_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="parts")
    confirms = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="confirmed_by")
    answers = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="answered_by")
    settles = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="settled_by")
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
