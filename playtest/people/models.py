"""Participants, which of them are one person, their consents, surveys and withdrawals; retention; staff."""

from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower

from playtest.people.record.links import Recorded, RecordedQuerySet
from playtest.people.record.links import RecordForm as RecordForm
from playtest.people.record.links import RecordLink as RecordLink
from playtest.people.roles import SENSITIVE, Right, Role, may


class StaffManager(UserManager["Staff"]):
    """Of accounts, whose states are linked."""

    use_in_migrations = False

    def get_queryset(self) -> RecordedQuerySet["Staff"]:
        return RecordedQuerySet(self.model, using=self._db)


class Staff(AbstractUser, Recorded):
    """A member of staff; the role decides what they may do (`people.roles`).

    Sessions of a browser end when the password changes, or `sign_outs` does: the number of times that all
    sessions of this account were ended.
    """

    role = models.CharField(max_length=16, choices=Role)
    sign_outs = models.PositiveIntegerField(default=0, db_default=0)
    example_dismissed = models.BooleanField(default=False, db_default=False)
    objects = StaffManager()  # type: ignore[assignment,misc]  # as AbstractUser has one of its own
    otp_device: Any
    """The second factor that was shown, of django-otp; only set on the way to a session."""

    def may(self, right: Right) -> bool:
        return self.is_active and (self.is_superuser or may(self.role, right))

    @property
    def is_sensitive(self) -> bool:
        """Whether a stranger with this account could take it all, or the money."""
        return any(self.may(right) for right in SENSITIVE)

    def get_session_auth_hash(self) -> str:
        """What a session stores, and must have to be of this account still."""
        of_password: str = super().get_session_auth_hash()
        return f"{self.sign_outs}:{of_password}" if self.sign_outs else of_password


class AccountChange(Recorded):
    """What was done to an account, by whom: append-only. `staff` is None for a command of the server."""

    class Kind(models.TextChoices):
        CREATED = "created", "made the account"
        ROLE = "role", "gave it another role"
        DISABLED = "disabled", "disabled it"
        ENABLED = "enabled", "enabled it"
        LINK = "link", "took its password, and made a link to set one"
        PASSWORD = "password", "set a password"
        FACTOR_SET = "factor_set", "set up a second factor"
        FACTOR_REMOVED = "factor_removed", "removed its second factor"
        RECOVERY = "recovery", "signed in with a recovery code"
        SIGNED_OUT = "signed_out", "signed it out everywhere"

    account = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="changes")
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=16, choices=Kind)
    detail = models.CharField(max_length=64, blank=True)
    changed_at = models.DateTimeField()


class Participant(Recorded):
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


class Consent(Recorded):
    """The exact text that a participant agreed to, and when."""

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="consents")
    text = models.TextField()
    given_at = models.DateTimeField()


class Withdrawal(Recorded):
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


class SamePerson(Recorded):
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


class SamePersonReversal(Recorded):
    """Staff say that a link was a mistake; the two records can be linked again."""

    link = models.OneToOneField(SamePerson, on_delete=models.PROTECT, related_name="reversal")
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    reversed_at = models.DateTimeField()
    reason = models.TextField()


class Survey(Recorded):
    """Answers by question name; a skipped question is absent."""

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="surveys")
    answers = models.JSONField(default=dict)
    answered_at = models.DateTimeField()


class Contact(models.Model):
    """How a participant is reached. Kept apart from play: shown where sessions are run, exported
    to the person alone.

    A withdrawal deletes it.
    """

    participant = models.OneToOneField(Participant, on_delete=models.PROTECT, related_name="contact")
    email = models.EmailField()
    stored_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="contact_email_is_unique")]


class RetentionRule(Recorded):
    """From `set_at` on, data of a kind is kept for `days`; None: for good. The newest row of a kind holds."""

    kind = models.CharField(max_length=32)
    days = models.PositiveIntegerField(null=True)
    reason = models.TextField()
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    set_at = models.DateTimeField()


class Erasure(Recorded):
    """What was erased because its time was over: `number` rows or files of a kind, kept for `days`.

    `oldest` is when the period of the oldest began. `rule` is None where nobody had set a period.
    """

    kind = models.CharField(max_length=32)
    number = models.PositiveIntegerField()
    oldest = models.DateTimeField()
    days = models.PositiveIntegerField()
    rule = models.ForeignKey(RetentionRule, on_delete=models.PROTECT, null=True, related_name="erasures")
    erased_at = models.DateTimeField()


class PersonExport(Recorded):
    """All that is stored of a person was asked for as a file. `staff` is None for a command of the server.

    With `held_out` it has the frames of environments that are not public.
    """

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="data_exports")
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    held_out = models.BooleanField()
    asked_at = models.DateTimeField()
