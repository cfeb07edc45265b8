"""Studies, sessions, attempts and the two append-only logs."""

from playtest.play.models.journal import Entry, Event, EventKind, InputKind
from playtest.play.models.sitting import NOTHING_TO_PLAY, Attempt, Session, SessionEnd
from playtest.play.models.study import Study

__all__ = [
    "NOTHING_TO_PLAY",
    "Attempt",
    "Entry",
    "Event",
    "EventKind",
    "InputKind",
    "Session",
    "SessionEnd",
    "Study",
]
