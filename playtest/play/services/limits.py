"""What has passed its deadline ends at the deadline's own time, whoever notices first."""

from datetime import datetime

from playtest.play.models import Attempt, Session, SessionEnd
from playtest.play.services.attempts import end_attempt
from playtest.play.services.sessions import end_session
from playtest.rules.attempt import Outcome
from playtest.rules.limits import Deadline, attempt_deadline, session_deadline


def deadline_of(attempt: Attempt) -> Deadline:
    """When an open attempt is cut off, and as what; before its first frame only by the session's end."""
    session = attempt.session
    if session.checked_in_at is None:
        raise ValueError("an attempt belongs to a session that was checked in")
    if attempt.first_frame_at is None:
        return Deadline(session_deadline(session.checked_in_at, session.study.limits), Outcome.SESSION_OVER)
    return attempt_deadline(attempt.first_frame_at, session.checked_in_at, session.study.limits)


def end_attempt_if_overdue(attempt: Attempt, moment: datetime) -> bool:
    """Whether the attempt was overdue and is ended now."""
    deadline = deadline_of(attempt)
    return moment >= deadline.at and end_attempt(attempt.pk, deadline.cause, deadline.at)


def end_session_if_over(session: Session, moment: datetime) -> bool:
    """Whether the session's time was over and it is ended now."""
    if session.checked_in_at is None:
        return False
    for attempt in session.attempts.filter(ended_at__isnull=True).select_related("session__study"):
        end_attempt_if_overdue(attempt, moment)
    deadline = session_deadline(session.checked_in_at, session.study.limits)
    return moment >= deadline and end_session(session, SessionEnd.TIME_OVER, at=deadline)
