"""What staff do to the clocks of sessions: pause, resume, grant time, announce, end the open attempt.

Each is an event of the session and of its open attempt, and the events are the truth: `sessions.adjustments`
reads the clocks from them. `Session.paused_at` repeats them, and keeps entries out of the journal.

Many sessions are changed at one moment in a few statements, because everybody's actions wait while SQLite
writes. Only if the database refuses that is each changed alone: one that fails does not stop the others.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db import DatabaseError, transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.sessions.adjustments import adjustments_of, adjustments_of_sessions
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.limits import end_session_if_over
from playtest.play.sessions.locks import locked_session, locked_sessions
from playtest.play.sessions.notifications import announce_after_commit, notify_after_commit
from playtest.play.sessions.reads import OPEN, deadline_of, deadline_of_session, open_attempt
from playtest.play.sessions.seats import is_served, refuse_unless_served
from playtest.rules.adjustments import Adjustments
from playtest.rules.attempt import Outcome
from playtest.rules.limits import is_over

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
        session.paused_at = now()
        session.save(update_fields=["paused_at"])
        _record(session, EventKind.PAUSED, session.paused_at, staff, {"reason": reason, "all": False})
        notify_after_commit(session.pk)


def resume(session: Session, staff: Staff) -> None:
    """Let the clocks of a paused session run again. Refusal: session_ended, not_checked_in, not_paused."""
    with transaction.atomic():
        session = _running(session)
        if session.paused_at is None:
            raise Refusal("not_paused", "This session is not paused.")
        moment = max(now(), session.paused_at)  # processes differ in their clocks
        session.paused_at = None
        session.save(update_fields=["paused_at"])
        _record(session, EventKind.RESUMED, moment, staff, {"all": False})
        notify_after_commit(session.pk)


def grant_time(
    session: Session, staff: Staff, seconds: int, *, environment: bool, session_too: bool, reason: str
) -> None:
    """Add time to the open attempt's hard limit, to the session, or to both.

    Time granted to an attempt also moves until when it counts. Refusal: session_ended, not_checked_in,
    seconds_invalid, nothing_granted, no_open_attempt, reason_too_long.
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
        _record(_running(session), EventKind.TIME_ANNOUNCED, now(), staff, {"minutes": minutes})
        announce_after_commit([session.pk], minutes)


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
        session = locked_session(session.pk)
        before, session.paused_at = session.paused_at, adjustments_of(session).paused_since
        session.save(update_fields=["paused_at"])
    return before != session.paused_at


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
    found = locked_session(session.pk)
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


logger = logging.getLogger(__name__)

type _Playing = list[tuple[Session, Attempt | None]]
"""Sessions that somebody plays, locked, each with its open attempt."""


def pause_all(sessions: Iterable[Session], staff: Staff, reason: str) -> list[Session]:
    """Stop the clocks of many sessions at one moment; returns those that it paused.

    Sessions that nobody plays or that are paused already stay as they are. Refusal: reason_too_long.
    """
    details = {"reason": checked_reason(reason), "all": True}
    with transaction.atomic():
        playing, moment = _locked_playing(sessions)
        events = [
            _event(one, attempt, EventKind.PAUSED, moment, staff, details)
            for one, attempt in playing
            if one.paused_at is None
        ]
        return _notified(_stored(events, lambda some: _set_paused(some, moment)))


def resume_all(sessions: Iterable[Session], staff: Staff) -> list[Session]:
    """Let the clocks of all paused sessions run again, from one moment on; returns those sessions."""
    with transaction.atomic():
        playing, moment = _locked_playing(sessions)
        events = [
            # processes differ in their clocks
            _event(one, attempt, EventKind.RESUMED, max(moment, one.paused_at), staff, {"all": True})
            for one, attempt in playing
            if one.paused_at is not None
        ]
        return _notified(_stored(events, lambda some: _set_paused(some, None)))


def announce_to_all(sessions: Iterable[Session], staff: Staff, minutes: int) -> list[Session]:
    """Say so on many pages; returns the sessions that somebody plays. Refusal: minutes_invalid."""
    check_minutes(minutes)
    details: dict[str, object] = {"minutes": minutes, "all": True}
    with transaction.atomic():
        playing, moment = _locked_playing(sessions)
        events = [
            _event(one, attempt, EventKind.TIME_ANNOUNCED, moment, staff, details) for one, attempt in playing
        ]
        told = _stored(events)
        announce_after_commit([session.pk for session in told], minutes)
    return told


def grant_to_all(
    sessions: Iterable[Session],
    staff: Staff,
    seconds: int,
    *,
    environment: bool,
    session_too: bool,
    reason: str,
) -> list[Session]:
    """Add time to open attempts, to sessions, or to both; returns the sessions that were given time.

    A session without an open attempt is given what sessions get. The meaning and refusals of `grant_time`,
    without those about one session.
    """
    reason = checked_reason(reason)
    check_grant(seconds, environment=environment, session_too=session_too)
    details = {"seconds": seconds, "session": session_too, "reason": reason, "all": True}
    with transaction.atomic():
        playing, moment = _locked_playing(sessions)
        events = []
        for one, attempt in playing:
            here = environment and attempt is not None
            if here or session_too:
                given = details | {"environment": here}
                events.append(_event(one, attempt, EventKind.TIME_GRANTED, moment, staff, given))
        return _notified(_stored(events))


def _locked_playing(sessions: Iterable[Session]) -> tuple[_Playing, datetime]:
    """Those of the sessions that somebody plays, and the moment of the change, which is after every action.

    What is over by then is ended first.
    """
    found = locked_sessions([session.pk for session in sessions])
    served = [
        one
        for one in found
        if one.ended_at is None and one.checked_in_at is not None and is_served(one.study)
    ]
    moment = now()
    adjustments = adjustments_of_sessions([session.pk for session in served])
    attempts = _open_attempts(served)
    playing: _Playing = []
    for session in served:
        attempt = attempts.get(session.pk)
        if _something_is_over(session, attempt, adjustments[session.pk], moment):
            try:
                with transaction.atomic():
                    if end_session_if_over(session, moment):
                        continue
            except DatabaseError:
                logger.exception("session %d is over and could not be ended", session.pk)
                continue
            attempt = None
        playing.append((session, attempt))
    return playing, moment


def _open_attempts(sessions: Iterable[Session]) -> dict[int, Attempt]:
    """The open attempts of these sessions, by session, in one read."""
    by_key = {session.pk: session for session in sessions}
    found = {}
    for attempt in Attempt.objects.filter(OPEN, session__in=by_key.keys()):
        attempt.session = by_key[attempt.session_pk]
        found[attempt.session_pk] = attempt
    return found


def _something_is_over(
    session: Session, attempt: Attempt | None, adjustments: Adjustments, moment: datetime
) -> bool:
    """Whether the time of the session or of its open attempt is over."""
    deadline = None if attempt is None else deadline_of(attempt, adjustments)
    ends = (deadline and deadline.at, deadline_of_session(session, adjustments))
    return any(is_over(end, moment) for end in ends)


def _event(
    session: Session,
    attempt: Attempt | None,
    kind: EventKind,
    moment: datetime,
    staff: Staff,
    details: dict[str, object],
) -> Event:
    return Event(
        session=session, attempt=attempt, kind=kind, server_time=moment, staff=staff, details=details
    )


def _stored(events: list[Event], change: Callable[[list[Session]], object] = lambda _: None) -> list[Session]:
    """Store the events and change their sessions, all at once, else one by one; the sessions that changed."""
    try:
        return _stored_at_once(events, change)
    except DatabaseError:
        logger.exception("%d sessions could not be changed at once: each is changed alone", len(events))
    changed = []
    for event in events:
        event.pk = None
        try:
            changed += _stored_at_once([event], change)
        except DatabaseError:
            logger.exception("session %d could not be changed with the others", event.session_id)
    return changed


def _stored_at_once(events: list[Event], change: Callable[[list[Session]], object]) -> list[Session]:
    sessions = [event.session for event in events]
    with transaction.atomic():
        Event.objects.bulk_create(events)
        change(sessions)
    return sessions


def _set_paused(sessions: list[Session], moment: datetime | None) -> None:
    Session.objects.filter(pk__in=[session.pk for session in sessions]).update(paused_at=moment)


def _notified(sessions: list[Session]) -> list[Session]:
    notify_after_commit(*(session.pk for session in sessions))
    return sessions
