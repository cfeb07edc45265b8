"""Where a sitting stands, read in one go, and the `sitting` message that says so (docs/wire.md)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from playtest.play.models import Attempt, Session
from playtest.play.queries import Stage, last_attempt, open_attempt, prompt_was_answered, stage
from playtest.play.services.attempts import open_next
from playtest.play.services.limits import deadline_of, end_session_if_over
from playtest.play.services.sessions import end_session_if_nothing_left
from playtest.play.wire import FromServer
from playtest.rules.attempt import Outcome
from playtest.rules.limits import seconds_left, session_deadline, soft_deadline


@dataclass(frozen=True)
class Situation:
    """A session at one moment. `attempt` is the open one, `previous` the newest one that has ended."""

    session: Session
    stage: Stage
    attempt: Attempt | None
    previous: Attempt | None
    prompt_answered: bool

    def prompt_due_at(self) -> datetime | None:
        """When the soft limit asks, None when it has been answered or no clock runs."""
        if self.attempt is None or self.attempt.first_frame_at is None or self.prompt_answered:
            return None
        return soft_deadline(self.attempt.first_frame_at, self.session.study.limits)

    def next_deadline(self) -> datetime | None:
        """When the server has to act by itself: the attempt's or the session's end."""
        if self.attempt is not None:
            return deadline_of(self.attempt).at
        return self._session_deadline() if self.stage == Stage.PAUSE else None

    def message(self, at: datetime) -> dict[str, Any]:
        deadline = self._session_deadline()
        return {
            "type": FromServer.SITTING,
            "stage": self.stage if self.stage in (Stage.PLAYING, Stage.PAUSE) else Stage.OVER,
            "session_seconds_left": round(seconds_left(deadline, at), 1) if deadline else 0.0,
            "attempt": _attempt(self, at) if self.stage == Stage.PLAYING else None,
            "previous": _previous(self.previous) if self.stage == Stage.PAUSE else None,
        }

    def prompt_message(self, at: datetime) -> dict[str, Any]:
        assert self.attempt is not None
        return {
            "type": FromServer.PROMPT,
            "attempt": self.attempt.number,
            "spent_seconds": self.session.study.soft_seconds,
            "seconds_left": round(seconds_left(deadline_of(self.attempt).at, at)),
        }

    def _session_deadline(self) -> datetime | None:
        started = self.session.checked_in_at
        return session_deadline(started, self.session.study.limits) if started else None


def look(session_id: int, moment: datetime) -> Situation:
    """Carry out the limits that have passed, then read where the session stands.

    A pause after which nothing could follow is none: the session ends there.
    """
    session = _session(session_id)
    if session.ended_at is None and (
        end_session_if_over(session, moment) or end_session_if_nothing_left(session)
    ):
        session = _session(session_id)
    now_at = stage(session, moment)
    attempt = open_attempt(session) if now_at == Stage.PLAYING else None
    return Situation(
        session=session,
        stage=now_at,
        attempt=attempt,
        previous=last_attempt(session) if attempt is None else None,
        prompt_answered=attempt is not None and prompt_was_answered(attempt),
    )


def go_on(session_id: int) -> None:
    """From the pause to the next environment, or to the end when none is left. Refusal: not_now."""
    session = _session(session_id)
    if open_next(session) is None:
        end_session_if_nothing_left(session)


def _session(session_id: int) -> Session:
    return Session.objects.select_related("study", "participant").get(pk=session_id)


def _attempt(situation: Situation, at: datetime) -> dict[str, Any]:
    attempt, limits = situation.attempt, situation.session.study.limits
    assert attempt is not None
    started = attempt.first_frame_at
    due = situation.prompt_due_at()
    return {
        "number": attempt.number,
        "levels": attempt.version.levels,
        "frames_per_second": attempt.version.default_fps,
        "elapsed_seconds": round(max(0.0, (at - started).total_seconds()), 1) if started else 0.0,
        "soft_limit_seconds": limits.soft_seconds,
        "hard_limit_seconds": limits.hard_seconds,
        "prompt": due is not None and at >= due,
    }


def _previous(attempt: Attempt | None) -> dict[str, Any] | None:
    if attempt is None:
        return None
    return {"solved": attempt.outcome == Outcome.COMPLETED, "cause": attempt.outcome}
