"""Voided attempts. Rows are only added: a reversal is a row, too. Triggers refuse changes."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.play.models import Attempt


class VoidReason(models.TextChoices):
    """Why an attempt is void."""

    WRONG_PERSON = "wrong_person", "the wrong person played"
    DISTURBED = "disturbed", "the participant was disturbed or unwell"
    TECHNICAL = "technical", "technical trouble, not the participant's doing"
    BROKE_RULES = "broke_rules", "the participant broke the rules"
    OTHER = "other", "another reason"


class Void(Recorded):
    """An attempt was voided: it is not part of any result until a reviewer reverses this.

    The journal of the attempt stays as it is. `text` explains the reason in one line.
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="voids")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=16, choices=VoidReason)
    text = models.TextField(blank=True)
    voided_at = models.DateTimeField()


class VoidReversal(Recorded):
    """A reviewer reversed a void: the attempt counts as if it had not been voided."""

    void = models.OneToOneField(Void, on_delete=models.PROTECT, related_name="reversal")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    reversed_at = models.DateTimeField()
