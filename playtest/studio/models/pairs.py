"""Pairs of candidates that are redundant."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from playtest.studio.models.environments import Environment


class RedundantPair(models.Model):
    """Two environments that somebody compared and marked; the smaller id is `first`."""

    first = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="+")
    reason = models.TextField(db_column="words")
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    marked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="redundant_pair_is_unique"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="redundant_pair_is_in_order"),
        ]
