"""Budgets: sets one, and refuses sessions that would exceed it."""

from decimal import Decimal

from django.db import transaction

from playtest.center.pay import money
from playtest.center.pay.models import Budget
from playtest.center.pay.queries.totals import budget_of, study_pay
from playtest.center.pay.services.adjustments import checked_text
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.locks import locked_study
from playtest.rules import pay
from playtest.rules.errors import RuleError


def set_budget(study: Study, cap: Decimal | None, warn_percent: int, reason: str, staff: Staff) -> Budget:
    """Sets a study's budget from now on; `cap` None: none. The budgets before it stay on record.

    Refusal: rehearsal_not_paid, cap_invalid, percent_invalid, reason_missing, reason_too_long.
    """
    if study.rehearsal:
        raise Refusal("rehearsal_not_paid", "This study is a rehearsal. Nobody is paid for it.")
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
    raise Refusal(
        "budget_reached",
        f"The budget of this study is {money.shown(budget.cap)}, of which"
        f" {money.shown(found.committed)} is owed or expected. {wanted} more at about"
        f" {money.shown(found.per_session)} a session would exceed it. Ask a lead to raise the budget.",
    )
