"""What people said of an environment after they had played it."""

from django.db import models
from django.db.models import Q

from playtest.play.models.sitting import Attempt
from playtest.rules.debrief import MOST_LETTERS, STEPS


class Debrief(models.Model):
    """The answers to the two questions about an attempt (`rules.debrief`); no row where both were skipped.

    They are of the person who played: staff read them, and no other participant does. The person may correct
    them until the page has moved on (`play.debriefs`).
    """

    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="debrief")
    difficulty = models.PositiveSmallIntegerField(null=True)
    about = models.CharField(max_length=MOST_LETTERS, blank=True)
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(difficulty__in=tuple(STEPS)), name="debrief_has_five_steps"),
            models.CheckConstraint(
                condition=Q(difficulty__isnull=False) | ~Q(about=""), name="debrief_says_something"
            ),
        ]

    @property
    def step(self) -> str:
        """The chosen answer in words; "" where it was skipped."""
        return STEPS.get(self.difficulty or 0, "")
