"""What ends a session: nothing is left to play, its time is over, or its person or staff end it."""

import logging
from datetime import datetime

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.journal.outages import may_end_what_is_over
from playtest.play.models import Attempt, EventKind, Session, SessionEnd
from playtest.play.sessions.absences import record_absences
from playtest.play.sessions.adjustments import adjustments_of, sign_before, while_away
from playtest.play.sessions.attempts import close_open_attempts, end_attempt, open_next
from playtest.play.sessions.events import log
from playtest.play.sessions.locks import locked_session, locked_study
from playtest.play.sessions.notifications import notify_after_commit
from playtest.play.sessions.quota import has_met_the_pool, remaining_for
from playtest.play.sessions.reads import (
    Stage,
    deadline_of,
    deadline_of_session,
    session_time_is_over,
    set_aside_in,
    stage,
)
from playtest.play.sessions.seats import refuse_unless_served
from playtest.play.signals import session_ended
from playtest.rules.assignment import Remaining
from playtest.rules.attempt import Outcome
from playtest.rules.limits import is_over

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


def end_attempt_if_overdue(attempt: Attempt, moment: datetime) -> bool:
    """End the attempt if its deadline has passed; returns whether this call ended it.

    While the person's connection is away, it waits for as long as the protocol says.
    """
    if attempt.session is None:
        return False
    changed = adjustments_of(attempt.session)
    deadline = deadline_of(attempt, changed)
    if deadline is None or not is_over(deadline.at, moment) or not may_end_what_is_over():
        return False
    if (since := sign_before(attempt.session, deadline.at)) is not None:
        before, deadline = deadline, deadline_of(attempt, while_away(attempt.session, deadline.at, changed))
        if deadline is None or not is_over(deadline.at, moment):
            return False
        if deadline != before:
            record_absences({attempt.session.pk: (since, None)})
    return end_attempt(attempt.pk, deadline.cause, deadline.at)


def end_session_if_over(session: Session, moment: datetime) -> bool:
    """End the session if its time is over; returns whether this call ended it."""
    if session.checked_in_at is None:
        return False
    for attempt in session.attempts.filter(ended_at__isnull=True).select_related("session__protocol"):
        end_attempt_if_overdue(attempt, moment)
    if not session_time_is_over(session, moment) or not may_end_what_is_over():
        return False
    changed = adjustments_of(session)
    deadline = deadline_of_session(session, changed)
    if (since := sign_before(session, deadline)) is not None:
        before, deadline = deadline, deadline_of_session(session, while_away(session, deadline, changed))
        if deadline != before and is_over(deadline, moment):
            record_absences({session.pk: (since, None)})
    return is_over(deadline, moment) and end_session(session, SessionEnd.TIME_OVER, at=deadline)


def end_what_is_over(session_id: int, moment: datetime) -> None:
    """End the open attempt and the session if their time is over, or if nothing is left to play."""
    session = Session.objects.select_related("study", "participant", "protocol").get(pk=session_id)
    if session.ended_at is None and not end_session_if_over(session, moment):
        end_session_if_nothing_left(session)
