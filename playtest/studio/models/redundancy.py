"""Pairs of candidates that somebody holds to be redundant, and what a second person says of it."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from playtest.people.record.links import Recorded
from playtest.studio.models.environments import Environment


class RedundancyMark(Recorded):
    """A claim that two environments are redundant; never changed. The smaller id is `first`.

    Its answers say where it stands: open without any, then agreed to, and lifted for good.
    """

    first = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    marked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="redundant_pair_is_in_order"),
        ]


class RedundancyAnswer(Recorded):
    """Another person agrees to a mark or lifts it, each at most once; never changed."""

    mark = models.ForeignKey(RedundancyMark, on_delete=models.PROTECT, related_name="answers")
    agrees = models.BooleanField()
    reason = models.TextField()
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["mark", "agrees"], name="redundancy_is_answered_once"),
        ]
