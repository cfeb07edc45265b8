"""Reads of accounts: balances, what waits for approval, and what can be paid."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Q, QuerySet, Sum

from playtest.center.pay import money
from playtest.center.pay.models import Adjustment, PaidSession, PayAccount, PayBatch, PayLine
from playtest.play.models import Attempt, Session, Study
from playtest.rules.attempt import Outcome
from playtest.rules.pay import CENT, NOTHING, Balance, LineKind, Unpaid, balance, payouts


@dataclass(frozen=True)
class SessionPay:
    """The pay of a session for its page. While it runs there is no account, and `balance` is so far."""

    account: PayAccount | None
    balance: Balance
    solved: int | None
    adjustments: list[Adjustment]


def balance_of(account: PayAccount) -> Balance:
    return balance((LineKind(kind), amount) for kind, amount in account.lines.values_list("kind", "amount"))


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
    return cents(found["sum"])


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
    return SessionPay(None, Balance(fee=pay.fee, bonus=(pay.bonus * solved).quantize(CENT)), solved, [])


def payable() -> Q:
    """Accounts of real people outside rehearsals: only these are ever paid."""
    return Q(participant__simulated=False, study__rehearsal=False)


def chosen_accounts(study: Study | None, since: date | None, until: date | None) -> Q:
    """The accounts of a choice for a batch: a study (None: all) and the days of sessions."""
    chosen = Q() if study is None else Q(study=study)
    if since is not None:
        chosen &= Q(held_at__gte=money.start_of(since))
    if until is not None:
        chosen &= Q(held_at__lt=money.end_of(until))
    return chosen


def unpaid_amounts(choice: Q, accounts: Collection[int] | None = None) -> dict[int, list[Unpaid]]:
    """What a batch of this choice pays, by person; `accounts` restricts it to those that are locked."""
    sums = PayLine.objects.filter(account__in=PayAccount.objects.filter(payable()))
    rows = sums.values("account", "account__participant").annotate(sum=Sum("amount")).order_by("account")
    chosen = set(PayAccount.objects.filter(payable() & choice).values_list("pk", flat=True))
    return payouts(
        Unpaid(row["account"], row["account__participant"], cents(row["sum"]), row["account"] in chosen)
        for row in rows
        if accounts is None or row["account"] in accounts
    )


@dataclass(frozen=True)
class Payout:
    """What one person is paid in a batch, for one or more receipts; the day is of the last session."""

    receipts: list[str]
    day: date
    payee: str
    amount: Decimal


def payouts_of(batch: PayBatch) -> list[Payout]:
    """The payments of a batch, one for each person, in the order of their first receipt."""
    lines = batch.lines.select_related("account__participant").order_by("account")
    return list(_by_person((line.account, -line.amount) for line in lines))


def preview(choice: Q) -> list[Payout]:
    """The payments that a batch of this choice would have at this moment."""
    found = [one for sessions in unpaid_amounts(choice).values() for one in sessions]
    accounts = PayAccount.objects.select_related("participant").in_bulk([one.account for one in found])
    amounts = sorted(found, key=lambda one: one.account)
    return list(_by_person((accounts[one.account], one.amount) for one in amounts))


def _by_person(rows: Iterable[tuple[PayAccount, Decimal]]) -> Iterable[Payout]:
    people: dict[int, list[tuple[PayAccount, Decimal]]] = {}
    for account, amount in rows:
        people.setdefault(account.participant_id, []).append((account, amount))
    for sessions in people.values():
        person = sessions[0][0].participant
        yield Payout(
            receipts=[account.number for account, _ in sessions],
            day=money.day_of(max(account.held_at for account, _ in sessions)),
            payee=person.reference or person.label,
            amount=sum((amount for _, amount in sessions), NOTHING),
        )


def cents(value: Decimal | None) -> Decimal:
    """A sum from the database in whole cents: SQLite adds amounts as binary fractions."""
    return NOTHING if value is None else value.quantize(CENT)
