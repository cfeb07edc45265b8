"""The time limits of an attempt and of a session (report 5.1): soft, hard and session.

Times are aware datetimes; sums and comparisons are made in UTC, so a zone's change of clocks moves nothing.
A limit is reached at its exact moment (`is_over`): at 20:00 the soft prompt is due, at 30:00 no action is
accepted.

What staff change about the clocks of a session comes in as `Adjustments`. Pauses move every limit. Granted
time moves the hard limit, the session's or both, and never the soft one: the prompt asks after the same time
for everybody, and says how much is left. While a pause is open, a limit that was not reached before it has no
moment (None).

While a person's own connection is away (`Away`), the clocks stand still from the last sign of life on, for
as long as the protocol says. Nobody knows meanwhile when it comes back: a limit after the last sign waits
until then, or until the allowance is used up (`if_away`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from playtest.rules.adjustments import NO_ADJUSTMENTS, SHORTEST_AWAY, Adjustments, Pause, in_utc
from playtest.rules.attempt import Outcome
from playtest.rules.errors import RuleError


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


SHORTEST_RECONNECT = timedelta(seconds=1)
"""A page that connects again was away, even if for less than the time between its pings."""
LONGEST_AWAY_SECONDS = 60 * 60
MOST_TIMES_AWAY = 1_000


@dataclass(frozen=True, slots=True)
class Away:
    """While a person's own connection is away, the clocks stand still for `seconds` at most each time.

    So often in a session as `times` says; later ones are charged, and so is everything with zeros.
    Raises RuleError `away_invalid`.
    """

    seconds: int = 0
    times: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.seconds <= LONGEST_AWAY_SECONDS and 0 <= self.times <= MOST_TIMES_AWAY):
            message = f"Clocks stand still for at most 60 minutes each time, and {MOST_TIMES_AWAY:,} times."
            raise RuleError("away_invalid", message)


def is_absence(since: datetime, until: datetime, *, reconnects: bool) -> bool:
    """Whether the silence before a page connects is an absence; `reconnects`: the page was there before."""
    return until - since >= (SHORTEST_RECONNECT if reconnects else SHORTEST_AWAY)


def excused(
    since: datetime, until: datetime | None, away: Away, adjustments: Adjustments, start: datetime
) -> list[Pause]:
    """The pauses that an absence makes: where clocks ran after its last sign of life, at `since`.

    `until` is when the connection came back; None if it has not. `adjustments` are those without it: time in
    which the clocks stood still anyway uses up nothing of the allowance. `start`: when the session began.
    """
    if any(pause.own and pause.end is not None and pause.end > since for pause in adjustments.pauses):
        return []  # it is among them
    if not away.seconds or len(adjustments.own_outages(start, since)) >= away.times:
        return []
    end = adjustments.moment_after(since, timedelta(seconds=away.seconds))
    if end is None or (until is not None and until < end):
        end = until
    if end is None:
        return []
    return [Pause(start, end, own=True) for start, end in adjustments.between_pauses(since, end)]


def if_away(since: datetime, away: Away, adjustments: Adjustments, start: datetime) -> Adjustments:
    """The adjustments as they are if nobody comes back before the allowance is used up."""
    return with_pauses(adjustments, excused(since, None, away, adjustments, start))


def with_pauses(adjustments: Adjustments, more: Iterable[Pause]) -> Adjustments:
    """The adjustments with pauses that do not overlap theirs."""
    pauses = sorted([*adjustments.pauses, *more], key=lambda pause: pause.start)
    return replace(adjustments, pauses=tuple(pauses))


class Deadline(NamedTuple):
    """The moment from which an attempt accepts no more actions, and the outcome it then has.

    `cause` is `Outcome.TIMED_OUT` or `Outcome.SESSION_OVER`.
    """

    at: datetime
    cause: Outcome


def soft_deadline(
    first_frame_at: datetime, limits: Limits, adjustments: Adjustments = NO_ADJUSTMENTS
) -> datetime | None:
    """When the prompt to conclude is due."""
    return adjustments.moment_after(first_frame_at, timedelta(seconds=limits.soft_seconds))


def hard_limit(
    first_frame_at: datetime, limits: Limits, adjustments: Adjustments = NO_ADJUSTMENTS
) -> timedelta:
    """How long an attempt may last without pauses: the hard limit and the time granted to it."""
    granted = (grant for grant in adjustments.grants if grant.environment)
    return adjustments.allowed(first_frame_at, limits.hard_seconds, granted)


def granted_time(first_frame_at: datetime, limits: Limits, adjustments: Adjustments) -> timedelta:
    """How much longer than the hard limit an attempt may last, and count (`rules.attempt.AttemptRule`)."""
    return hard_limit(first_frame_at, limits, adjustments) - timedelta(seconds=limits.hard_seconds)


def hard_deadline(
    first_frame_at: datetime, limits: Limits, adjustments: Adjustments = NO_ADJUSTMENTS
) -> datetime | None:
    """When the attempt is cut off, whatever its session has left. `adjustments` are those of the attempt."""
    return adjustments.moment_after(first_frame_at, hard_limit(first_frame_at, limits, adjustments))


def session_deadline(
    session_started_at: datetime, limits: Limits, adjustments: Adjustments = NO_ADJUSTMENTS
) -> datetime | None:
    """When the session ends, and with it its open attempt: at its limit, or earlier if staff say so.

    An end that staff have planned waits for nobody whose own connection is away.
    """
    granted = (grant for grant in adjustments.grants if grant.session)
    limit = adjustments.allowed(session_started_at, limits.session_seconds, granted)
    found = adjustments.moment_after(session_started_at, limit)
    if (planned := adjustments.planned_end) is None:
        return found
    of_center = replace(adjustments, pauses=tuple(one for one in adjustments.pauses if not one.own))
    end = of_center.moment_after(planned.at, timedelta(seconds=planned.seconds))
    return min((one for one in (found, end) if one is not None), default=None)


def attempt_deadline(
    first_frame_at: datetime,
    session_started_at: datetime,
    limits: Limits,
    adjustments: Adjustments = NO_ADJUSTMENTS,
    attempt: int | None = None,
) -> Deadline | None:
    """The earlier of the hard and the session deadline; on a tie the hard one.

    `adjustments` are the session's. With the number of its `attempt`, only what is granted to that one moves
    the hard deadline, and so does the time in which it was set aside.
    """
    own = adjustments if attempt is None else adjustments.of_attempt(attempt)
    hard = hard_deadline(first_frame_at, limits, own)
    session = session_deadline(session_started_at, limits, adjustments)
    found = [
        Deadline(at, cause)
        for at, cause in ((hard, Outcome.TIMED_OUT), (session, Outcome.SESSION_OVER))
        if at is not None
    ]
    return min(found, key=lambda deadline: deadline.at, default=None)


def is_over(ends: datetime | None, now: datetime) -> bool:
    """Whether a limit that ends at this moment is reached: from then on no action is accepted.

    The one decision: of an action that arrives, of timers, of the sweep, of what staff do to clocks. `ends`
    is in UTC, as all limits here are; None is one without a moment, such as in a pause.
    """
    return ends is not None and now >= ends


def seconds_left(deadline: datetime, now: datetime) -> float:
    """Seconds from `now` to any of the deadlines above; 0 from the deadline on."""
    return max(0.0, (in_utc(deadline) - in_utc(now)).total_seconds())


def session_seconds_left(
    session_started_at: datetime, now: datetime, limits: Limits, adjustments: Adjustments = NO_ADJUSTMENTS
) -> float:
    """Seconds that the session's clock has left; they stand still during a pause."""
    deadline = session_deadline(session_started_at, limits, adjustments.until(now))
    return seconds_left(deadline, now) if deadline is not None else 0.0


def elapsed_seconds(
    first_frame_at: datetime, now: datetime, adjustments: Adjustments = NO_ADJUSTMENTS
) -> float:
    """Seconds without pauses between two moments: what the clock of an attempt shows, or its interaction."""
    return adjustments.running(first_frame_at, now).total_seconds()
