"""Studies, sessions, attempts, the two append-only logs, and the heartbeats of serving processes."""

from playtest.play.models.heartbeat import Heartbeat
from playtest.play.models.journal import Entry, Event, EventKind, InputKind
from playtest.play.models.sitting import Attempt, Session, SessionEnd
from playtest.play.models.study import Study

__all__ = [
    "Attempt",
    "Entry",
    "Event",
    "EventKind",
    "Heartbeat",
    "InputKind",
    "Session",
    "SessionEnd",
    "Study",
]
