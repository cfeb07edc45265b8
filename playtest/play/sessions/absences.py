"""Absences of the connection of a session's own: no clock runs for them, within what the protocol allows.

Each is recorded when the connection comes back, or when the time of somebody who does not is over: as pauses
in the events of the session, without staff, with `outage` and `own` in their details. So every rule and every
rebuild leaves them out, as it does outages of the servers; what those have stopped is not recorded again.
"""

import logging
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from playtest.play.journal.outages import record_what_has_ended
from playtest.play.journal.signs import signs
from playtest.play.models import Event, EventKind
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.locks import locked_session
from playtest.play.sessions.reads import open_attempt
from playtest.rules.limits import excused, is_absence

logger = logging.getLogger(__name__)


class Absence(NamedTuple):
    """How long a connection was away, and for how much of that no clock ran; both in seconds."""

    seconds: float
    excused: float


def came_back(session_id: int, moment: datetime, *, reconnects: bool = False) -> Absence | None:
    """A page has connected, perhaps again: record for how long none was there. None if that is no absence."""
    since = signs.last(session_id)
    signs.heard(session_id, moment)
    if since is None or not is_absence(since, moment, reconnects=reconnects):
        return None
    stopped = record_absence(session_id, since, moment)
    away = (moment - since).total_seconds()
    logger.info("a page was away for %.1f s, of which %.1f s are not charged", away, stopped)
    return Absence(away, stopped)


def record_absence(session_id: int, since: datetime, until: datetime | None) -> float:
    """Record what an absence is excused from, once; for how many seconds the clocks stopped for it.

    `since` is its last sign of life, `until` its end, None if nobody came back. What has ended meanwhile
    stays as it was summed up.
    """
    record_what_has_ended()
    with transaction.atomic():
        session = locked_session(session_id)
        if session.ended_at is not None or session.checked_in_at is None:
            return 0.0
        adjustments, attempt = adjustments_of(session), open_attempt(session_id)
        ended = session.attempts.aggregate(newest=Max("ended_at"))["newest"]
        parts = [
            (max(pause.start, ended or since), pause.end)
            for pause in excused(since, until, session.prescribed.away, adjustments, session.checked_in_at)
            if pause.end is not None and pause.end > (ended or since)
        ]
        details = {"reason": "", "all": False, "outage": True, "own": True}
        Event.objects.bulk_create(
            Event(session=session, attempt=attempt, kind=kind, server_time=at, details=details)
            for start, end in parts
            for kind, at in ((EventKind.PAUSED, start), (EventKind.RESUMED, end))
        )
    return sum((end - start).total_seconds() for start, end in parts)
