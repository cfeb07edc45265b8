"""Absences of the connection of a session's own: no clock runs for them, within what the protocol allows.

Each is recorded when the connection comes back, or when the time of somebody who does not is over: as pauses
in the events of the session, without staff, with `outage` and `own` in their details. So every rule and every
rebuild leaves them out, as it does outages of the servers; what those have stopped is not recorded again.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from playtest.play.journal.heartbeat import signs
from playtest.play.journal.outages import record_what_has_ended
from playtest.play.models import Attempt, Event, EventKind
from playtest.play.sessions.adjustments import adjustments_of_sessions
from playtest.play.sessions.locks import locked_sessions
from playtest.play.sessions.reads import OPEN
from playtest.rules.limits import excused, is_absence

logger = logging.getLogger(__name__)


class Absence(NamedTuple):
    """How long a connection was away, and for how much of that no clock ran; both in seconds."""

    seconds: float
    excused: float


class Return(NamedTuple):
    """A page has connected, perhaps again."""

    session: int
    moment: datetime
    reconnects: bool = False


def all_came_back(returns: Sequence[Return]) -> list[Absence | None]:
    """Record for how long no page of these sessions was there, where that is an absence, in one transaction.

    After a restart all pages connect together. If it fails, none of them has come back: the next connection
    records the whole absence.
    """
    before = signs.last_of({one.session for one in returns})
    away: dict[int, tuple[datetime, datetime]] = {}
    for session, moment, reconnects in returns:
        since = before.pop(session, None)  # of two pages the first one ends the silence
        if since is not None and is_absence(since, moment, reconnects=reconnects):
            away[session] = (since, moment)
    stopped = record_absences(away) if away else {}
    for session, moment, _ in returns:
        signs.heard(session, moment)
    return [
        _absence(*away.pop(one.session), stopped.get(one.session, 0.0)) if one.session in away else None
        for one in returns
    ]


def _absence(since: datetime, until: datetime, stopped: float) -> Absence:
    away = (until - since).total_seconds()
    logger.info("a page was away for %.1f s, of which %.1f s are not charged", away, stopped)
    return Absence(away, stopped)


def record_absences(silences: Mapping[int, tuple[datetime, datetime | None]]) -> dict[int, float]:
    """Record once what absences are excused from; for how many seconds each session's clocks stopped.

    A silence is the last sign of life and its end, None if nobody came back. What has ended meanwhile stays
    as it was summed up.
    """
    record_what_has_ended()
    stopped: dict[int, float] = {}
    events: list[Event] = []
    with transaction.atomic():
        sessions = [
            one for one in locked_sessions(silences) if one.ended_at is None and one.checked_in_at is not None
        ]
        adjustments = adjustments_of_sessions(silences)
        attempts = Attempt.objects.filter(session__in=sessions)
        opened = dict(attempts.filter(OPEN).values_list("session", "pk"))
        ended = dict(attempts.order_by().values_list("session").annotate(newest=Max("ended_at")))
        details = {"reason": "", "all": False, "outage": True, "own": True}
        for session in sessions:
            assert session.checked_in_at is not None
            since, until = silences[session.pk]
            begins = ended.get(session.pk) or since
            own, away = adjustments[session.pk], session.prescribed.away
            parts = [
                (max(pause.start, begins), pause.end)
                for pause in excused(since, until, away, own, session.checked_in_at)
                if pause.end is not None and pause.end > begins
            ]
            stopped[session.pk] = sum((end - start).total_seconds() for start, end in parts)
            events += (
                Event(
                    session=session,
                    attempt_id=opened.get(session.pk),
                    kind=kind,
                    server_time=at,
                    details=details,
                )
                for start, end in parts
                for kind, at in ((EventKind.PAUSED, start), (EventKind.RESUMED, end))
            )
        Event.objects.bulk_create(events)
    return stopped
