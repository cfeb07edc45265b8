"""What staff do to the clocks of one session or of many: pause, resume, grant time, plan an end.

Each is an event of the session and of its open attempt, and the events are the truth: `sessions.adjustments`
reads the clocks from them. `Session.paused_at` repeats them, and keeps entries out of the journal.

Many are changed in a few statements: everybody's actions wait while SQLite writes. Only if the database
refuses that is each changed alone, so that one that fails does not stop the others.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db import DatabaseError, transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.sessions.adjustments import adjustments_of, adjustments_of_sessions
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.ends import end_session_if_over
from playtest.play.sessions.locks import locked_session, locked_sessions
from playtest.play.sessions.notifications import announce_after_commit, notify_after_commit
from playtest.play.sessions.reads import OPEN, deadline_of, deadline_of_session, open_attempt
from playtest.play.sessions.seats import refuse_unless_served
from playtest.rules.adjustments import Adjustments, PlannedEnd
from playtest.rules.attempt import Outcome
from playtest.rules.limits import is_over

logger = logging.getLogger(__name__)

LONGEST_GRANT_SECONDS = 2 * 60 * 60
LONGEST_REASON = 500
MOST_MINUTES = 120


class Clocks(NamedTuple):
    """A session as a change finds it, locked, with its open attempt. `moment`: of the change, after every
    action. `everybody`: the session is changed with others.
    """

    session: Session
    attempt: Attempt | None
    adjustments: Adjustments
    moment: datetime
    everybody: bool


class Change(NamedTuple):
    """A change of clocks: its event and what that says, or the Refusal of a session that stays as it is."""

    kind: EventKind
    details: Callable[[Clocks], dict[str, Any]]


class Changed(NamedTuple):
    """Sessions that were changed, and those that had nothing to change."""

    changed: list[Session]
    unchanged: list[Session]


def change(session: Session, staff: Staff, what: Change) -> dict[str, Any]:
    """Change the clocks of a session that somebody plays; returns the details of the event.

    Refusal: session_ended, not_checked_in, those of the change, or the study is not served here.
    """
    with transaction.atomic():
        [found] = _locked([session.pk], everybody=False)
        event = _event(_played(found), staff, what)
        _store([event])
    details: dict[str, Any] = event.details
    return details


def change_all(sessions: Iterable[Session], staff: Staff, what: Change) -> Changed:
    """Change the clocks of those of these sessions that somebody plays, from one moment on."""
    with transaction.atomic():
        events, unchanged = [], []
        for one in _locked([session.pk for session in sessions], everybody=True):
            try:
                played = _played(one)
            except Refusal:
                continue
            except DatabaseError:
                logger.exception("session %d is over and could not be ended", one.session.pk)
                continue
            try:
                events.append(_event(played, staff, what))
            except Refusal:
                unchanged.append(one.session)
        return Changed(_store_each(events), unchanged)


def pausing(reason: str) -> Change:
    """Stop the clocks, until they are resumed or the session ends.

    Refusal: reason_too_long; of a session already_paused.
    """
    reason = _checked(reason)

    def details(found: Clocks) -> dict[str, Any]:
        if found.session.paused_at is not None:
            raise Refusal("already_paused", "This session is paused already.")
        return {"reason": reason, "all": found.everybody}

    return Change(EventKind.PAUSED, details)


def resuming() -> Change:
    """Let the clocks run again. Refusal of a session: not_paused."""

    def details(found: Clocks) -> dict[str, Any]:
        if found.session.paused_at is None:
            raise Refusal("not_paused", "This session is not paused.")
        return {"all": found.everybody}

    return Change(EventKind.RESUMED, details)


def granting(seconds: int, *, environment: bool, session_too: bool, reason: str) -> Change:
    """Add time to the open attempt's hard limit, to the session, or to both.

    Time granted to an attempt also moves until when it counts. Among others a session without an open attempt
    is given what sessions get. Refusal: seconds_invalid, nothing_granted, reason_too_long; of a session
    no_open_attempt.
    """
    reason = _checked(reason)
    if not 0 < seconds <= LONGEST_GRANT_SECONDS:
        most = LONGEST_GRANT_SECONDS // 60
        raise Refusal("seconds_invalid", f"Grant between 1 second and {most} minutes.", status=400)
    if not (environment or session_too):
        message = "Choose what gets more time: the environment, the session, or both."
        raise Refusal("nothing_granted", message, status=400)

    def details(found: Clocks) -> dict[str, Any]:
        here = environment and found.attempt is not None
        if environment and not here and not (session_too and found.everybody):
            raise Refusal("no_open_attempt", "No environment is open at this station.")
        told = {"seconds": seconds, "environment": here, "session": session_too, "reason": reason}
        return told | {"all": True} if found.everybody else told

    return Change(EventKind.TIME_GRANTED, details)


def taking_back(granted_at: datetime | None = None) -> Change:
    """Take back what was granted last, or only if it was at a moment, while none of it is used.

    Refusal of a session: nothing_to_take_back, grant_used.
    """

    def details(found: Clocks) -> dict[str, Any]:
        attempt, adjustments = found.attempt, found.adjustments
        last = adjustments.grants[-1] if adjustments.grants else None
        if last is None or granted_at not in (None, last.at):
            raise Refusal("nothing_to_take_back", "No granted time is left to be taken back.")
        before = replace(_resumed(found), grants=adjustments.grants[:-1])
        elsewhere = last.environment and (attempt is None or attempt.pk != last.attempt)
        if elsewhere or _something_is_over(found.session, attempt, before, found.moment):
            raise Refusal("grant_used", "Of the granted time some is used already: it stays.")
        return {"seconds": last.seconds}

    return Change(EventKind.TIME_TAKEN_BACK, details)


def planning_end(minutes: int) -> Change:
    """Say on the open page that the session ends in so many minutes of its clock, and end it then.

    Refusal: minutes_invalid; of a session ends_before.
    """
    if not 0 < minutes <= MOST_MINUTES:
        message = f"Give between 1 and {MOST_MINUTES} minutes."
        raise Refusal("minutes_invalid", message, status=400)

    def details(found: Clocks) -> dict[str, Any]:
        planned = replace(_resumed(found), planned_end=PlannedEnd(found.moment, 60 * minutes))
        unplanned = replace(planned, planned_end=None)
        if deadline_of_session(found.session, unplanned) == deadline_of_session(found.session, planned):
            raise Refusal("ends_before", "This session ends earlier than that.")
        return {"seconds": 60 * minutes}

    return Change(EventKind.END_PLANNED, details)


def calling_off_end() -> Change:
    """Let the session go on to its limit after all. Refusal of a session: no_end_planned."""

    def details(found: Clocks) -> dict[str, Any]:
        if found.adjustments.planned_end is None:
            raise Refusal("no_end_planned", "No end is planned: the session goes on to its limit.")
        return {}

    return Change(EventKind.END_CALLED_OFF, details)


def end_attempt_by_staff(session: Session, staff: Staff) -> None:
    """End the open attempt; the session is then in the pause between environments.

    Refusal: session_ended, not_checked_in, no_open_attempt, or the study is not served here.
    """
    with transaction.atomic():
        [found] = _locked([session.pk], everybody=False)
        attempt = _played(found).attempt
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


def _locked(sessions: Collection[int], *, everybody: bool) -> list[Clocks]:
    """These sessions as they are now, in a few reads."""
    by_key = {session.pk: session for session in locked_sessions(sessions)}
    moment, adjustments = now(), adjustments_of_sessions(sessions)
    attempts = {}
    for attempt in Attempt.objects.filter(OPEN, session__in=by_key):
        attempt.session = by_key[attempt.session_pk]
        attempts[attempt.session_pk] = attempt
    return [Clocks(one, attempts.get(pk), adjustments[pk], moment, everybody) for pk, one in by_key.items()]


def _played(found: Clocks) -> Clocks:
    """A session that somebody plays, once what is over in it has ended.

    Refusal: session_ended, not_checked_in, or the study is not served here.
    """
    session, attempt, adjustments, moment, _ = found
    refuse_unless_served(session.study)
    is_ended = session.ended_at is not None
    if not is_ended and _something_is_over(session, attempt, adjustments, moment):
        with transaction.atomic():
            is_ended = end_session_if_over(session, moment)
        found = found._replace(attempt=open_attempt(session.pk))
    if is_ended:
        raise Refusal("session_ended", "This session has ended.")
    if session.checked_in_at is None:
        raise Refusal("not_checked_in", "Nobody has checked in to this session yet.")
    return found


def _something_is_over(
    session: Session, attempt: Attempt | None, adjustments: Adjustments, moment: datetime
) -> bool:
    """Whether the time of the session or of its open attempt is over."""
    deadline = None if attempt is None else deadline_of(attempt, adjustments)
    ends = (deadline and deadline.at, deadline_of_session(session, adjustments))
    return any(is_over(end, moment) for end in ends)


def _resumed(found: Clocks) -> Adjustments:
    """As they are once a pause ends at this moment: only then a paused session has a time to end at."""
    pauses = tuple(replace(one, end=one.end or found.moment) for one in found.adjustments.pauses)
    return replace(found.adjustments, pauses=pauses)


def _event(found: Clocks, staff: Staff, what: Change) -> Event:
    """Raises the Refusal of the change."""
    session, attempt, _, moment, _ = found
    return Event(
        session=session,
        attempt=attempt,
        kind=what.kind,
        server_time=max(moment, session.paused_at or moment),  # processes differ in their clocks
        staff=staff,
        details=what.details(found),
    )


def _store_each(events: Sequence[Event]) -> list[Session]:
    """Store what happened to many, all at once, else one by one; the sessions that changed."""
    try:
        return _store(events)
    except DatabaseError:
        logger.exception("%d sessions could not be changed at once: each is changed alone", len(events))
    changed = []
    for event in events:
        event.pk = None
        try:
            changed += _store([event])
        except DatabaseError:
            logger.exception("session %d could not be changed with the others", event.session_id)
    return changed


def _store(events: Sequence[Event]) -> list[Session]:
    """Store events of one change, and let the open pages know."""
    if not events:
        return []
    kind, at, details = events[0].kind, events[0].server_time, events[0].details
    sessions = [event.session for event in events]
    keys = [session.pk for session in sessions]
    with transaction.atomic():
        Event.objects.bulk_create(events)
        if kind in (EventKind.PAUSED, EventKind.RESUMED):
            since = at if kind == EventKind.PAUSED else None
            Session.objects.filter(pk__in=keys).update(paused_at=since)
        if kind == EventKind.END_PLANNED:
            announce_after_commit(keys, details["seconds"] // 60)
        notify_after_commit(*keys)
    return sessions


def _checked(reason: str) -> str:
    """The reason without spaces around it. Refusal: reason_too_long."""
    reason = reason.strip()
    if len(reason) > LONGEST_REASON:
        message = f"A reason has at most {LONGEST_REASON} characters."
        raise Refusal("reason_too_long", message, status=400)
    return reason
