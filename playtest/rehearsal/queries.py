"""Reads the sessions of simulated people."""

from datetime import datetime

from playtest.play.models import Session
from playtest.play.sessions.adjustments import adjustments_of
from playtest.rules.limits import session_deadline


def may_be_in_virtual_time(session: Session, moment: datetime) -> bool:
    """Whether a rehearsal in virtual time may still be playing a session at `moment`.

    Virtual time is in the past, so the session's deadline may be over by the machine's clock. Simulated
    people are created when they sit down, and no virtual time is slower than the machine's.
    """
    if not (session.study.rehearsal and session.participant.simulated):
        return False
    limits, adjustments = session.prescribed.limits, adjustments_of(session)
    deadline = session_deadline(session.participant.created_at, limits, adjustments)
    return deadline is None or moment < deadline
