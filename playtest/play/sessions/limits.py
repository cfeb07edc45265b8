"""Ends attempts and sessions whose deadline has passed, at the time of the deadline."""

from datetime import datetime

from playtest.play.journal.outages import may_end_what_is_over
from playtest.play.models import Attempt, Session, SessionEnd
from playtest.play.sessions.absences import record_absences
from playtest.play.sessions.adjustments import adjustments_of, sign_before, while_away
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.ends import end_session, end_session_if_nothing_left
from playtest.play.sessions.reads import deadline_of, deadline_of_session, session_time_is_over
from playtest.rules.adjustments import NO_ADJUSTMENTS
from playtest.rules.limits import is_over


def end_attempt_if_overdue(attempt: Attempt, moment: datetime) -> bool:
    """End the attempt if its deadline has passed; returns whether this call ended it.

    Staff and outages only move a deadline later, so what changed is read where the first one has passed.
    While the person's connection is away, it waits for as long as the protocol says.
    """
    first = deadline_of(attempt, NO_ADJUSTMENTS)
    if first is None or not is_over(first.at, moment) or not may_end_what_is_over():
        return False
    changed = adjustments_of(attempt.session)
    deadline = deadline_of(attempt, changed)
    if deadline is None or not is_over(deadline.at, moment):
        return False
    if (since := sign_before(attempt.session, deadline.at)) is not None:
        deadline = deadline_of(attempt, while_away(attempt.session, deadline.at, changed))
        if deadline is None or not is_over(deadline.at, moment):
            return False
        record_absences({attempt.session.pk: (since, None)})
    return end_attempt(attempt.pk, deadline.cause, deadline.at)


def end_session_if_over(session: Session, moment: datetime) -> bool:
    """End the session if its time is over; returns whether this call ended it."""
    if session.checked_in_at is None:
        return False
    for attempt in session.attempts.filter(ended_at__isnull=True).select_related("session__protocol"):
        end_attempt_if_overdue(attempt, moment)
    if not session_time_is_over(session, moment) or not may_end_what_is_over():
        return False
    changed = adjustments_of(session)
    deadline = deadline_of_session(session, changed)
    if (since := sign_before(session, deadline)) is not None:
        deadline = deadline_of_session(session, while_away(session, deadline, changed))
        if deadline is not None and is_over(deadline, moment):
            record_absences({session.pk: (since, None)})
    return is_over(deadline, moment) and end_session(session, SessionEnd.TIME_OVER, at=deadline)


def end_what_is_over(session_id: int, moment: datetime) -> None:
    """End the open attempt and the session if their time is over, or if nothing is left to play."""
    session = Session.objects.select_related("study", "participant", "protocol").get(pk=session_id)
    if session.ended_at is None and not end_session_if_over(session, moment):
        end_session_if_nothing_left(session)
