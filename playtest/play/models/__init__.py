"""Studies and their changes, sessions, attempts, the two append-only logs, signed days, and heartbeats."""

from playtest.play.models.days import SignedDay
from playtest.play.models.heartbeat import Heartbeat
from playtest.play.models.journal import Entry, Event, EventKind, InputKind
from playtest.play.models.sitting import NOTHING_TO_PLAY, Attempt, Session, SessionEnd
from playtest.play.models.study import Study, StudyChange

__all__ = [
    "NOTHING_TO_PLAY",
    "Attempt",
    "Entry",
    "Event",
    "EventKind",
    "Heartbeat",
    "InputKind",
    "Session",
    "SessionEnd",
    "SignedDay",
    "Study",
    "StudyChange",
]
