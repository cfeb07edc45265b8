"""Calls for a member of staff: a participant asks, a member of staff answers."""

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import EventKind, Session
from playtest.play.sessions.events import log
from playtest.play.sessions.locks import locked_session
from playtest.play.sessions.reads import Stage, calling_since, open_attempt, stage


def call_proctor(session: Session) -> bool:
    """Record that the participant asks for a member of staff; False if the last call is not answered yet.

    Refusal: not_now before check-in and once the session is over.
    """
    with transaction.atomic():
        session = locked_session(session.pk)
        if session.checked_in_at is None or stage(session, now()) == Stage.OVER:
            raise Refusal("not_now", "This session is over. Please raise your hand.")
        if calling_since(session) is not None:
            return False
        _log(session, EventKind.PROCTOR_CALLED, None)
    return True


def answer_call(session: Session, staff: Staff) -> bool:
    """Record that a member of staff answers the participant's call; False if there is none to answer."""
    with transaction.atomic():
        session = locked_session(session.pk)
        if calling_since(session) is None:
            return False
        _log(session, EventKind.CALL_ANSWERED, staff)
    return True


def _log(session: Session, kind: EventKind, staff: Staff | None) -> None:
    log(session, kind, attempt=open_attempt(session.pk), staff=staff)
