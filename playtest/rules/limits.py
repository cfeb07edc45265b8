"""The time limits of an attempt and of a session (report 5.1): soft, hard and session.

Times are aware datetimes; sums and comparisons are made in UTC, so a zone's change of clocks moves nothing.
A limit is reached at its exact moment: at 20:00 the soft prompt is due, at 30:00 no action is accepted.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from playtest.rules.attempt import Outcome
from playtest.rules.errors import RuleError


class Phase(StrEnum):
    """Where an attempt stands against its limits; actions are accepted in OPEN and SOFT_REACHED only."""

    OPEN = "open"
    SOFT_REACHED = "soft_reached"
    TIMED_OUT = "timed_out"
    SESSION_OVER = "session_over"

    @property
    def accepts_actions(self) -> bool:
        return self in (Phase.OPEN, Phase.SOFT_REACHED)


@dataclass(frozen=True, slots=True)
class Limits:
    """A study's limits in seconds.

    Raises RuleError `limit_not_positive` or `soft_limit_after_hard`.
    """

    soft_seconds: int
    hard_seconds: int
    session_seconds: int

    def __post_init__(self) -> None:
        if min(self.soft_seconds, self.hard_seconds, self.session_seconds) <= 0:
            raise RuleError("limit_not_positive", "Every time limit must be longer than zero seconds.")
        if self.soft_seconds > self.hard_seconds:
            raise RuleError("soft_limit_after_hard", "The soft limit must not come after the hard limit.")


class Deadline(NamedTuple):
    """The moment from which an attempt accepts no more actions, and the outcome it then has.

    `cause` is `Outcome.TIMED_OUT` or `Outcome.SESSION_OVER`.
    """

    at: datetime
    cause: Outcome


def soft_deadline(first_frame_at: datetime, limits: Limits) -> datetime:
    """When the prompt to conclude is due."""
    return _utc(first_frame_at) + timedelta(seconds=limits.soft_seconds)


def hard_deadline(first_frame_at: datetime, limits: Limits) -> datetime:
    """When the attempt is cut off, whatever its session has left."""
    return _utc(first_frame_at) + timedelta(seconds=limits.hard_seconds)


def session_deadline(session_started_at: datetime, limits: Limits) -> datetime:
    """When the session ends, and with it the attempt being played."""
    return _utc(session_started_at) + timedelta(seconds=limits.session_seconds)


def attempt_deadline(first_frame_at: datetime, session_started_at: datetime, limits: Limits) -> Deadline:
    """The earlier of the hard and the session deadline; on a tie the hard one."""
    hard = Deadline(hard_deadline(first_frame_at, limits), Outcome.TIMED_OUT)
    session = Deadline(session_deadline(session_started_at, limits), Outcome.SESSION_OVER)
    return min(hard, session, key=lambda deadline: deadline.at)


def phase(first_frame_at: datetime, session_started_at: datetime, now: datetime, limits: Limits) -> Phase:
    """Where an attempt stands at `now`."""
    deadline = attempt_deadline(first_frame_at, session_started_at, limits)
    if _utc(now) >= deadline.at:
        return Phase(deadline.cause)
    return Phase.SOFT_REACHED if _utc(now) >= soft_deadline(first_frame_at, limits) else Phase.OPEN


def seconds_left(deadline: datetime, now: datetime) -> float:
    """Seconds from `now` to any of the deadlines above; 0 from the deadline on."""
    return max(0.0, (_utc(deadline) - _utc(now)).total_seconds())


def _utc(moment: datetime) -> datetime:
    if moment.utcoffset() is None:
        raise RuleError("time_without_zone", "Give times with their zone, such as datetime.now(UTC).")
    return moment.astimezone(UTC)
