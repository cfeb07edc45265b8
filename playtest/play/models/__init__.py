"""Studies and their protocols, sessions, attempts and what was said of them, the two append-only logs, signed
days, heartbeats, and studies from outside.
"""

from playtest.play.models.journal import AgentNote, Entry, Event, EventKind, Heartbeat, InputKind, SignedDay
from playtest.play.models.outside import OutsideAttempt, OutsideName, OutsideStudy
from playtest.play.models.session import NOTHING_TO_PLAY, Attempt, Debrief, Session, SessionEnd
from playtest.play.models.study import PoolEntry, ProtocolVersion, Study

__all__ = [
    "NOTHING_TO_PLAY",
    "AgentNote",
    "Attempt",
    "Debrief",
    "Entry",
    "Event",
    "EventKind",
    "Heartbeat",
    "InputKind",
    "OutsideAttempt",
    "OutsideName",
    "OutsideStudy",
    "PoolEntry",
    "ProtocolVersion",
    "Session",
    "SessionEnd",
    "SignedDay",
    "Study",
]
