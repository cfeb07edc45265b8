"""Participants, which of them are one person, their consents, surveys and withdrawals; staff."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower

from playtest.people.roles import Right, Role, may


class Staff(AbstractUser):
    """A member of staff; the role decides what they may do (`people.roles`)."""

    role = models.CharField(max_length=16, choices=Role)

    def may(self, right: Right) -> bool:
        return self.is_active and (self.is_superuser or may(self.role, right))


class Participant(models.Model):
    """A person who plays, known by a pseudonym; `reference` is the recruiter's number, if there is one."""

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
    """The exact text that a participant agreed to, and when."""

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="consents")
    text = models.TextField()
    given_at = models.DateTimeField()


class Withdrawal(models.Model):
    """A participant withdrew consent: the audit record, and the permission to delete their data.

    While `finished_at` is empty, the journal's triggers let this participant's rows be deleted
    (`play.journal.triggers`); the row is created and finished in one transaction. `removed` counts the
    deleted rows by table. `attempts` are the ids of the deleted attempts, which signed days still name.
    """

    participant = models.OneToOneField(Participant, on_delete=models.PROTECT, related_name="withdrawal")
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    removed = models.JSONField(default=dict)
    attempts = models.JSONField(default=list)


class SamePerson(models.Model):
    """Staff say that two records are of one person. Rows are only added; a withdrawal deletes its own."""

    one = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="+")
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    linked_at = models.DateTimeField()
    reason = models.TextField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(one=models.F("other")), name="same_person_links_two_records"
            )
        ]


class SamePersonReversal(models.Model):
    """Staff say that a link was a mistake; the two records can be linked again."""

    link = models.OneToOneField(SamePerson, on_delete=models.PROTECT, related_name="reversal")
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    reversed_at = models.DateTimeField()
    reason = models.TextField()


class Survey(models.Model):
    """Answers by question name; a skipped question is absent."""

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="surveys")
    answers = models.JSONField(default=dict)
    answered_at = models.DateTimeField()


class Contact(models.Model):
    """How a participant is reached. Kept apart from play: shown where sessions are run, never exported.

    A withdrawal deletes it.
    """

    participant = models.OneToOneField(Participant, on_delete=models.PROTECT, related_name="contact")
    email = models.EmailField()
    stored_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="contact_email_is_unique")]
