"""Reads of accounts: balances, what waits for approval, what can be paid, and to whom."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from playtest.center.pay.models import (
    Adjustment,
    PaidSession,
    PayAccount,
    PayBatch,
    PayLine,
    PaymentNote,
)
from playtest.center.schedule.times import local, midnight
from playtest.people.models import Participant
from playtest.play.models import Attempt, Session, Study
from playtest.play.models.study import center_currency, held_here
from playtest.rules.attempt import Outcome
from playtest.rules.document import digest_of
from playtest.rules.pay import (
    NOTHING,
    PAYING,
    Balance,
    LineKind,
    PaymentState,
    Unpaid,
    amount_text,
    balance,
    payouts,
    plain,
)


@dataclass(frozen=True)
class SessionPay:
    """The pay of a session for its page. While it runs there is no account, and `balance` is so far."""

    account: PayAccount | None
    balance: Balance
    solved: int | None
    adjustments: list[Adjustment]


def balance_of(account: PayAccount) -> Balance:
    return balance((LineKind(line.kind), line.amount) for line in account.lines.all())


def state_of(account: PayAccount) -> tuple[PaymentState, PayBatch | None, PaymentNote | None] | None:
    """What became of the account's newest payment, in which batch, and who says so; None: none was."""
    line = (
        account.lines.filter(kind__in=PAYING)
        .select_related("batch", "note__entered_by", "note__batch")
        .last()
    )
    if line is None:
        return None
    note = getattr(line, "note", None)
    if note is not None:
        return PaymentState(note.state), note.batch, note
    sent = PaymentNote.objects.filter(batch=line.batch_id, account=None).select_related("entered_by").first()
    return (PaymentState.SENT if sent else PaymentState.IN_BATCH), line.batch, sent


def solved_of(account: PayAccount) -> tuple[int, Decimal] | None:
    """How many environments the bonus is for, and the bonus for one; None after a withdrawal."""
    link = PaidSession.objects.filter(account=account).select_related("session__protocol").first()
    if link is None or link.session.protocol is None:
        return None
    solved = Attempt.objects.filter(session=link.session_id, outcome=Outcome.COMPLETED).count()
    return solved, link.session.prescribed.pay.bonus


def waiting() -> QuerySet[Adjustment]:
    """Adjustments that nobody has approved or refused, oldest first."""
    found = Adjustment.objects.filter(decision__isnull=True).order_by("entered_at", "pk")
    return found.select_related("account__participant", "account__study", "account__link", "entered_by")


def waiting_deductions(account: PayAccount) -> Decimal:
    """The sum of the account's adjustments below zero that wait for approval; 0 or less."""
    found = account.adjustments.filter(decision__isnull=True, amount__lt=0).aggregate(sum=Sum("amount"))
    return plain(found["sum"])


def session_pay(session: Session) -> SessionPay | None:
    """The pay of a session from its ledger, or so far while it runs; None if nothing is owed yet."""
    solved = session.attempts.filter(outcome=Outcome.COMPLETED).count()
    account = PayAccount.objects.filter(link__session=session).first()
    if account is not None:
        entered = account.adjustments.order_by("entered_at", "pk")
        rows = list(entered.select_related("entered_by", "decision__decided_by"))
        return SessionPay(account, balance_of(account), solved, rows)
    if session.consent_id is None:
        return None
    pay = session.prescribed.pay
    return SessionPay(None, Balance(fee=pay.fee, bonus=plain(pay.bonus * solved)), solved, [])


def owed_to(people: Collection[int] | None = None) -> dict[int, list[tuple[Decimal, str]]]:
    """What is unpaid, or below zero was paid too much, by person and currency; of all without `people`."""
    rows = PayLine.objects.filter(account__in=PayAccount.objects.filter(payable()))
    if people is not None:
        rows = rows.filter(account__participant__in=people)
    sums = rows.values_list("account__participant", "account__study__currency").annotate(Sum("amount"))
    found: dict[int, list[tuple[Decimal, str]]] = {}
    for person, currency, total in sums.order_by("account__participant", "account__study__currency"):
        if amount := plain(total):
            found.setdefault(person, []).append((amount, currency))
    return found


def unsettled(people: Collection[int]) -> set[int]:
    """Who of these is still to be paid, or may be: unpaid, waiting for approval, or not yet sent."""
    asked = Adjustment.objects.filter(decision=None, amount__gt=0, account__participant__in=people)
    noted = Q(account=None) | Q(account=OuterRef("account"))
    batched = PayLine.objects.filter(kind=LineKind.PAYMENT, account__participant__in=people)
    unsent = batched.exclude(Exists(PaymentNote.objects.filter(noted, batch=OuterRef("batch"))))
    owed = {one for one, amounts in owed_to(people).items() if any(amount > 0 for amount, _ in amounts)}
    found = (rows.values_list("account__participant", flat=True) for rows in (asked, unsent))
    return owed.union(*found)


def left_to_pay(person: Participant) -> str:
    """What is still to be paid to somebody, as a sentence; empty if nothing is."""
    if person.pk not in unsettled([person.pk]):
        return ""
    owed = [amount_text(*one) for one in owed_to([person.pk]).get(person.pk, []) if one[0] > 0]
    what = f"{' and '.join(owed)} is owed" if owed else "A payment is under way"
    return (
        f"{what} to {person.label}. Reference and e-mail address stay until it is paid, apart from the data"
        " and only for the payer, and are erased then."
    )


def payee_of(person: Participant) -> tuple[str, str]:
    """By which name the payer knows a person, and the address of one who has withdrawn while owed money."""
    stored = getattr(person, "payee", None)
    reference, address = (stored.reference, stored.address) if stored else (person.reference, "")
    return reference or person.label, address


def payable(currency: str = "") -> Q:
    """Accounts of real people outside rehearsals, in one currency or all: only these are ever paid."""
    chosen = Q(study__currency=currency) if currency else Q()
    return Q(participant__simulated=False) & held_here("study__") & chosen


def currency_of(study: Study | None, chosen: str = "") -> str:
    """The currency of a batch: that of its study, or for all studies the chosen one, or the center's."""
    return study.currency if study is not None else chosen or center_currency()


def chosen_accounts(
    study: Study | None, since: date | None, until: date | None, slot: int | None = None
) -> Q:
    """The accounts of a choice for a batch: a study (None: all), the days of sessions, and a slot."""
    chosen = Q() if study is None else Q(study=study)
    if slot is not None:
        chosen &= Q(link__session__booking__slot=slot)
    if since is not None:
        chosen &= Q(held_at__gte=midnight(since))
    if until is not None:
        chosen &= Q(held_at__lt=midnight(until + timedelta(days=1)))
    return chosen


def unpaid_amounts(
    choice: Q, currency: str, accounts: Collection[int] | None = None
) -> dict[int, list[Unpaid]]:
    """What a batch of this choice pays, by person; `accounts` restricts it to those that are locked."""
    sums = PayLine.objects.filter(account__in=PayAccount.objects.filter(payable(currency)))
    rows = sums.values("account", "account__participant").annotate(sum=Sum("amount")).order_by("account")
    chosen = set(PayAccount.objects.filter(payable(currency) & choice).values_list("pk", flat=True))
    return payouts(
        Unpaid(row["account"], row["account__participant"], plain(row["sum"]), row["account"] in chosen)
        for row in rows
        if accounts is None or row["account"] in accounts
    )


@dataclass(frozen=True)
class Payout:
    """What one person is paid in a batch, for one or more receipts; the day is of the last session."""

    receipts: list[str]
    day: date
    payee: str
    address: str
    amount: Decimal
    account: int
    note: PaymentNote | None = None


def payouts_of(batch: PayBatch) -> list[Payout]:
    """The payments of a batch, one for each person, in the order of their first receipt."""
    lines = batch.lines.select_related("account__participant__payee").order_by("account")
    back = {note.account_id: note for note in batch.payment_notes.select_related("entered_by")}
    found = _by_person((line.account, -line.amount) for line in lines)
    return [replace(one, note=back.get(one.account)) for one in found]


def seen_of(paid: dict[int, list[Unpaid]]) -> str:
    """Identifies exactly these amounts of these accounts; a form sends what it was shown with."""
    rows = sorted((one.account, str(one.amount)) for sessions in paid.values() for one in sessions)
    return digest_of(rows)


def preview(paid: dict[int, list[Unpaid]]) -> list[Payout]:
    """The payments of a batch that pays these amounts."""
    found = [one for sessions in paid.values() for one in sessions]
    known = PayAccount.objects.select_related("participant__payee")
    accounts = known.in_bulk([one.account for one in found])
    amounts = sorted(found, key=lambda one: one.account)
    return list(_by_person((accounts[one.account], one.amount) for one in amounts))


def _by_person(rows: Iterable[tuple[PayAccount, Decimal]]) -> Iterable[Payout]:
    people: dict[int, list[tuple[PayAccount, Decimal]]] = {}
    for account, amount in rows:
        people.setdefault(account.participant_id, []).append((account, amount))
    for sessions in people.values():
        payee, address = payee_of(sessions[0][0].participant)
        yield Payout(
            receipts=[account.number for account, _ in sessions],
            day=local(max(account.held_at for account, _ in sessions)).date(),
            payee=payee,
            address=address,
            amount=sum((amount for _, amount in sessions), NOTHING),
            account=sessions[0][0].pk,
        )


def unposted() -> Q:
    """Sessions that are owed a fee, and have no line for it."""
    fee = PayLine.objects.filter(account__link__session=OuterRef("pk"), kind=LineKind.FEE)
    return Q(ended_at__isnull=False, consent__isnull=False) & ~Q(Exists(fee))
