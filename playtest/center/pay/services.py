"""Posts what sessions earn, adjusts it, and sets budgets."""

from decimal import Decimal

from django.db import transaction

from playtest.center.pay.accounts import balance_of, waiting_deductions
from playtest.center.pay.models import (
    Adjustment,
    AdjustmentDecision,
    AdjustmentReason,
    Budget,
    PaidSession,
    PayAccount,
    PayLine,
)
from playtest.center.pay.payees import erase_paid
from playtest.center.pay.totals import budget_of, study_pay
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.sessions.locks import locked_session, locked_study
from playtest.rules import pay
from playtest.rules.attempt import Outcome
from playtest.rules.errors import RuleError
from playtest.rules.pay import LineKind, amount_text, check_adjustment


def post_session(session: Session, **_: object) -> PayAccount | None:
    """Posts what an ended session has earned under its protocol; None if consent was not given.

    Called at the end of every session, and by the worker for sessions that have no fee line (`center.tasks`).
    A second call posts nothing. Voids and exclusions do not change pay.
    """
    with transaction.atomic():
        session = locked_session(session.pk)
        if session.ended_at is None or session.consent_id is None:
            return None
        account = account_of(session)
        if not account.lines.filter(kind=LineKind.FEE).exists():
            pay = session.prescribed.pay
            bonus = pay.bonus * session.attempts.filter(outcome=Outcome.COMPLETED).count()
            post_line(account, LineKind.FEE, pay.fee)
            if bonus:
                post_line(account, LineKind.BONUS, bonus)
    return account


def account_of(session: Session) -> PayAccount:
    """The account of a session whose row is locked, opened if there is none. Its own row is locked."""
    link = PaidSession.objects.filter(session=session).first()
    if link is not None:
        return lock_account(link.account_id)
    account = PayAccount.objects.create(
        study=session.study,
        participant=session.participant,
        held_at=session.checked_in_at or session.created_at,
        opened_at=now(),
    )
    PaidSession.objects.create(account=account, session=session)
    return account


def lock_account(pk: int) -> PayAccount:
    return PayAccount.objects.select_for_update().get(pk=pk)


def post_line(account: PayAccount, kind: LineKind, amount: Decimal, **about: object) -> PayLine:
    """Adds a line to an account whose row is locked."""
    return PayLine.objects.create(account=account, kind=kind.value, amount=amount, posted_at=now(), **about)


LEAST_TEXT, MOST_TEXT = 10, 500
"""Characters of the text that explains an adjustment, a refusal or a budget."""


def enter_adjustment(
    session: Session, amount: Decimal, reason: AdjustmentReason, text: str, staff: Staff
) -> Adjustment:
    """Stores an adjustment, which waits for approval. Pay that is owed cannot fall below zero.

    Refusal: session_running, amount_invalid, beyond_owed, reason_missing, reason_too_long.
    """
    text = checked_text(text)
    with transaction.atomic():
        session = locked_session(session.pk)
        if session.ended_at is None:
            raise Refusal("session_running", "Pay can be adjusted once the session has ended.")
        account = account_of(session)
        _check(amount, account, waiting_deductions(account))
        return Adjustment.objects.create(
            account=account, amount=amount, reason=reason, text=text, entered_by=staff, entered_at=now()
        )


def decide_adjustment(
    adjustment: Adjustment, *, approved: bool, text: str, staff: Staff
) -> AdjustmentDecision:
    """Approves an adjustment, which posts it, or refuses it with a text. A large one is approved with a text.

    Refusal: own_adjustment, decided_already, beyond_owed, reason_missing, reason_too_long.
    """
    protocol = adjustment.account.study.protocol
    is_large = abs(adjustment.amount) > protocol.large_in_fees * protocol.pay.fee
    text = text.strip() if approved and not text.strip() and not is_large else checked_text(text)
    if adjustment.entered_by_id == staff.pk:
        message = "You entered this adjustment, so somebody else has to approve or refuse it."
        raise Refusal("own_adjustment", message)
    with transaction.atomic():
        account = lock_account(adjustment.account_id)
        if AdjustmentDecision.objects.filter(adjustment=adjustment).exists():
            raise Refusal("decided_already", "Somebody has just decided about this adjustment.")
        decision = AdjustmentDecision.objects.create(
            adjustment=adjustment, approved=approved, text=text, decided_by=staff, decided_at=now()
        )
        if approved:
            _check(adjustment.amount, account)
            post_line(account, LineKind.ADJUSTMENT, adjustment.amount, adjustment=adjustment)
        erase_paid()
    return decision


def checked_text(text: str) -> str:
    """The text without white space around it. Refusal: reason_missing, reason_too_long."""
    text = text.strip()
    if len(text) < LEAST_TEXT:
        message = f"Give a reason of at least {LEAST_TEXT} characters. It stays on record."
        raise Refusal("reason_missing", message)
    if len(text) > MOST_TEXT:
        raise Refusal("reason_too_long", f"At most {MOST_TEXT} characters: shorten the reason.")
    return text


def _check(amount: Decimal, account: PayAccount, waiting: Decimal = Decimal(0)) -> None:
    try:
        check_adjustment(amount, balance_of(account).owed, account.study.currency, waiting)
    except RuleError as error:
        raise Refusal(error.code, error.message, status=400) from error


def set_budget(study: Study, cap: Decimal | None, warn_percent: int, reason: str, staff: Staff) -> Budget:
    """Sets a study's budget from now on; `cap` None: none. The budgets before it stay on record.

    Refusal: rehearsal_not_paid, cap_invalid, percent_invalid, reason_missing, reason_too_long.
    """
    if study.stands_alone:
        what = "is a rehearsal" if study.rehearsal else "was held elsewhere"
        raise Refusal("rehearsal_not_paid", f"This study {what}. Nobody is paid for it.")
    try:
        pay.Budget(cap if cap is not None else Decimal(0), warn_percent)
    except RuleError as error:
        raise Refusal(error.code, error.message, status=400) from error
    reason = checked_text(reason)
    with transaction.atomic():
        locked_study(study.pk)
        return Budget.objects.create(
            study=study, cap=cap, warn_percent=warn_percent, reason=reason, set_by=staff, set_at=now()
        )


def refuse_beyond_budget(study: Study, wanted: int, **_: object) -> None:
    """Refusal: budget_reached, if so many more sessions would exceed the study's budget.

    Called with the study's row locked. People who were promised a place are in what is expected already.
    """
    if study.rehearsal or (budget := budget_of(study)) is None:
        return
    found = study_pay(study)
    if budget.allows(found.committed, found.per_session * wanted):
        return
    cap, committed, each = (
        amount_text(one, study.currency) for one in (budget.cap, found.committed, found.per_session)
    )
    raise Refusal(
        "budget_reached",
        f"The budget of this study is {cap}, of which {committed} is owed or expected."
        f" {wanted} more at about {each} a session would exceed it. Ask a lead to raise the budget.",
    )
