"""Reads what changed the clocks of sessions: staff, outages, tasks set aside. The events are the truth."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from playtest.play.journal.heartbeat import signs
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments, Aside, Grant, Pause, PlannedEnd
from playtest.rules.limits import if_away

CLOCK_KINDS = (
    *(EventKind.PAUSED, EventKind.RESUMED, EventKind.TIME_GRANTED, EventKind.SESSION_ENDED),
    *(EventKind.SET_ASIDE, EventKind.TAKEN_UP),
    *(EventKind.TIME_TAKEN_BACK, EventKind.END_PLANNED, EventKind.END_CALLED_OFF),
)
"""The events that change clocks."""
CHANGED_CLOCKS = (EventKind.PAUSED, EventKind.SET_ASIDE, EventKind.TIME_GRANTED)
"""Events from which a clock stands still, or has more time."""

type ClockEvent = tuple[str, datetime, int | None, dict[str, Any]]
"""Kind, server time, attempt and details of an event."""


def adjustments_of(session: Session) -> Adjustments:
    """The pauses and grants of a session, in one read. The end of a session ends its pause."""
    return adjustments_of_sessions([session.pk])[session.pk]


def sign_before(session: Session, limit: datetime | None) -> datetime | None:
    """The last sign of life of the session's pages, if a limit waits because it was before that."""
    if limit is None or session.checked_in_at is None or not session.prescribed.away.seconds:
        return None
    since = signs.last(session.pk)
    return since if since is not None and since < limit else None


def while_away(session: Session, limit: datetime | None, changed: Adjustments) -> Adjustments:
    """The adjustments with what the session's connection is excused from since a sign before `limit`."""
    since = sign_before(session, limit)
    if since is None or session.checked_in_at is None:
        return changed
    return if_away(since, session.prescribed.away, changed, session.checked_in_at)


def adjustments_of_attempt(attempt: Attempt) -> Adjustments:
    """Those of its session, with the time granted to environments in this attempt alone; a run has none."""
    if attempt.session_id is None:
        return NO_ADJUSTMENTS
    return adjustments_of_sessions([attempt.session_id])[attempt.session_id].of_attempt(attempt.pk)


def adjustments_of_sessions(sessions: Collection[int]) -> Mapping[int, Adjustments]:
    """The pauses and grants of many sessions, by session, in one read."""
    found = Event.objects.filter(session__in=sessions, kind__in=CLOCK_KINDS).order_by("pk")
    rows: defaultdict[int, list[ClockEvent]] = defaultdict(list)
    for session, *row in found.values_list("session", "kind", "server_time", "attempt", "details"):
        rows[session].append(tuple(row))
    return defaultdict(
        lambda: NO_ADJUSTMENTS, {session: adjustments_in(events) for session, events in rows.items()}
    )


def adjustments_of_attempts(attempts: QuerySet[Attempt]) -> dict[int, Adjustments]:
    """Those of the sessions of these attempts, by attempt; only of sessions in which a clock was changed."""
    changed = Exists(Event.objects.filter(session=OuterRef("session"), kind__in=CHANGED_CLOCKS))
    sessions = dict(attempts.order_by().filter(changed).values_list("pk", "session"))
    found = adjustments_of_sessions(set(sessions.values())) if sessions else {}
    return {attempt: found[session].of_attempt(attempt) for attempt, session in sessions.items()}


def adjustments_in(events: Iterable[ClockEvent]) -> Adjustments:
    """The pauses and grants that these events record, in order of time, and what was set aside.

    What is taken back is the last grant, and none of it was used.

    An outage is recorded once it is over: its two events follow each other, whatever staff do at that time.
    """
    pauses: list[Pause] = []
    outages: list[Pause] = []
    aside: dict[int, list[Pause]] = defaultdict(list)
    rows = list(events)
    for kind, at, attempt, details in rows:
        if details.get("outage"):
            if kind == EventKind.PAUSED:
                outages.append(Pause(at, own=bool(details.get("own"))))
            else:
                outages[-1] = replace(outages[-1], end=at)
            continue
        is_open = bool(pauses) and pauses[-1].end is None
        match kind:
            case EventKind.PAUSED if not is_open:
                pauses.append(Pause(at))
            case EventKind.RESUMED | EventKind.SESSION_ENDED if is_open:
                pauses[-1] = Pause(pauses[-1].start, max(pauses[-1].start, at))
            case EventKind.SET_ASIDE if attempt is not None:
                aside[attempt].append(Pause(at))
            case EventKind.TAKEN_UP if attempt is not None:
                aside[attempt][-1] = Pause(aside[attempt][-1].start, at)
    in_order = sorted([*pauses, *outages], key=lambda pause: pause.start)
    set_aside = (Aside(attempt, time) for attempt, times in aside.items() for time in times)
    return Adjustments(tuple(in_order), _grants(rows), tuple(set_aside), _planned_end(rows))


def _grants(events: Iterable[ClockEvent]) -> tuple[Grant, ...]:
    grants: list[Grant] = []
    for kind, at, attempt, details in events:
        if kind == EventKind.TIME_GRANTED:
            to = details["environment"], details["session"]
            grants.append(Grant(at, details["seconds"], *to, attempt))
        elif kind == EventKind.TIME_TAKEN_BACK:
            grants.pop()
    return tuple(grants)


def _planned_end(events: Iterable[ClockEvent]) -> PlannedEnd | None:
    found: PlannedEnd | None = None
    for kind, at, _, details in events:
        if kind == EventKind.END_PLANNED:
            found = PlannedEnd(at, details["seconds"])
        elif kind == EventKind.END_CALLED_OFF:
            found = None
    return found
