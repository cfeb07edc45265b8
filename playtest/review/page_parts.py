"""Parts for pages of lower rooms: the notice of faults, and a session's effort flags."""

from typing import Any

from playtest.center.interventions.queries import voided_attempts
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Session
from playtest.review.queries.attempts import unacknowledged_faults
from playtest.review.queries.effort import flags


def fault_notice(staff: Staff | None, _: None) -> dict[str, Any]:
    """The number of faults to acknowledge; 0 for staff without the right to watch attempts."""
    may_open = staff is not None and staff.may(Right.WATCH_ATTEMPTS)
    return {"faults": unacknowledged_faults().count() if may_open else 0}


def effort_flags(staff: Staff | None, session: Session) -> dict[str, Any]:
    """The flags of a session so far, with links for staff with the right to follow them."""
    return {
        "session": session,
        "flags": list(flags().filter(session=session)),
        "void": set(voided_attempts().filter(session=session).values_list("pk", flat=True)),
        "may_watch": staff is not None and staff.may(Right.WATCH_ATTEMPTS),
        "may_review": staff is not None and staff.may(Right.REVIEW_EFFORT),
    }
