"""A part for the list of studies: a tag where a budget is nearly or wholly used."""

from typing import Any

from playtest.center.pay.queries.totals import budget_of, study_pay
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Study


def budget_tag(staff: Staff | None, study: Study) -> dict[str, Any]:
    """The study's pay, for staff who may see pay, if it has a budget."""
    may_see = staff is not None and staff.may(Right.ENTER_PAY)
    return {"pay": study_pay(study) if may_see and budget_of(study) is not None else None}
