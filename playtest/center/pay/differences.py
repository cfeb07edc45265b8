"""What does not add up in the ledger, and its totals for `manage.py pay`."""

from collections import defaultdict
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Q, Sum

from playtest.center.pay.models import Adjustment, AdjustmentReason, PayAccount, PayBatch, PayLine
from playtest.center.pay.totals import study_pay
from playtest.play.models import Session, Study
from playtest.rules.attempt import Outcome
from playtest.rules.pay import NOTHING, PAYING, LineKind, amount_number, amount_text, plain


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
        **{name: amount_number(amount, study.currency) for name, amount in amounts.items()},
        "currency": study.currency,
        "cap": amount_number(found.budget.cap, study.currency) if found.budget else None,
        "session_hours": round(found.session_hours, 4),
        "play_hours": round(found.play_hours, 4),
        "differences": [asdict(one) for one in wrong],
        "adds_up": not wrong,
    }


def _of_sessions(study: Study | None) -> list[Difference]:
    """Compares fee, bonus and approved corrections with what the session's protocol and attempts say."""
    completed = Count("attempts", filter=Q(attempts__outcome=Outcome.COMPLETED))
    sessions = Session.objects.filter(ended_at__isnull=False).filter(_within(study, "study"))
    posted = _posted(study)
    found = []
    for session in (
        sessions.select_related("protocol", "pay", "study").annotate(solved=completed).order_by("pk")
    ):
        link = getattr(session, "pay", None)
        lines = posted.get(link.account_id, {}) if link else {}
        owed = session.prescribed.pay.of_session(session.solved) if session.consent_id else NOTHING
        stated, currency = sum(lines.values(), NOTHING), session.study.currency
        if session.consent_id and LineKind.FEE not in lines:
            due = amount_text(owed, currency)
            sentence = f"Session {session.pk} ended, and its pay of {due} has not been posted."
            found.append(Difference("not_posted", session.pk, sentence))
        elif stated != owed:
            texts = [amount_text(one, currency) for one in (stated, owed, owed - stated)]
            sentence = (
                f"Session {session.pk}: fee, bonus and corrections are {texts[0]}, and its"
                f" attempts say {texts[1]}. Enter a correction of {texts[2]}."
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
        found[row["account"]][row["kind"]] = plain(row["sum"])
    return found


def _of_accounts(study: Study | None) -> list[Difference]:
    """Accounts that owe less than nothing, and approvals without their line."""
    owed = Sum("lines__amount", filter=~Q(lines__kind__in=PAYING))
    accounts = PayAccount.objects.filter(_within(study, "study")).annotate(owed=owed)
    found = [
        Difference(
            "owed_below_zero",
            None,
            f"Account {one.number} owes {amount_text(one.owed, one.study.currency)}.",
        )
        for one in accounts.filter(owed__lt=0).select_related("study")
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
            "batch_differs",
            None,
            f"Batch {one.number} is {amount_text(one.total, one.currency)}, its payments not.",
        )
        for one in PayBatch.objects.annotate(sum=Sum("lines__amount"))
        if plain(one.sum) != -one.total
    ]


def _within(study: Study | None, name: str) -> Q:
    return Q() if study is None else Q(**{name: study})
