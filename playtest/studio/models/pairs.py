"""Two candidates that are too much alike."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from playtest.studio.models.environments import Environment


class RedundantPair(models.Model):
    """Marked by somebody who compared them; the smaller id is `first`."""

    first = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="+")
    words = models.TextField()
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    marked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="redundant_pair_is_unique"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="redundant_pair_is_in_order"),
        ]
