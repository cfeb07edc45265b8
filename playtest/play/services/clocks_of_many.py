"""What staff do to the clocks of many sessions at one moment, in a few statements however many there are.

Everybody's actions wait while SQLite writes, so rows are read and written for all at once. Only if the
database refuses that is each session changed alone: then one that fails does not keep the others from it.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db import DatabaseError, transaction

from playtest.people.models import Staff
from playtest.play.adjustments import adjustments_of_sessions
from playtest.play.admission import is_served
from playtest.play.clock import now
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.notifications import announce_after_commit, notify_after_commit
from playtest.play.queries import OPEN, deadline_of, deadline_of_session
from playtest.play.services.clocks import (
    check_grant,
    check_minutes,
    checked_reason,
)
from playtest.play.services.limits import end_session_if_over
from playtest.play.services.session_locks import locked_sessions
from playtest.rules.adjustments import Adjustments

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
    ends = deadline_of_session(session, adjustments)
    if attempt is not None:
        deadline = deadline_of(attempt, adjustments)
        if deadline is not None and deadline.at <= moment:
            return True
    return ends is not None and ends <= moment


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
