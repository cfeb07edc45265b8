"""Sets a static task aside and takes it up again, where the protocol lets people go back.

A task that is set aside stays open with its clock stopped. It is neither played nor over: the session is in
the pause, from which the next environment is opened or this one is taken up again.
"""

from datetime import datetime

from django.db import transaction

from playtest.play.attempt.task_in_process import rule_of
from playtest.play.clock import now
from playtest.play.errors import Refusal, paused
from playtest.play.journal.outages import record_what_has_ended
from playtest.play.models import Attempt, Event, EventKind, Session
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.ends import end_session_if_nothing_left
from playtest.play.sessions.locks import locked_attempt, locked_session
from playtest.play.sessions.quota import remaining_for
from playtest.play.sessions.reads import Stage, set_aside_in, stage
from playtest.rules.assignment import Remaining
from playtest.rules.attempt import Outcome


def set_aside(attempt_id: int) -> None:
    """Set the open attempt aside; its session is then in the pause.

    Refusal: attempt_over; paused; not_now for what is no task, and where the protocol has no going back.
    """
    record_what_has_ended()
    with transaction.atomic():
        attempt = locked_attempt(attempt_id)
        session = attempt.session
        if attempt.ended_at is not None or attempt.set_aside_at is not None:
            raise Refusal("attempt_over", "This game is not open any more.")
        if not may_be_set_aside(attempt):
            raise Refusal("not_now", "This game cannot be set aside.")
        if session.paused_at is not None:
            raise paused()
        attempt.set_aside_at = now()
        attempt.save(update_fields=["set_aside_at"])
        _log(attempt, EventKind.SET_ASIDE, attempt.set_aside_at)


def take_up(session_id: int, number: int) -> None:
    """Open attempt `number` of a session again, which was set aside.

    Refusal: wrong_attempt, if it is not set aside; not_now, outside the pause; paused.
    """
    record_what_has_ended()
    with transaction.atomic():
        session = _session_in_pause(session_id)
        found = set_aside_in(session).filter(number=number).first()  # its session is locked
        if found is None:
            raise Refusal("wrong_attempt", "This game was not set aside, or it has ended.")
        assert found.set_aside_at is not None
        moment = max(now(), found.set_aside_at)  # processes differ in their clocks
        found.set_aside_at = None
        found.save(update_fields=["set_aside_at"])
        _log(found, EventKind.TAKEN_UP, moment)


def finish(session_id: int) -> None:
    """Leave everything that is set aside, and with it a session that has nothing new to play.

    Refusal: not_now, outside the pause or while there is something new; paused.
    """
    with transaction.atomic():
        session = _session_in_pause(session_id)
        if remaining_for(session.study, session.participant_id) is Remaining.SOMETHING:
            raise Refusal("not_now", "There is something new to play.")
        for attempt in set_aside_in(session):
            end_attempt(attempt.pk, Outcome.GAVE_UP, now())
    end_session_if_nothing_left(session)


def may_be_set_aside(attempt: Attempt) -> bool:
    """Whether an attempt is one that its person may set aside, once its first frame was shown."""
    of_session = attempt.session_id is not None and attempt.first_frame_at is not None
    return of_session and rule_of(attempt).going_back


def _log(attempt: Attempt, kind: EventKind, moment: datetime) -> None:
    Event.objects.create(session_id=attempt.session_id, attempt=attempt, kind=kind, server_time=moment)


def _session_in_pause(session_id: int) -> Session:
    session = locked_session(session_id)
    if stage(session, now()) != Stage.PAUSE:
        raise Refusal("not_now", "This is chosen in the pause between games.")
    if session.paused_at is not None:
        raise paused()
    return session
