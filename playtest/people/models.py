"""Participants, what they agreed to and told us, and the staff who work here."""

from django.contrib.auth.models import AbstractUser
from django.db import models

from playtest.people.roles import Right, Role, may


class Staff(AbstractUser):
    """Someone who works at the center; the role decides what they see (`people.roles`)."""

    role = models.CharField(max_length=16, choices=Role)

    def may(self, right: Right) -> bool:
        return self.is_active and (self.is_superuser or may(self.role, right))


class Participant(models.Model):
    """A person who plays, known by a pseudonym only; `reference` is the recruiter's own number, if any."""

    label = models.CharField(max_length=16, unique=True)
    reference = models.CharField(max_length=64, blank=True)
    simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["reference"],
                condition=~models.Q(reference=""),
                name="participant_reference_is_unique",
            )
        ]

    def __str__(self) -> str:
        return self.label


class Consent(models.Model):
    """The exact text one participant agreed to, and when."""

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="consents")
    text = models.TextField()
    given_at = models.DateTimeField()


class Survey(models.Model):
    """Answers by question name; a skipped question is absent."""

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="surveys")
    answers = models.JSONField(default=dict)
    answered_at = models.DateTimeField()
