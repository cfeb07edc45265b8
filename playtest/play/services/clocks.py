"""What staff do to the clocks of sessions: pause, resume, grant time, announce, end the open attempt.

Each is an event of the session and of its open attempt, and the events are the truth: `play.adjustments`
reads the clocks from them. `Session.paused_at` repeats them, and keeps entries out of the journal.
"""

import logging
from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from django.db import DatabaseError, transaction

from playtest.people.models import Staff
from playtest.play.adjustments import adjustments_of
from playtest.play.admission import is_served, refuse_unless_served
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Event, EventKind, Session
from playtest.play.notifications import announce_after_commit, notify_after_commit
from playtest.play.queries import open_attempt
from playtest.play.services.attempts import end_attempt
from playtest.play.services.limits import end_session_if_over
from playtest.rules.attempt import Outcome

logger = logging.getLogger(__name__)

LONGEST_GRANT_SECONDS = 2 * 60 * 60
LONGEST_REASON = 500
MOST_MINUTES = 120


def pause(session: Session, staff: Staff, reason: str, *, everybody: bool = False) -> None:
    """Stop the clocks of a session, from check-in to its end.

    Refusal: session_ended, not_checked_in, already_paused, reason_too_long.
    """
    reason = _checked_reason(reason)
    with transaction.atomic():
        session = _running(session)
        if session.paused_at is not None:
            raise Refusal("already_paused", "This session is paused already.")
        _pause(session, now(), staff, reason, everybody=everybody)


def resume(session: Session, staff: Staff, *, everybody: bool = False) -> None:
    """Let the clocks of a paused session run again. Refusal: session_ended, not_checked_in, not_paused."""
    with transaction.atomic():
        session = _running(session)
        if session.paused_at is None:
            raise Refusal("not_paused", "This session is not paused.")
        _resume(session, now(), staff, everybody=everybody)


def pause_all(sessions: Iterable[Session], staff: Staff, reason: str) -> list[Session]:
    """Stop the clocks of many sessions at one moment; returns those that it paused.

    Sessions that nobody plays or that are paused already stay as they are. Refusal: reason_too_long.
    """
    reason = _checked_reason(reason)
    with transaction.atomic():
        found = [session for session in _locked_running(sessions) if session.paused_at is None]
        moment = now()
        return _each(found, lambda one: _pause(one, moment, staff, reason, everybody=True))


def resume_all(sessions: Iterable[Session], staff: Staff) -> list[Session]:
    """Let the clocks of all paused sessions run again, from one moment on; returns those sessions."""
    with transaction.atomic():
        found = [session for session in _locked_running(sessions) if session.paused_at is not None]
        moment = now()
        return _each(found, lambda one: _resume(one, moment, staff, everybody=True))


def grant_time(
    session: Session, staff: Staff, seconds: int, *, environment: bool, session_too: bool, reason: str
) -> None:
    """Add time to the open attempt's hard limit, to the session, or to both.

    Granted time is time of interaction: an attempt that lasts longer than the protocol lets an attempt last
    does not count. Refusal: session_ended, not_checked_in, seconds_invalid, nothing_granted, no_open_attempt,
    reason_too_long.
    """
    reason = _checked_reason(reason)
    if not 0 < seconds <= LONGEST_GRANT_SECONDS:
        most = LONGEST_GRANT_SECONDS // 60
        raise Refusal("seconds_invalid", f"Grant between 1 second and {most} minutes.", status=400)
    if not (environment or session_too):
        message = "Choose what gets more time: the environment, the session, or both."
        raise Refusal("nothing_granted", message, status=400)
    with transaction.atomic():
        session = _running(session)
        if environment and open_attempt(session) is None:
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
    _check_minutes(minutes)
    with transaction.atomic():
        _announce(_running(session), now(), staff, minutes)


def announce_to_all(sessions: Iterable[Session], staff: Staff, minutes: int) -> list[Session]:
    """Say so on many pages; returns the sessions that somebody plays. Refusal: minutes_invalid."""
    _check_minutes(minutes)
    with transaction.atomic():
        found = _locked_running(sessions)
        moment = now()
        return _each(found, lambda one: _announce(one, moment, staff, minutes))


def end_attempt_by_staff(session: Session, staff: Staff) -> None:
    """End the open attempt; the session is then in the pause between environments.

    Refusal: session_ended, not_checked_in, no_open_attempt.
    """
    with transaction.atomic():
        session = _running(session)
        attempt = open_attempt(session)
        if attempt is None or not end_attempt(attempt.pk, Outcome.ENDED_BY_STAFF, now(), staff=staff):
            raise Refusal("no_open_attempt", "No environment is open at this station.")
        notify_after_commit(session.pk)


def correct_pause(session: Session) -> bool:
    """Make `paused_at` repeat the events again; returns whether it did not."""
    with transaction.atomic():
        [session] = _locked([session.pk])
        before, session.paused_at = session.paused_at, adjustments_of(session).paused_since
        session.save(update_fields=["paused_at"])
    return before != session.paused_at


def _each(sessions: Iterable[Session], change: Callable[[Session], None]) -> list[Session]:
    """Change each session; returns those that changed. One that fails does not keep the others from it."""
    changed = []
    for session in sessions:
        try:
            with transaction.atomic():
                change(session)
        except DatabaseError:
            logger.exception("session %d could not be changed with the others", session.pk)
        else:
            changed.append(session)
    return changed


def _pause(session: Session, moment: datetime, staff: Staff, reason: str, *, everybody: bool) -> None:
    session.paused_at = moment
    session.save(update_fields=["paused_at"])
    _record(session, EventKind.PAUSED, moment, staff, {"reason": reason, "all": everybody})
    notify_after_commit(session.pk)


def _resume(session: Session, moment: datetime, staff: Staff, *, everybody: bool) -> None:
    assert session.paused_at is not None
    moment = max(moment, session.paused_at)  # processes differ in their clocks
    session.paused_at = None
    session.save(update_fields=["paused_at"])
    _record(session, EventKind.RESUMED, moment, staff, {"all": everybody})
    notify_after_commit(session.pk)


def _announce(session: Session, moment: datetime, staff: Staff, minutes: int) -> None:
    _record(session, EventKind.TIME_ANNOUNCED, moment, staff, {"minutes": minutes})
    announce_after_commit(session.pk, minutes)


def _record(
    session: Session, kind: EventKind, moment: datetime, staff: Staff, details: dict[str, object]
) -> None:
    """Record an event of the session and of its open attempt."""
    Event.objects.create(
        session=session,
        attempt=open_attempt(session),
        kind=kind,
        server_time=moment,
        staff=staff,
        details=details,
    )


def _running(session: Session) -> Session:
    """The session, locked, while somebody plays it. Refusal: session_ended, not_checked_in."""
    [found] = _locked([session.pk])
    refuse_unless_served(found.study)
    if found.ended_at is not None or end_session_if_over(found, now()):
        raise Refusal("session_ended", "This session has ended.")
    if found.checked_in_at is None:
        raise Refusal("not_checked_in", "Nobody has checked in to this session yet.")
    return found


def _locked_running(sessions: Iterable[Session]) -> list[Session]:
    """Those of the sessions that somebody plays, locked; what is over by now is ended first."""
    found = _locked([session.pk for session in sessions])
    playing = (one for one in found if one.ended_at is None and one.checked_in_at is not None)
    served = (one for one in playing if is_served(one.study))
    return [session for session in served if not end_session_if_over(session, now())]


def _locked(sessions: Collection[int]) -> list[Session]:
    """Lock the rows in the order of the journal's writer, which locks them against a pause."""
    return list(
        Session.objects.select_for_update(of=("self",), no_key=True)
        .select_related("study", "participant", "protocol")
        .filter(pk__in=sessions)
        .order_by("pk")
    )


def _checked_reason(reason: str) -> str:
    reason = reason.strip()
    if len(reason) > LONGEST_REASON:
        message = f"A reason has at most {LONGEST_REASON} characters."
        raise Refusal("reason_too_long", message, status=400)
    return reason


def _check_minutes(minutes: int) -> None:
    if not 0 < minutes <= MOST_MINUTES:
        message = f"Announce between 1 and {MOST_MINUTES} minutes."
        raise Refusal("minutes_invalid", message, status=400)
