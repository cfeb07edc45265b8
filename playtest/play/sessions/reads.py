"""Reads of sessions, attempts and the journal that are more than one filter."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import reduce
from operator import or_

from django.db.models import DurationField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Coalesce

from engine.play.actions import RESET
from playtest.play.models import Attempt, Entry, Event, EventKind, Session, Study
from playtest.play.models.study import held_here
from playtest.play.sessions.adjustments import adjustments_of, adjustments_of_sessions, while_away
from playtest.rules.adjustments import Adjustments
from playtest.rules.attempt import LOST, Outcome
from playtest.rules.kinds import Kind
from playtest.rules.limits import Deadline, attempt_deadline, is_over, session_deadline


class Stage(StrEnum):
    """The stage of a session, which decides the participant's page."""

    CONSENT = "consent"
    SURVEY = "survey"
    TUTORIAL = "tutorial"
    PLAYING = "playing"
    PAUSE = "pause"
    OVER = "over"


# `rules.attempt.AttemptRule` in SQL, on attempts, with the numbers of the version that each session follows.
MORE_THAN_ACTIONS = F("session__protocol__more_than_actions")
_SECONDS = F("session__protocol__less_than_seconds")
_MAXIMUM = ExpressionWrapper(_SECONDS * timedelta(seconds=1), DurationField())
_VIEWED = ExpressionWrapper(F("session__protocol__view_seconds") * timedelta(seconds=1), DurationField())


def at_tasks(path: str = "") -> Q:
    """What is of static tasks, by the path to its attempt, which ends in two underscores."""
    return Q(**{f"{path}environment__kind": Kind.TASK})


TASKS = at_tasks()
"""Attempts at static tasks."""
_ENOUGH = (~TASKS & Q(actions__gt=MORE_THAN_ACTIONS)) | (
    TASKS & Q(last_action_at__gt=F("first_frame_at") + F("paused") + _VIEWED)
)
COUNTED = (
    Q(ended_at__isnull=False)
    & _ENOUGH
    & (TASKS | Q(last_action_at__lt=F("first_frame_at") + F("paused") + F("granted") + _MAXIMUM))
    & ~Q(outcome=Outcome.FAULT)
)
"""`AttemptRule.counts` of attempts that have ended, of tasks `TaskRule.counts`; attempts that ended by a
fault do not count."""
LEFT_AT_ONCE = Q(outcome__in=LOST) & ~_ENOUGH
"""`AttemptRule.left_at_once`; of tasks, lost in a view that is too short."""

OPEN = Q(ended_at__isnull=True, set_aside_at__isnull=True)
"""Attempts that are being played: a session has one at most. One that is set aside may be again."""

PEOPLE = Q(participant__isnull=False)
"""Attempts of people. Runs of agents and internal plays have no participant, and no figure has them."""
AGENTS = Q(participant__isnull=True, staff__isnull=True)
"""Runs of agents."""
INTERNAL = Q(staff__isnull=False)
"""Internal plays, by staff without a session."""
REAL = PEOPLE & Q(participant__simulated=False) & held_here("session__study__")
"""Attempts of real people who were here: neither of rehearsals nor of studies from outside."""

OUTSIDE = Q(session__study__outside__isnull=False)
"""Attempts that were imported."""
PLAYED_AS_RECORDED = Q(outside__differs_from=None)
"""Attempts without those that were imported and that no version plays as recorded: these have no results."""
REHEARSED = PEOPLE & ~OUTSIDE & ~Q(participant__simulated=False, session__study__rehearsal=False)
"""Attempts of rehearsals and of simulated people."""


def whose(study: Study | None, path: str = "session__") -> Q:
    """The attempts that a study's numbers are about, or all studies' (None): never a rehearsal or a
    study from outside among others.

    Simulated people are in a rehearsal's and in nobody else's. `path` leads to the session: "" of sessions.
    """
    if study is None:
        return REAL
    of_study = Q(**{f"{path}study": study})
    return of_study if study.rehearsal else of_study & Q(participant__simulated=False)


def anybody_plays() -> bool:
    """Whether a person has checked in whose session goes on."""
    under_way = Session.objects.filter(checked_in_at__isnull=False, ended_at=None)
    return under_way.filter(participant__simulated=False).exists()


def stage(session: Session, now: datetime) -> Stage:
    """The stage of a session; one whose time is over is OVER, even before a sweep ends it."""
    if session.ended_at is not None or session_time_is_over(session, now):
        return Stage.OVER
    before = stage_of_running(session, plays=False)
    plays = before == Stage.PAUSE and Attempt.objects.filter(OPEN, session=session).exists()
    return Stage.PLAYING if plays else before


def stages(sessions: Sequence[Session], now: datetime) -> dict[int, Stage]:
    """The stage of each of these sessions, with two reads for all."""
    running = [one for one in sessions if one.ended_at is None]
    adjustments = adjustments_of_sessions([one.pk for one in running]) if running else {}
    over = {one.pk for one in running if _is_over_for_all(one, adjustments[one.pk], now)}
    playing = set(Attempt.objects.filter(OPEN, session__in=running).values_list("session", flat=True))
    return {
        one.pk: Stage.OVER
        if one.ended_at is not None or one.pk in over
        else stage_of_running(one, plays=one.pk in playing)
        for one in sessions
    }


def stage_of_running(session: Session, *, plays: bool) -> Stage:
    """The stage of a session whose time is not over, which `plays` if it has an open attempt."""
    if session.consent_id is None:
        return Stage.CONSENT
    if session.survey_id is None:
        return Stage.SURVEY
    if session.tutorial_done_at is None:
        return Stage.TUTORIAL
    return Stage.PLAYING if plays else Stage.PAUSE


def session_time_is_over(session: Session, now: datetime) -> bool:
    """Whether the session's deadline has passed, which staff can move both ways."""
    return session.checked_in_at is not None and _is_over_for_all(session, adjustments_of(session), now)


def _is_over_for_all(session: Session, changed: Adjustments, now: datetime) -> bool:
    """Whether it is over, even for somebody whose connection is away."""
    if not _is_over(session, changed, now):
        return False
    return _is_over(session, while_away(session, deadline_of_session(session, changed), changed), now)


def _is_over(session: Session, adjustments: Adjustments, now: datetime) -> bool:
    return is_over(deadline_of_session(session, adjustments), now)


def deadline_of_session(session: Session, adjustments: Adjustments) -> datetime | None:
    """When the session's time is over; None before check-in and while it is paused."""
    if session.checked_in_at is None:
        return None
    return session_deadline(session.checked_in_at, session.prescribed.limits, adjustments)


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


def deadline_of(attempt: Attempt, adjustments: Adjustments) -> Deadline | None:
    """When an open attempt ends, and with which outcome; before its first frame, only with the session.

    `adjustments` are its session's. None while the session is paused, and without a session.
    """
    if attempt.session_id is None:
        return None
    session = attempt.session
    if session.checked_in_at is None:
        raise ValueError("an attempt belongs to a session that was checked in")
    limits, began = session.prescribed.limits, attempt.first_frame_at
    if began is None:
        ends = session_deadline(session.checked_in_at, limits, adjustments)
        return None if ends is None else Deadline(ends, Outcome.SESSION_OVER)
    return attempt_deadline(began, session.checked_in_at, limits, adjustments, attempt.pk)


def open_attempt(session_id: int) -> Attempt | None:
    """The session's open attempt, as `open_attempts` reads it."""
    return open_attempts([session_id]).first()


def open_attempts(sessions: Collection[int]) -> QuerySet[Attempt]:
    """Their open attempts. What is large in the versions is not read (`play.attempt.sources`)."""
    return (
        Attempt.objects.filter(OPEN, session__in=sessions)
        .select_related(
            "version", "environment", "session__study", "session__participant", "session__protocol"
        )
        .defer("version__source", "version__metadata")
    )


def last_attempt(session: Session) -> Attempt | None:
    """The session's attempt that was played last. What is large in its version is not read.

    That is the newest one, or one that was taken up again after it.
    """
    until = Coalesce("ended_at", "set_aside_at").desc(nulls_first=True)
    newest = session.attempts.select_related("version").order_by(until, "-number")
    return newest.defer("version__source", "version__metadata").first()


def set_aside_in(session: Session) -> QuerySet[Attempt]:
    """The attempts of a session that are set aside, in the order in which they were begun."""
    return session.attempts.filter(ended_at__isnull=True, set_aside_at__isnull=False).order_by("number")


def actions_of_pool(study: Study) -> int:
    """The actions that this study may need: bit i is action i; RESET is always set.

    The union over the pool, so that it tells nothing about any one environment. What counts is what each
    offers when it opens.
    """
    versions = study.pool.filter(current__isnull=False).values_list("current__available_actions", flat=True)
    return reduce(or_, (1 << action for actions in versions for action in actions), 1 << RESET)


def kinds_of_pool(study: Study) -> set[Kind]:
    """The kinds of environment that this study may show."""
    return set(study.pool.filter(current__isnull=False).values_list("kind", flat=True))


def prompts_answered(attempts: Collection[Attempt]) -> set[int | None]:
    """The numbers of those of these attempts in which the soft-limit prompt was answered."""
    answers = Event.objects.filter(attempt__in=attempts, kind=EventKind.PROMPT_ANSWERED)
    return set(answers.values_list("attempt", flat=True))


def calling_since(session: Session) -> datetime | None:
    """When the participant called for a member of staff; None if nobody is called or the call is answered."""
    return calls_since([session.pk]).get(session.pk)


def calls_since(sessions: Collection[int]) -> dict[int, datetime]:
    """When each of these sessions called for a member of staff; absent without an unanswered call."""
    kinds = (EventKind.PROCTOR_CALLED, EventKind.CALL_ANSWERED)
    calls = Event.objects.filter(session__in=sessions, kind__in=kinds).order_by("pk")
    newest = {
        session: (kind, at) for session, kind, at in calls.values_list("session", "kind", "server_time")
    }
    return {session: at for session, (kind, at) in newest.items() if kind == EventKind.PROCTOR_CALLED}


ANNOUNCED_SECONDS = 15
"""For so long an announcement is told to a page that asks."""


def announced(session: Session, moment: datetime) -> dict[str, int] | None:
    """The newest planned end, if it is a few seconds old: the number of its event, and the minutes left."""
    since = moment - timedelta(seconds=ANNOUNCED_SECONDS)
    event = session.events.filter(kind=EventKind.END_PLANNED, server_time__gte=since).last()
    return None if event is None else {"number": event.pk, "minutes": event.details["seconds"] // 60}


def journal(attempt_id: int) -> list[Entry]:
    """An attempt's entries in order, without their frames."""
    return list(Entry.objects.filter(attempt=attempt_id).order_by("seq").defer("frames"))


def last_seq(attempt_id: int) -> int:
    """The seq of the newest entry, -1 before the opening frame."""
    newest = Entry.objects.filter(attempt=attempt_id).order_by("-seq").values_list("seq", flat=True).first()
    return -1 if newest is None else newest
