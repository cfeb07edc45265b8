"""What ends a session: nothing is left to play, its time is over, or its person or staff end it."""

import logging
from datetime import datetime

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.models import EventKind, Session, SessionEnd
from playtest.play.sessions.attempts import close_open_attempts, open_next
from playtest.play.sessions.events import log
from playtest.play.sessions.locks import locked_session, locked_study
from playtest.play.sessions.notifications import notify_after_commit
from playtest.play.sessions.quota import has_met_the_pool, remaining_for
from playtest.play.sessions.reads import Stage, set_aside_in, stage
from playtest.play.sessions.seats import refuse_unless_served
from playtest.play.signals import session_ended
from playtest.rules.assignment import Remaining
from playtest.rules.attempt import Outcome

logger = logging.getLogger(__name__)


def end_session(
    session: Session,
    reason: SessionEnd,
    *,
    at: datetime | None = None,
    staff: Staff | None = None,
    everybody: bool = False,
) -> bool:
    """End the session and its open attempts; False if it had ended already.

    `everybody`: it ends with others, which its event says.
    """
    with transaction.atomic():
        session = locked_and_served(session)
        if session.ended_at:
            return False
        moment = at or now()
        close_open_attempts(session, Outcome.SESSION_OVER, moment)
        _end(session, reason, moment, staff, everybody=everybody)
        if staff is not None:
            notify_after_commit(session.pk)
    return True


def open_next_or_end(session_id: int) -> None:
    """Open the next environment, or end the session when none is left. Refusal: not_now."""
    session = Session.objects.only("study").get(pk=session_id)
    if open_next(session) is None:
        end_session_if_nothing_left(
            Session.objects.select_related("study", "participant", "protocol").get(pk=session_id)
        )


def end_session_if_nothing_left(session: Session) -> bool:
    """End a session in the pause that has nothing left to play; returns whether it ended.

    One with something set aside goes on: its person goes back to that, or finishes (`services.going_back`).

    Asked again with the study's row locked, as an assignment does: a place may just have become free.
    """
    if not _stuck(session):
        return False
    with transaction.atomic():
        locked_study(session.study_id)
        session = locked_and_served(session)
        if not _stuck(session):
            return False
        reason = SessionEnd.POOL_USED_UP if has_met_the_pool(session) else SessionEnd.NOTHING_LEFT
        _end(session, reason, now(), None)
    return True


def _stuck(session: Session) -> bool:
    at_pause = stage(session, now()) == Stage.PAUSE and session.paused_at is None
    nothing_aside = at_pause and not set_aside_in(session).exists()
    return nothing_aside and remaining_for(session.study, session.participant_id) is not Remaining.SOMETHING


def _end(
    session: Session, reason: SessionEnd, moment: datetime, staff: Staff | None, *, everybody: bool = False
) -> None:
    session.ended_at, session.end_reason, session.paused_at = moment, reason, None
    session.save(update_fields=["ended_at", "end_reason", "paused_at"])
    details: dict[str, object] = {"reason": reason.value} | ({"all": True} if everybody else {})
    log(session, EventKind.SESSION_ENDED, staff=staff, details=details)
    for _, outcome in session_ended.send_robust(Session, session=session):
        if isinstance(outcome, Exception):
            logger.error("Session %s ended, but what follows failed. (after_end_failed)", session.pk)


def locked_and_served(session: Session) -> Session:
    """The session with its row locked. Refusal: not_served, where its study is served elsewhere."""
    session = locked_session(session.pk)
    refuse_unless_served(session.study)
    return session
