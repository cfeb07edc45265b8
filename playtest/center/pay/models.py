"""The ledger of pay. Its tables are append-only, but for `Payee` (`center.manifest`).

Amounts are in `Study.currency`.

An account and its lines name nothing that was played: they stay when a participant withdraws consent, and
only the row that links the account to its session is deleted then (`PaidSession`).
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from playtest.people.models import Participant
from playtest.people.record.links import Recorded
from playtest.play.models import Session, Study
from playtest.play.models.study import center_currency
from playtest.rules.pay import MOST_DECIMALS, LineKind, PaymentState


class AdjustmentReason(models.TextChoices):
    CORRECTION = "correction", "correction of fee or bonus"
    WAITED = "waited", "had to wait, or was sent home"
    EXTRA_TIME = "extra_time", "stayed longer than agreed"
    TRAVEL = "travel", "travel costs"
    OVERPAID = "overpaid", "was paid too much"
    OTHER = "other", "other"


class PayAccount(Recorded):
    """The account of one session; its id is the number on receipts. `held_at` is when the session was."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="pay_accounts")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="pay_accounts")
    held_at = models.DateTimeField()
    opened_at = models.DateTimeField()

    @property
    def number(self) -> str:
        """The number on receipts and in files for the payer."""
        return f"{self.pk:06}"


class PaidSession(Recorded):
    """Which session an account is of. Deleted when the participant withdraws consent."""

    account = models.OneToOneField(PayAccount, on_delete=models.PROTECT, related_name="link")
    session = models.OneToOneField(Session, on_delete=models.PROTECT, related_name="pay")


class Adjustment(Recorded):
    """An amount to add, or below zero to deduct, with the reason. It has no effect until approved."""

    account = models.ForeignKey(PayAccount, on_delete=models.PROTECT, related_name="adjustments")
    amount = models.DecimalField(max_digits=13, decimal_places=MOST_DECIMALS)
    reason = models.CharField(max_length=16, choices=AdjustmentReason)
    text = models.TextField()
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(amount=0), name="adjustment_is_not_zero")]


class AdjustmentDecision(Recorded):
    """Approval or refusal of an adjustment, once. A trigger refuses the person who entered it."""

    adjustment = models.OneToOneField(Adjustment, on_delete=models.PROTECT, related_name="decision")
    approved = models.BooleanField()
    text = models.TextField(blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()


class PayBatch(Recorded):
    """What was given to the payer at once. `study`, `since` and `until` are what was chosen; None: all.

    All its payments are in one currency.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, related_name="pay_batches")
    since = models.DateField(null=True)
    until = models.DateField(null=True)
    total = models.DecimalField(max_digits=13, decimal_places=MOST_DECIMALS)
    people = models.PositiveIntegerField()
    currency = models.CharField(max_length=3, default=center_currency)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    @property
    def number(self) -> str:
        return f"{self.pk:04}"


class PayLine(Recorded):
    """One line of an account: a signed amount. A payment is below zero, so that the sum is what is unpaid."""

    account = models.ForeignKey(PayAccount, on_delete=models.PROTECT, related_name="lines")
    kind = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in LineKind])
    amount = models.DecimalField(max_digits=13, decimal_places=MOST_DECIMALS)
    adjustment = models.OneToOneField(Adjustment, on_delete=models.PROTECT, null=True, related_name="line")
    batch = models.ForeignKey(PayBatch, on_delete=models.PROTECT, null=True, related_name="lines")
    posted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "kind"],
                condition=Q(kind__in=[LineKind.FEE.value, LineKind.BONUS.value]),
                name="one_fee_and_one_bonus_per_account",
            ),
            models.UniqueConstraint(fields=["account", "batch"], name="an_account_is_once_in_a_batch"),
            models.CheckConstraint(
                condition=Q(kind=LineKind.ADJUSTMENT.value, adjustment__isnull=False)
                | (~Q(kind=LineKind.ADJUSTMENT.value) & Q(adjustment__isnull=True)),
                name="adjustment_lines_name_their_adjustment",
            ),
            models.CheckConstraint(
                condition=Q(kind=LineKind.PAYMENT.value, batch__isnull=False)
                | (~Q(kind=LineKind.PAYMENT.value) & Q(batch__isnull=True)),
                name="payment_lines_name_their_batch",
            ),
        ]


class PaymentNote(Recorded):
    """What became of payments: of an account in cash, of a whole batch, or of an account in a batch.

    A payment in cash, and one that failed or came back, posted `line`.
    """

    state = models.CharField(max_length=12, choices=[(one.value, one.value) for one in PaymentState])
    account = models.ForeignKey(PayAccount, on_delete=models.PROTECT, null=True, related_name="payment_notes")
    batch = models.ForeignKey(PayBatch, on_delete=models.PROTECT, null=True, related_name="payment_notes")
    line = models.OneToOneField(PayLine, on_delete=models.PROTECT, null=True, related_name="note")
    text = models.TextField(blank=True)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "batch"], name="a_payment_is_taken_back_once"),
        ]


class Payee(models.Model):
    """Who somebody is who withdrew while money was owed: until it is paid (`payees.erase_paid`).

    Amounts and currency are those of the accounts.
    """

    participant = models.OneToOneField(Participant, on_delete=models.PROTECT, related_name="payee")
    reference = models.CharField(max_length=64, blank=True)
    address = models.EmailField(blank=True)
    stored_at = models.DateTimeField()


class Receipt(Recorded):
    """An original receipt was printed. A further one is made only when the amount owed has changed."""

    account = models.ForeignKey(PayAccount, on_delete=models.PROTECT, related_name="receipts")
    edition = models.PositiveSmallIntegerField()
    total = models.DecimalField(max_digits=13, decimal_places=MOST_DECIMALS)
    issued_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    issued_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "edition"], name="receipt_edition_is_unique")
        ]

    @property
    def number(self) -> str:
        return self.account.number + (f"-{self.edition}" if self.edition > 1 else "")


class Budget(Recorded):
    """A study's budget from one moment on; the newest row holds. `cap` None: no budget."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="budgets")
    cap = models.DecimalField(max_digits=13, decimal_places=MOST_DECIMALS, null=True)
    warn_percent = models.PositiveSmallIntegerField(default=80)
    reason = models.TextField()
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    set_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(warn_percent__gte=1, warn_percent__lte=100)
                & (Q(cap__isnull=True) | Q(cap__gte=0)),
                name="budget_is_in_range",
            )
        ]
