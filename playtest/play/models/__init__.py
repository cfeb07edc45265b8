"""Studies, sessions, attempts and the two append-only logs."""

from playtest.play.models.journal import Entry, Event, EventKind, InputKind
from playtest.play.models.sitting import Attempt, Session, SessionEnd
from playtest.play.models.study import Study, StudyChange

__all__ = [
    "Attempt",
    "Entry",
    "Event",
    "EventKind",
    "InputKind",
    "Session",
    "SessionEnd",
    "Study",
    "StudyChange",
]
