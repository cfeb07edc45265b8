"""Assigns the next environment to a session, begins runs, starts clocks, ends attempts, and sums them up."""

import logging
import random
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal, paused
from playtest.play.journal.entries import seal_of
from playtest.play.journal.outages import record_what_has_ended
from playtest.play.models import Attempt, Entry, Event, EventKind, Session
from playtest.play.sessions.adjustments import (
    adjustments_of_attempt,
    adjustments_of_attempts,
    adjustments_of_sessions,
)
from playtest.play.sessions.locks import locked_attempt, locked_session, locked_study
from playtest.play.sessions.quota import candidates, environments_played
from playtest.play.sessions.reads import Stage, stage
from playtest.rules.adjustments import Adjustments
from playtest.rules.assignment import choose
from playtest.rules.attempt import Outcome
from playtest.rules.limits import granted_time
from playtest.studio.models import Version

logger = logging.getLogger(__name__)


def open_next(session: Session) -> Attempt | None:
    """Assign the next environment, or None when nothing is left for this person.

    The study's row is locked, so that two stations asking at once cannot overfill an environment.
    Refusal: not_now, when the session is not in the pause between environments; paused, while staff have
    paused it.
    """
    with transaction.atomic():
        study = locked_study(session.study_id)
        session = locked_session(session.pk)
        if stage(session, now()) != Stage.PAUSE:
            raise Refusal("not_now", "The next game is opened from the pause.")
        if session.paused_at is not None:
            raise paused()
        people = study.protocol.acceptance.people
        number = (session.attempts.aggregate(last=Max("number"))["last"] or 0) + 1
        found = candidates(study, number)
        chosen = choose(
            found, environments_played(session.participant_id), people, random.SystemRandom().choice
        )
        if chosen is None:
            return None
        versions = Version.objects.defer("source", "metadata")
        version = versions.get(environment=chosen, pk=F("environment__current"))
        return Attempt.objects.create(
            session=session,
            participant_id=session.participant_id,
            environment_id=chosen,
            version=version,
            number=number,
            seed=secrets.randbelow(2**31),
            assigned_at=now(),
        )


def set_first_frame(attempt_id: int, at: datetime) -> None:
    """Start the attempt's clock, unless it has started or the attempt has ended."""
    waiting = Attempt.objects.filter(pk=attempt_id, first_frame_at__isnull=True, ended_at__isnull=True)
    waiting.update(first_frame_at=at)


def end_attempt(
    attempt_id: int,
    outcome: Outcome,
    at: datetime,
    *,
    fault_code: str = "",
    fault_message: str = "",
    details: dict[str, object] | None = None,
    staff: Staff | None = None,
    by_participant: bool = False,
) -> bool:
    """End an attempt with a summary of its journal, and seal it; False if it had ended already.

    Refusal: paused, if the participant ends it in a pause.
    """
    record_what_has_ended()
    with transaction.atomic():
        attempt = locked_attempt(attempt_id)
        if attempt.ended_at:
            return False
        if by_participant and attempt.session_id is not None and attempt.session.paused_at is not None:
            raise paused()
        attempt.ended_at, attempt.outcome, attempt.set_aside_at = at, outcome, None
        attempt.fault_code, attempt.fault_message = fault_code, fault_message
        if attempt.first_frame_at is None:
            opening = Entry.objects.filter(attempt=attempt, seq=0).values_list("server_time", flat=True)
            attempt.first_frame_at = opening.first()
        summarise(attempt)
        attempt.seal = seal_of(attempt)
        attempt.save()
        Event.objects.create(
            session_id=attempt.session_id,
            attempt=attempt,
            kind=EventKind.ENVIRONMENT_FAULT if outcome == Outcome.FAULT else EventKind.ATTEMPT_ENDED,
            server_time=at,
            staff=staff,
            details={"outcome": outcome.value, **(details or {})},
        )
    numbers = {"session": attempt.session_id, "attempt": attempt.pk, "outcome": outcome.value}
    logger.info("an attempt has ended", extra=numbers)
    return True


def close_open_attempts(session: Session, outcome: Outcome, at: datetime) -> None:
    """End what the session has open: what is played, if anything is, and what is set aside."""
    for attempt_id in session.attempts.filter(ended_at__isnull=True).values_list("pk", flat=True):
        end_attempt(attempt_id, outcome, at)


def summarise(attempt: Attempt) -> None:
    """Set the columns that summarise the journal on the attempt; the caller saves."""
    last = Entry.objects.filter(attempt=attempt).order_by("-seq").defer("frames").first()
    seq, at = (last.seq, last.server_time) if last else (None, None)
    attempt.actions = last.seq if last else 0
    attempt.levels_completed = last.levels_completed if last else 0
    attempt.last_action_at = attempt.version.kind.worked_until(seq, at, attempt.ended_at)
    own = adjustments_of_attempt(attempt)
    attempt.paused, attempt.granted = stopped_of(attempt, own), granted_to(attempt, own)


def stopped_of(attempt: Attempt, adjustments: Adjustments) -> timedelta:
    """How long the attempt's clock stood still between its first frame and its last action."""
    if attempt.first_frame_at is None or attempt.last_action_at is None:
        return timedelta(0)
    return adjustments.stopped(attempt.first_frame_at, attempt.last_action_at)


def granted_to(attempt: Attempt, adjustments: Adjustments) -> timedelta:
    """How much longer than the hard limit the attempt might last, by time granted before that was reached."""
    if attempt.first_frame_at is None or not adjustments.grants:
        return timedelta(0)
    return granted_time(attempt.first_frame_at, attempt.session.prescribed.limits, adjustments)


SEED = 0
"""Every run has the seed that arc_agi gives by default, so that all agents meet the same environment."""


def begin_run(version: Version) -> Attempt:
    """A run of an agent, open from now on; its journal begins with its opening frame."""
    return Attempt.objects.create(
        environment_id=version.environment_id, version=version, number=1, seed=SEED, assigned_at=now()
    )


SUMMARY = ("actions", "levels_completed", "last_action_at", "paused", "granted")
"""The columns of an attempt that repeat the logs, set when it ends."""


def wrong_summaries(attempts: QuerySet[Attempt]) -> list[int]:
    """The attempts among these that have ended and whose summary the logs contradict."""
    ended = attempts.filter(ended_at__isnull=False)
    newest = Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq")
    journal = [Subquery(newest.values(name)[:1]) for name in ("seq", "levels_completed", "server_time")]
    clocks = _clocks(ended)
    found = []
    end = ("environment__kind", "ended_at")
    for pk, *stored, seq, levels, at, kind, ended_at in ended.values_list("pk", *SUMMARY, *journal, *end):
        until = kind.worked_until(seq, at, ended_at)
        if stored != [seq or 0, levels or 0, until, *clocks.get(pk, (timedelta(0), timedelta(0)))]:
            found.append(pk)
    return found


def _clocks(ended: QuerySet[Attempt]) -> dict[int, tuple[timedelta, timedelta]]:
    """How long each attempt stood still and what it was granted, of sessions whose clocks were changed."""
    adjustments = adjustments_of_attempts(ended)
    found = ended.select_related("session__protocol").in_bulk(adjustments).items()
    return {
        pk: (stopped_of(attempt, adjustments[pk]), granted_to(attempt, adjustments[pk]))
        for pk, attempt in found
    }


def wrong_pauses(sessions: QuerySet[Session]) -> list[Session]:
    """The sessions among these that are not paused since when the events say."""
    ever = list(sessions.filter(Q(events__kind=EventKind.PAUSED) | Q(paused_at__isnull=False)).distinct())
    said = adjustments_of_sessions([session.pk for session in ever])
    return [session for session in ever if session.paused_at != said[session.pk].paused_since]
