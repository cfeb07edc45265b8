"""Adjustments of a session's pay: one person enters one, and another approves or refuses it."""

from decimal import Decimal

from django.db import transaction

from playtest.center.pay.models import Adjustment, AdjustmentDecision, AdjustmentReason
from playtest.center.pay.queries.accounts import balance_of, waiting_deductions
from playtest.center.pay.services.posting import account_of, lock_account, post_line
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.play.sessions.locks import locked_session
from playtest.rules.errors import RuleError
from playtest.rules.pay import LineKind, check_adjustment

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
        _check(amount, balance_of(account).owed, waiting_deductions(account))
        return Adjustment.objects.create(
            account=account, amount=amount, reason=reason, text=text, entered_by=staff, entered_at=now()
        )


def decide_adjustment(
    adjustment: Adjustment, *, approved: bool, text: str, staff: Staff
) -> AdjustmentDecision:
    """Approves an adjustment, which posts it, or refuses it with a text.

    Refusal: own_adjustment, decided_already, beyond_owed, reason_missing, reason_too_long.
    """
    text = text.strip() if approved and not text.strip() else checked_text(text)
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
            _check(adjustment.amount, balance_of(account).owed)
            post_line(account, LineKind.ADJUSTMENT, adjustment.amount, adjustment=adjustment)
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


def _check(amount: Decimal, owed: Decimal, waiting: Decimal = Decimal(0)) -> None:
    try:
        check_adjustment(amount, owed, waiting)
    except RuleError as error:
        raise Refusal(error.code, error.message, status=400) from error
