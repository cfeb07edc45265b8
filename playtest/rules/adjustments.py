"""What changes the clocks of one session: pauses stop them, grants add time, and a task is set aside.

Outages are pauses, too: of the servers, and of the connection of the session's own.

A clock runs from its start (the first frame of an attempt, the check-in of a session) and stands still during
pauses; an attempt's clock also while it is set aside. A pause is from its start on, and until just before its
end. Times are aware datetimes.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from playtest.rules.errors import RuleError

SHORTEST_AWAY = timedelta(seconds=6)
"""Pages give a sign every five seconds: a shorter silence is none, and a shorter outage is not counted."""


@dataclass(frozen=True, slots=True)
class Pause:
    """From `start` until just before `end`; open while `end` is None.

    `own`: the connection of the session's own was away.
    """

    start: datetime
    end: datetime | None = None
    own: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """Seconds added at a moment: to the hard limit of the attempt open then, to the session, or to both.

    `attempt` identifies that attempt; None if none was open.
    """

    at: datetime
    seconds: int
    environment: bool
    session: bool
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedEnd:
    """Staff have said at a moment that the session ends in so many seconds, without pauses by the center."""

    at: datetime
    seconds: int


@dataclass(frozen=True, slots=True)
class Aside:
    """An attempt was set aside during this time; open until it is taken up again."""

    attempt: int
    time: Pause


@dataclass(frozen=True, slots=True)
class Adjustments:
    """The pauses and grants of one session, each in order of time; pauses do not overlap.

    `aside` has the times in which attempts of the session were set aside. They stop no clock before
    `of_attempt` has made pauses of those of one attempt.
    """

    pauses: tuple[Pause, ...] = ()
    grants: tuple[Grant, ...] = ()
    aside: tuple[Aside, ...] = ()
    planned_end: PlannedEnd | None = None

    @property
    def paused(self) -> bool:
        """Whether the session is paused now."""
        return self.paused_since is not None

    @property
    def paused_since(self) -> datetime | None:
        """Since when the session is paused; None if it is not."""
        return next((pause.start for pause in self.pauses if pause.end is None), None)

    def paused_at(self, moment: datetime) -> bool:
        """Whether the session was paused at this moment."""
        return any(
            pause.start <= moment and (pause.end is None or moment < pause.end) for pause in self.pauses
        )

    def of_attempt(self, attempt: int) -> "Adjustments":
        """The clock of one attempt: the time granted to environments in it alone, and its pauses.

        Those are the session's, and the times in which it was set aside.
        """
        if not self.grants and not self.aside:
            return self
        own = [aside.time for aside in self.aside if aside.attempt == attempt]
        return replace(
            self,
            pauses=_united([*self.pauses, *own]) if own else self.pauses,
            aside=(),
            grants=tuple(
                replace(grant, environment=grant.environment and grant.attempt == attempt)
                for grant in self.grants
            ),
        )

    def until(self, moment: datetime) -> "Adjustments":
        """What was changed until this moment; a pause that was open then ends at it."""

        def ended(pause: Pause) -> Pause:
            return replace(pause, end=moment if pause.end is None else min(pause.end, moment))

        return Adjustments(
            tuple(ended(pause) for pause in self.pauses if pause.start < moment),
            tuple(grant for grant in self.grants if grant.at <= moment),
            tuple(Aside(one.attempt, ended(one.time)) for one in self.aside if one.time.start < moment),
            self.planned_end if self.planned_end is not None and self.planned_end.at <= moment else None,
        )

    def own_outages(self, start: datetime, end: datetime) -> list[timedelta]:
        """How long each of the own outages that began in an interval stopped the clocks, without short ones.

        One that a pause by staff, or an outage of the servers, has cut into parts is one.
        """
        found: list[timedelta] = []
        last: datetime | None = None
        for pause in self.pauses:
            if not pause.own or pause.end is None or not start <= pause.start < end:
                continue
            if last is None or self.running(last, pause.start):
                found.append(timedelta(0))
            found[-1] += pause.end - pause.start
            last = pause.end
        return [stop for stop in found if stop >= SHORTEST_AWAY]

    def stopped(self, start: datetime, end: datetime) -> timedelta:
        """How long a clock stood still between two moments."""
        start, end = in_utc(start), in_utc(end)
        overlaps = (min(end, pause.end or end) - max(start, pause.start) for pause in self.pauses)
        return sum((overlap for overlap in overlaps if overlap > timedelta(0)), timedelta(0))

    def between_pauses(self, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
        """The parts of an interval in which a clock ran, in order, each with its start and end."""
        parts, moment = [], start
        for pause in self.pauses:
            if moment < (until := min(pause.start, end)):
                parts.append((moment, until))
            moment = max(moment, end if pause.end is None else pause.end)
        return [*parts, (moment, end)] if moment < end else parts

    def running(self, start: datetime, end: datetime) -> timedelta:
        """How long a clock ran between two moments; zero if the second is not later."""
        return max(timedelta(0), in_utc(end) - in_utc(start) - self.stopped(start, end))

    def moment_after(self, start: datetime, time: timedelta) -> datetime | None:
        """When a clock that starts at `start` has run for `time`; None while it stands still before that."""
        moment = in_utc(start) + time
        for pause in self.pauses:
            begins = max(pause.start, start)
            if begins >= moment:
                break
            if pause.end is None:
                return None
            moment += max(timedelta(0), pause.end - begins)
        return moment

    def allowed(self, start: datetime, seconds: float, grants: Iterable[Grant]) -> timedelta:
        """A limit of `seconds` with grants; one made after the limit was reached adds nothing."""
        limit = timedelta(seconds=seconds)
        for grant in grants:
            if self.running(start, grant.at) >= limit:
                break
            limit += timedelta(seconds=grant.seconds)
        return limit


def _united(pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    """The same times as pauses in order of time that do not overlap."""
    found: list[Pause] = []
    for pause in sorted(pauses, key=lambda one: one.start):
        last = found[-1] if found else None
        if last is None or (last.end is not None and pause.start > last.end):
            found.append(pause)
        elif last.end is not None and (pause.end is None or pause.end > last.end):
            found[-1] = replace(last, end=pause.end)
    return tuple(found)


NO_ADJUSTMENTS = Adjustments()


def in_utc(moment: datetime) -> datetime:
    """The same moment in UTC. RuleError time_without_zone."""
    if moment.utcoffset() is None:
        raise RuleError("time_without_zone", "Give times with their zone, such as datetime.now(UTC).")
    return moment.astimezone(UTC)
