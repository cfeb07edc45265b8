"""Ends attempts and sessions whose deadline has passed, at the time of the deadline."""

from datetime import datetime

from playtest.play.models import Attempt, Session, SessionEnd
from playtest.play.queries import deadline_of
from playtest.play.services.attempts import end_attempt
from playtest.play.services.sessions import end_session, end_session_if_nothing_left
from playtest.rules.limits import session_deadline


def end_attempt_if_overdue(attempt: Attempt, moment: datetime) -> bool:
    """End the attempt if its deadline has passed; returns whether this call ended it."""
    deadline = deadline_of(attempt)
    return moment >= deadline.at and end_attempt(attempt.pk, deadline.cause, deadline.at)


def end_session_if_over(session: Session, moment: datetime) -> bool:
    """End the session if its time is over; returns whether this call ended it."""
    if session.checked_in_at is None:
        return False
    for attempt in session.attempts.filter(ended_at__isnull=True).select_related("session__protocol"):
        end_attempt_if_overdue(attempt, moment)
    deadline = session_deadline(session.checked_in_at, session.prescribed.limits)
    return moment >= deadline and end_session(session, SessionEnd.TIME_OVER, at=deadline)


def end_what_is_over(session_id: int, moment: datetime) -> None:
    """End the open attempt and the session if their time is over, or if nothing is left to play."""
    session = Session.objects.select_related("study", "participant", "protocol").get(pk=session_id)
    if session.ended_at is None and not end_session_if_over(session, moment):
        end_session_if_nothing_left(session)
