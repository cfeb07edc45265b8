"""How alike versions are, as measured and as compared, and environments that people hold to be redundant."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from playtest.people.record.links import Recorded
from playtest.studio.models.environments import Environment, Version


class Likeness(models.Model):
    """The measures of `rules.likeness` for a pair, the smaller key first; it can be measured again.

    `solved`: the levels that a win of one completes in the other, the larger number; None: not tried.
    """

    first = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    appearance = models.FloatField()
    effects = models.FloatField()
    program = models.FloatField()
    whole = models.FloatField()
    solved = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="pair_is_measured_once")]

    def __str__(self) -> str:
        return f"{self.first_id}, {self.second_id}: {self.whole:.2f}"


class LevelComparison(models.Model):
    """A level as `version` and as the earlier version `before` play it.

    `difference` says where they first differ, "" if nothing does in so many `actions`. Never changed.
    """

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="level_comparisons")
    before = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    level = models.PositiveSmallIntegerField()
    actions = models.PositiveIntegerField()
    difference = models.TextField(blank=True)
    compared_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "before", "level"], name="level_is_compared_once")
        ]


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
