"""A study: the campaign and its protocol settings. Defaults are the protocol of FACTS 3."""

from decimal import Decimal

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models

from playtest.rules.limits import Limits
from playtest.studio.models import Environment

CONSENT_TEXT = (
    "You will play a series of short, unfamiliar computer games for up to 90 minutes. Nobody will tell you"
    " the rules: finding out is part of it.\n\n"
    "We record each key press and click in the games and when you made it, and your answers to a few"
    " optional questions. We do not record your name, your face or your voice with them.\n\n"
    "Taking part is voluntary. You can stop at any time and you can ask us later to delete what we"
    " recorded."
)


PRESCRIBED = (
    "soft_seconds",
    "hard_seconds",
    "session_seconds",
    "target_people",
    "fee",
    "bonus",
    "consent_text",
    "effort",
)
"""What a study prescribes, beside its pool: a change of it after the first session needs a reason."""


class Study(models.Model):
    name = models.CharField(max_length=100, unique=True)
    pool = models.ManyToManyField(Environment, related_name="studies")
    soft_seconds = models.PositiveIntegerField(default=20 * 60, validators=[MinValueValidator(1)])
    hard_seconds = models.PositiveIntegerField(default=30 * 60, validators=[MinValueValidator(1)])
    session_seconds = models.PositiveIntegerField(default=90 * 60, validators=[MinValueValidator(1)])
    target_people = models.PositiveSmallIntegerField(default=10, validators=[MinValueValidator(1)])
    fee = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal("115.00"))
    bonus = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal("5.00"))
    consent_text = models.TextField(default=CONSENT_TEXT)
    effort = models.JSONField(default=dict, blank=True)  # thresholds that differ from rules.effort's own
    open = models.BooleanField(default=True)
    rehearsal = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(soft_seconds__lte=models.F("hard_seconds")),
                name="study_soft_limit_is_not_past_the_hard_one",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def limits(self) -> Limits:
        return Limits(self.soft_seconds, self.hard_seconds, self.session_seconds)


class StudyChange(models.Model):
    """A change of what a study prescribes, made while it had sessions. Rows are only ever added.

    `before` and `after` have what changed, by name of the study's field, as JSON; `pool` as codes. `sessions`
    had been created by then, `under_way` of them had not ended: the change held for those, too.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="changes")
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.TextField()
    before = models.JSONField()
    after = models.JSONField()
    sessions = models.PositiveIntegerField()
    under_way = models.PositiveIntegerField()
