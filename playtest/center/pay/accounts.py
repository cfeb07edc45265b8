"""Reads of accounts: balances, what waits for approval, what can be paid, and what does not add up."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from playtest.center.pay import money
from playtest.center.pay.models import (
    Adjustment,
    AdjustmentReason,
    PaidSession,
    PayAccount,
    PayBatch,
    PayLine,
)
from playtest.center.pay.totals import study_pay
from playtest.center.schedule.times import local, midnight
from playtest.play.models import Attempt, Session, Study
from playtest.play.models.study import held_here
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
    return money.cents(found["sum"])


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
    return Q(participant__simulated=False) & held_here("study__")


def chosen_accounts(study: Study | None, since: date | None, until: date | None) -> Q:
    """The accounts of a choice for a batch: a study (None: all) and the days of sessions."""
    chosen = Q() if study is None else Q(study=study)
    if since is not None:
        chosen &= Q(held_at__gte=midnight(since))
    if until is not None:
        chosen &= Q(held_at__lt=midnight(until + timedelta(days=1)))
    return chosen


def unpaid_amounts(choice: Q, accounts: Collection[int] | None = None) -> dict[int, list[Unpaid]]:
    """What a batch of this choice pays, by person; `accounts` restricts it to those that are locked."""
    sums = PayLine.objects.filter(account__in=PayAccount.objects.filter(payable()))
    rows = sums.values("account", "account__participant").annotate(sum=Sum("amount")).order_by("account")
    chosen = set(PayAccount.objects.filter(payable() & choice).values_list("pk", flat=True))
    return payouts(
        Unpaid(row["account"], row["account__participant"], money.cents(row["sum"]), row["account"] in chosen)
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
            day=local(max(account.held_at for account, _ in sessions)).date(),
            payee=person.reference or person.label,
            amount=sum((amount for _, amount in sessions), NOTHING),
        )


@dataclass(frozen=True)
class Difference:
    """One thing that does not add up. `session` is None where the participant has withdrawn."""

    code: str
    session: int | None
    sentence: str


def differences(study: Study | None = None) -> list[Difference]:
    """Everything that does not add up, for one study or all: empty if the ledger is right."""
    return [*_of_sessions(study), *_of_accounts(study), *_of_batches()]


def report(study: Study) -> dict[str, Any]:
    """The totals of a study and whether its ledger adds up, for `manage.py pay --json`; amounts as text."""
    found, wrong = study_pay(study), differences(study)
    amounts = {
        "fee": found.balance.fee,
        "bonus": found.balance.bonus,
        "adjustments": found.balance.adjustments,
        "owed": found.balance.owed,
        "paid": found.balance.paid,
        "unpaid": found.balance.unpaid,
        "waiting": found.waiting,
        "expected": found.expected,
    }
    return {
        "study": study.pk,
        "sessions": found.sessions,
        "open_sessions": found.open_sessions,
        "solved": found.solved,
        **{name: str(amount) for name, amount in amounts.items()},
        "cap": str(found.budget.cap) if found.budget else None,
        "session_hours": round(found.session_hours, 4),
        "play_hours": round(found.play_hours, 4),
        "differences": [asdict(one) for one in wrong],
        "adds_up": not wrong,
    }


def unposted() -> Q:
    """Sessions that are owed a fee, and have no line for it."""
    fee = PayLine.objects.filter(account__link__session=OuterRef("pk"), kind=LineKind.FEE)
    return Q(ended_at__isnull=False, consent__isnull=False) & ~Q(Exists(fee))


def _of_sessions(study: Study | None) -> list[Difference]:
    """Compares fee, bonus and approved corrections with what the session's protocol and attempts say."""
    completed = Count("attempts", filter=Q(attempts__outcome=Outcome.COMPLETED))
    sessions = Session.objects.filter(ended_at__isnull=False).filter(_within(study, "study"))
    posted = _posted(study)
    found = []
    for session in sessions.select_related("protocol", "pay").annotate(solved=completed).order_by("pk"):
        link = getattr(session, "pay", None)
        lines = posted.get(link.account_id, {}) if link else {}
        owed = session.prescribed.pay.of_session(session.solved) if session.consent_id else NOTHING
        if session.consent_id and LineKind.FEE not in lines:
            sentence = f"Session {session.pk} ended, and its pay of {money.shown(owed)} has not been posted."
            found.append(Difference("not_posted", session.pk, sentence))
        elif (stated := sum(lines.values(), NOTHING)) != owed:
            sentence = (
                f"Session {session.pk}: fee, bonus and corrections are {money.shown(stated)}, and its"
                f" attempts say {money.shown(owed)}. Enter a correction of {money.shown(owed - stated)}."
            )
            found.append(Difference("pay_differs", session.pk, sentence))
    return found


def _posted(study: Study | None) -> dict[int, dict[str, Decimal]]:
    """Fee, bonus and approved corrections by account."""
    of_session = Q(kind__in=[LineKind.FEE, LineKind.BONUS])
    corrections = Q(adjustment__reason=AdjustmentReason.CORRECTION)
    lines = PayLine.objects.filter(of_session | corrections).filter(_within(study, "account__study"))
    found: dict[int, dict[str, Decimal]] = defaultdict(dict)
    for row in lines.values("account", "kind").annotate(sum=Sum("amount")).order_by():
        found[row["account"]][row["kind"]] = money.cents(row["sum"])
    return found


def _of_accounts(study: Study | None) -> list[Difference]:
    """Accounts that owe less than nothing, and approvals without their line."""
    owed = Sum("lines__amount", filter=~Q(lines__kind=LineKind.PAYMENT))
    accounts = PayAccount.objects.filter(_within(study, "study")).annotate(owed=owed)
    found = [
        Difference(
            "owed_below_zero", None, f"Account {one.number} owes {money.shown(money.cents(one.owed))}."
        )
        for one in accounts.filter(owed__lt=0)
    ]
    approved = Adjustment.objects.filter(_within(study, "account__study"), decision__approved=True)
    found += [
        Difference(
            "not_posted", None, f"Account {one.account.number} has an approved adjustment without its line."
        )
        for one in approved.filter(line__isnull=True).select_related("account")
    ]
    unlike = PayLine.objects.filter(_within(study, "account__study"), kind=LineKind.ADJUSTMENT)
    return found + [
        Difference("pay_differs", None, f"A line of account {line.account.number} is not as it was approved.")
        for line in unlike.exclude(
            adjustment__decision__approved=True,
            amount=F("adjustment__amount"),
            account=F("adjustment__account"),
        ).select_related("account")
    ]


def _of_batches() -> list[Difference]:
    """Batches whose payments are not their total."""
    return [
        Difference(
            "batch_differs", None, f"Batch {one.number} is {money.shown(one.total)}, its payments not."
        )
        for one in PayBatch.objects.annotate(sum=Sum("lines__amount"))
        if money.cents(one.sum) != -one.total
    ]


def _within(study: Study | None, name: str) -> Q:
    return Q() if study is None else Q(**{name: study})
