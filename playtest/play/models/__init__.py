"""Studies and their protocols, sessions, attempts and what was said of them, the two append-only logs, signed
days, and heartbeats.
"""

from playtest.play.models.days import SignedDay
from playtest.play.models.debrief import Debrief
from playtest.play.models.heartbeat import Heartbeat
from playtest.play.models.journal import AgentNote, Entry, Event, EventKind, InputKind
from playtest.play.models.sitting import NOTHING_TO_PLAY, Attempt, Session, SessionEnd
from playtest.play.models.study import ProtocolVersion, Study

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
    "ProtocolVersion",
    "Session",
    "SessionEnd",
    "SignedDay",
    "Study",
]
