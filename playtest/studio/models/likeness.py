"""How alike two versions are, as measured."""

from django.db import models

from playtest.studio.models.environments import Version


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
