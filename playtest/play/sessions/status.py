"""The status of what one page plays: a session, with its stage, its open attempt and its deadlines, or an
internal play. Nothing here writes.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from engine.tasks.grids import Grid
from engine.tasks.task import task_of
from playtest.play.models import Attempt, Session
from playtest.play.sessions.adjustments import adjustments_of, adjustments_of_sessions
from playtest.play.sessions.debriefs import Asked, asked_about
from playtest.play.sessions.quota import remaining_for
from playtest.play.sessions.reads import (
    Stage,
    deadline_of,
    deadline_of_session,
    last_attempt,
    open_attempt,
    open_attempts,
    prompts_answered,
    set_aside_in,
    stage,
    stage_of_running,
)
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.assignment import Remaining
from playtest.rules.attempt import Outcome
from playtest.rules.kinds import Kind
from playtest.rules.limits import Limits, is_over, session_seconds_left, soft_deadline


@dataclass(frozen=True)
class TaskAside:
    """A task that is set aside: the number of its attempt, and its first test input to know it by."""

    number: int
    input: Grid


@dataclass(frozen=True)
class PlayStatus:
    """What a page plays at one moment, without a limit. `attempt` is the open one.

    `previous` is the attempt that was played last, `asked` the questions about it, `solved` the number of
    environments solved so far. In the pause, `aside` are the tasks that are set aside, and `only_aside` says
    that there is nothing else to play.
    """

    stage: Stage
    attempt: Attempt | None
    previous: Attempt | None = None
    solved: int = 0
    asked: Asked | None = None
    adjustments: Adjustments = NO_ADJUSTMENTS
    aside: tuple[TaskAside, ...] = ()
    only_aside: bool = False

    @property
    def paused(self) -> bool:
        return self.adjustments.paused

    @property
    def limits(self) -> Limits | None:
        """The limits of its attempts; None without any."""
        return None

    def prompt_due_at(self) -> datetime | None:
        """When the soft-limit prompt is due; None if it never is."""
        return None

    def next_deadline(self) -> datetime | None:
        """When the server has to end something; None if never."""
        return None

    def session_seconds_left(self, moment: datetime) -> float | None:
        """Seconds that the session's clock has left; None without a session."""
        return None


@dataclass(frozen=True, kw_only=True)
class SessionStatus(PlayStatus):
    """A session at one moment. `adjustments` are the session's: while it is paused, no limit that was not
    reached before has a moment.
    """

    session: Session
    prompt_answered: bool

    @property
    def limits(self) -> Limits:
        return self.session.prescribed.limits

    def prompt_due_at(self) -> datetime | None:
        """When the soft-limit prompt is due; None if it has been answered or no clock runs."""
        if self.attempt is None or self.attempt.first_frame_at is None or self.prompt_answered:
            return None
        own = self.adjustments.of_attempt(self.attempt.pk)
        return soft_deadline(self.attempt.first_frame_at, self.session.prescribed.limits, own)

    def next_deadline(self) -> datetime | None:
        """When the server has to end something: the attempt, or in the pause the session."""
        if self.attempt is not None:
            deadline = deadline_of(self.attempt, self.adjustments)
            return deadline.at if deadline else None
        return self.session_deadline() if self.stage == Stage.PAUSE else None

    def session_deadline(self) -> datetime | None:
        """When the session's time is over; None before check-in."""
        return deadline_of_session(self.session, self.adjustments)

    def session_seconds_left(self, moment: datetime) -> float:
        """Seconds that the session's clock has left; 0.0 before check-in."""
        started = self.session.checked_in_at
        if started is None:
            return 0.0
        return session_seconds_left(started, moment, self.session.prescribed.limits, self.adjustments)


def session_status(session_id: int, moment: datetime) -> SessionStatus:
    """The status of a session at this moment."""
    session = Session.objects.select_related("study", "participant", "protocol").get(pk=session_id)
    reached = stage(session, moment)
    attempt = open_attempt(session.pk) if reached == Stage.PLAYING else None
    answered = attempt is not None and bool(prompts_answered([attempt]))
    return _status(session, reached, attempt, adjustments_of(session), solved_in(session), answered=answered)


def statuses_in_play(sessions: Collection[int], moment: datetime) -> dict[int, SessionStatus]:
    """The statuses of those in which an environment is open and no time is over, in four reads for all.

    Everybody who comes back is asked this, all at once after a restart.
    """
    attempts = list(open_attempts(sessions).filter(session__ended_at=None))
    changed = adjustments_of_sessions(sessions)
    answered, solved = prompts_answered(attempts), _solved([one.session for one in attempts])
    found: dict[int, SessionStatus] = {}
    for attempt in attempts:
        session, adjustments = attempt.session, changed[attempt.session.pk]
        deadline = deadline_of(attempt, adjustments)  # with the session's time at the latest
        over = is_over(deadline and deadline.at, moment)
        if not over and stage_of_running(session, plays=True) == Stage.PLAYING:
            found[session.pk] = _status(
                session,
                Stage.PLAYING,
                attempt,
                adjustments,
                solved[session.pk],
                answered=attempt.pk in answered,
            )
    return found


def _status(
    session: Session,
    reached: Stage,
    attempt: Attempt | None,
    adjustments: Adjustments,
    solved: int,
    *,
    answered: bool,
) -> SessionStatus:
    if session.protocol is not None:  # a status is held as long as its person is connected
        session.protocol = session.protocol.shared
    previous = last_attempt(session) if attempt is None else None
    if previous is not None:
        previous.session = session  # so that its protocol is not read again
    aside = tuple(_aside(session)) if reached == Stage.PAUSE else ()
    return SessionStatus(
        session=session,
        stage=reached,
        attempt=attempt,
        previous=previous,
        asked=asked_about(previous),
        prompt_answered=answered,
        solved=solved,
        adjustments=adjustments,
        aside=aside,
        only_aside=bool(aside)
        and remaining_for(session.study, session.participant_id) is not Remaining.SOMETHING,
    )


def _aside(session: Session) -> Iterator[TaskAside]:
    for number, source in set_aside_in(session).values_list("number", "version__source"):
        yield TaskAside(number, task_of(source).tests[0].input)


def solved_in(session: Session) -> int:
    """How many environments were solved, as far as the person may know."""
    return _solved([session])[session.pk]


def _solved(sessions: Collection[Session]) -> Counter[int]:
    hidden = {one.pk for one in sessions if one.protocol_id and not one.prescribed.tasks.feedback}
    completed = Attempt.objects.filter(session__in=sessions, outcome=Outcome.COMPLETED)
    kinds = completed.values_list("session", "environment__kind")
    return Counter(session for session, kind in kinds if session not in hidden or kind != Kind.TASK)
