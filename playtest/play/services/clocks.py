"""What staff do to the clocks of sessions: pause, resume, grant time, announce, end the open attempt.

Each is an event of the session and of its open attempt, and the events are the truth: `play.adjustments`
reads the clocks from them. `Session.paused_at` repeats them, and keeps entries out of the journal.
The same for many sessions at once is `clocks_of_many.py`.
"""

from datetime import datetime

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.adjustments import adjustments_of
from playtest.play.admission import refuse_unless_served
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Event, EventKind, Session
from playtest.play.notifications import announce_after_commit, notify_after_commit
from playtest.play.queries import open_attempt
from playtest.play.services.attempts import end_attempt
from playtest.play.services.limits import end_session_if_over
from playtest.play.services.session_locks import locked_sessions
from playtest.rules.attempt import Outcome

LONGEST_GRANT_SECONDS = 2 * 60 * 60
LONGEST_REASON = 500
MOST_MINUTES = 120


def pause(session: Session, staff: Staff, reason: str) -> None:
    """Stop the clocks of a session, from check-in to its end.

    Refusal: session_ended, not_checked_in, already_paused, reason_too_long.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session = _running(session)
        if session.paused_at is not None:
            raise Refusal("already_paused", "This session is paused already.")
        _pause(session, now(), staff, reason)


def resume(session: Session, staff: Staff) -> None:
    """Let the clocks of a paused session run again. Refusal: session_ended, not_checked_in, not_paused."""
    with transaction.atomic():
        session = _running(session)
        if session.paused_at is None:
            raise Refusal("not_paused", "This session is not paused.")
        _resume(session, now(), staff)


def grant_time(
    session: Session, staff: Staff, seconds: int, *, environment: bool, session_too: bool, reason: str
) -> None:
    """Add time to the open attempt's hard limit, to the session, or to both.

    Granted time is time of interaction: an attempt that lasts longer than the protocol lets an attempt last
    does not count. Refusal: session_ended, not_checked_in, seconds_invalid, nothing_granted, no_open_attempt,
    reason_too_long.
    """
    reason = checked_reason(reason)
    check_grant(seconds, environment=environment, session_too=session_too)
    with transaction.atomic():
        session = _running(session)
        if environment and open_attempt(session.pk) is None:
            raise Refusal("no_open_attempt", "No environment is open at this station.")
        details = {
            "seconds": seconds,
            "environment": environment,
            "session": session_too,
            "reason": reason,
        }
        _record(session, EventKind.TIME_GRANTED, now(), staff, details)
        notify_after_commit(session.pk)


def announce(session: Session, staff: Staff, minutes: int) -> None:
    """Say on the open page about how many minutes are left; this changes no clock.

    Refusal: session_ended, not_checked_in, minutes_invalid.
    """
    check_minutes(minutes)
    with transaction.atomic():
        _announce(_running(session), now(), staff, minutes)


def end_attempt_by_staff(session: Session, staff: Staff) -> None:
    """End the open attempt; the session is then in the pause between environments.

    Refusal: session_ended, not_checked_in, no_open_attempt.
    """
    with transaction.atomic():
        session = _running(session)
        attempt = open_attempt(session.pk)
        if attempt is None or not end_attempt(attempt.pk, Outcome.ENDED_BY_STAFF, now(), staff=staff):
            raise Refusal("no_open_attempt", "No environment is open at this station.")
        notify_after_commit(session.pk)


def correct_pause(session: Session) -> bool:
    """Make `paused_at` repeat the events again; returns whether it did not."""
    with transaction.atomic():
        [session] = locked_sessions([session.pk])
        before, session.paused_at = session.paused_at, adjustments_of(session).paused_since
        session.save(update_fields=["paused_at"])
    return before != session.paused_at


def _pause(session: Session, moment: datetime, staff: Staff, reason: str) -> None:
    session.paused_at = moment
    session.save(update_fields=["paused_at"])
    _record(session, EventKind.PAUSED, moment, staff, {"reason": reason, "all": False})
    notify_after_commit(session.pk)


def _resume(session: Session, moment: datetime, staff: Staff) -> None:
    assert session.paused_at is not None
    moment = max(moment, session.paused_at)  # processes differ in their clocks
    session.paused_at = None
    session.save(update_fields=["paused_at"])
    _record(session, EventKind.RESUMED, moment, staff, {"all": False})
    notify_after_commit(session.pk)


def _announce(session: Session, moment: datetime, staff: Staff, minutes: int) -> None:
    _record(session, EventKind.TIME_ANNOUNCED, moment, staff, {"minutes": minutes})
    announce_after_commit([session.pk], minutes)


def _record(
    session: Session, kind: EventKind, moment: datetime, staff: Staff, details: dict[str, object]
) -> None:
    """Record an event of the session and of its open attempt."""
    Event.objects.create(
        session=session,
        attempt=open_attempt(session.pk),
        kind=kind,
        server_time=moment,
        staff=staff,
        details=details,
    )


def _running(session: Session) -> Session:
    """The session, locked, while somebody plays it. Refusal: session_ended, not_checked_in."""
    [found] = locked_sessions([session.pk])
    refuse_unless_served(found.study)
    if found.ended_at is not None or end_session_if_over(found, now()):
        raise Refusal("session_ended", "This session has ended.")
    if found.checked_in_at is None:
        raise Refusal("not_checked_in", "Nobody has checked in to this session yet.")
    return found


def checked_reason(reason: str) -> str:
    """The reason without spaces around it. Refusal: reason_too_long."""
    reason = reason.strip()
    if len(reason) > LONGEST_REASON:
        message = f"A reason has at most {LONGEST_REASON} characters."
        raise Refusal("reason_too_long", message, status=400)
    return reason


def check_minutes(minutes: int) -> None:
    """Refusal: minutes_invalid."""
    if not 0 < minutes <= MOST_MINUTES:
        message = f"Announce between 1 and {MOST_MINUTES} minutes."
        raise Refusal("minutes_invalid", message, status=400)


def check_grant(seconds: int, *, environment: bool, session_too: bool) -> None:
    """Refusal: seconds_invalid, nothing_granted."""
    if not 0 < seconds <= LONGEST_GRANT_SECONDS:
        most = LONGEST_GRANT_SECONDS // 60
        raise Refusal("seconds_invalid", f"Grant between 1 second and {most} minutes.", status=400)
    if not (environment or session_too):
        message = "Choose what gets more time: the environment, the session, or both."
        raise Refusal("nothing_granted", message, status=400)
