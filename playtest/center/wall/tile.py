"""One tile of the wall: what is known of a session from its process, from the database, and from review."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from playtest.center.wall.boards import EncodedBoard
from playtest.center.wall.facts import SessionFacts
from playtest.play.sessions.reads import Stage
from playtest.rules.adjustments import Adjustments, Pause
from playtest.rules.attention import Condition, Need, needs, rank
from playtest.rules.limits import attempt_deadline, excused, is_absence, soft_deadline, with_pauses

_FAR_AWAY = datetime.max.replace(tzinfo=UTC)
ON_BOARD = (Stage.PLAYING, Stage.PAUSE)
"""The stages whose page has a socket."""


class Link(StrEnum):
    """How the page of a session is connected; NONE on pages without a socket."""

    CONNECTED = "connected"
    LOST = "lost"
    SILENT = "silent"
    NONE = "none"


@dataclass(slots=True)
class Play:
    """Where the open attempt stands. Times are seconds since 1970; 0.0 before the first action."""

    attempt: int
    seq: int
    level: int
    levels_completed: int
    acted_at: float
    board: EncodedBoard | None = None


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the clocks of a session come to: it changes with its facts alone. Seconds since 1970.

    A zero is when a clock would have started without pauses. `quiet_from` is when its participant could
    first act, `resumed_at` when the last pause ended (0.0 if none), `paused_at` when the present one began.
    `deadline` and `soft_at` are None while
    the clocks stand still, and without an environment. `away` are the times, each with its start and end, in
    which no clock runs because the connection is away; the zeros do not know them.
    """

    environment_zero: float | None
    session_zero: float
    resumed_at: float
    quiet_from: float
    deadline: float | None
    soft_at: float | None
    paused_at: float | None
    away: tuple[Pause, ...]


@dataclass(slots=True)
class Tile:
    """A session on the wall. `shown` and `reasons` are what all viewers have been told last.

    `link_since` is when the connection came into its present state, in seconds since 1970. `gone` is from
    when until when it was away last; None where it is still away.
    """

    facts: SessionFacts
    room: str = ""
    play: Play | None = None
    link: Link = Link.NONE
    link_since: float = 0.0
    gone: tuple[datetime, datetime | None] | None = None
    round_trip_ms: int | None = None
    shown: dict[str, Any] = field(default_factory=dict)
    reasons: list[Need] = field(default_factory=list)
    _known: tuple[SessionFacts, object, Clocks, dict[str, Any]] | None = None

    @property
    def current(self) -> Play | None:
        """Where the open attempt stands; None if what is known is about an earlier one."""
        attempt = self.facts.attempt
        if attempt is None or self.play is None or self.play.attempt != attempt.number:
            return None
        return self.play

    def connect(self, link: Link, since: float) -> None:
        """Its connection is in another state since this moment, in seconds since 1970."""
        moment = datetime.fromtimestamp(since, UTC)
        away_since = self.gone[0] if self.gone is not None and self.gone[1] is None else None
        if link in (Link.LOST, Link.SILENT):
            self.gone = (away_since or moment, None)
        elif away_since is not None and is_absence(away_since, moment, reconnects=False):
            self.gone = (away_since, moment)  # until the event that records it has been read
        else:
            self.gone = None
        self.link, self.link_since = link, since

    def document(self, reasons: list[Need]) -> dict[str, Any]:
        """The tile as all viewers are told, with these reasons to look at it (docs/wall.md)."""
        return {
            **self._fixed[1],
            "link": self.link.value,
            "link_since": round(self.link_since * 1000),
            "needs": [
                {"code": need.value, "label": need.label, "since": self._since(need)} for need in reasons
            ],
            "urgent": bool(reasons) and reasons[0].urgent,
            "rank": rank(reasons),
        }

    def progress(self) -> dict[str, Any]:
        """What only viewers are told who have the tile in view, without its board."""
        play = self.current
        return {
            "level": play.level if play else None,
            "actions": play.seq if play else None,
            "acted_at": round(play.acted_at * 1000) if play and play.acted_at else None,
            "round_trip_ms": self.round_trip_ms,
        }

    def needs(self, now: float) -> list[Need]:
        """The reasons to look at it at a moment in seconds since 1970, worst first."""
        return needs(self.condition(now))

    @property
    def _fixed(self) -> tuple[Clocks, dict[str, Any]]:
        """The clocks and the fields that only new facts, another room or an absence change; made once."""
        others = (self.room, self.gone)
        if self._known is None or self._known[0] is not self.facts or self._known[1] != others:
            clocks = _clocks(self.facts, self.gone)
            self._known = (self.facts, others, clocks, _fields(self.facts, self.room, clocks))
        return self._known[2], self._known[3]

    def condition(self, now: float) -> Condition:
        """What the rule of attention asks for, at a moment in seconds since 1970."""
        facts, play = self.facts, self.current
        clocks, _ = self._fixed
        ended, on_board = facts.ended_at is not None, facts.stage in ON_BOARD
        return Condition(
            called=_age(facts.called_at, now) if not ended else None,
            fault=facts.fault,
            server_silent=now - self.link_since if self.link == Link.SILENT else None,
            disconnected=now - self.link_since if on_board and self.link == Link.LOST else None,
            without_action=self._without_action(play, clocks, now),
            kind=facts.attempt and facts.attempt.kind,
            paused=now - clocks.paused_at if clocks.paused_at is not None and not ended else None,
            on_break=self._on_break(now) if facts.stage == Stage.PAUSE else None,
            seconds_left=clocks.deadline - now if clocks.deadline is not None else None,
            round_trip_ms=self.round_trip_ms if self.link == Link.CONNECTED else None,
            soft_limit_reached=clocks.soft_at is not None and now >= clocks.soft_at,
        )

    def _without_action(self, play: Play | None, clocks: Clocks, now: float) -> float | None:
        stopped = clocks.environment_zero is None or clocks.paused_at is not None
        if play is None or stopped or self.link != Link.CONNECTED:
            return None
        return now - max(play.acted_at, clocks.quiet_from)

    def _on_break(self, now: float) -> float | None:
        facts = self.facts
        if facts.break_at is None:
            return None
        return now - max(facts.break_at.timestamp(), self._fixed[0].resumed_at)

    def _since(self, need: Need) -> int | None:
        """Since when a reason holds, in milliseconds since 1970; None where that says nothing."""
        facts, play = self.facts, self.current
        match need:
            case Need.CALLS:
                return _milliseconds(facts.called_at)
            case Need.FAULT | Need.BREAK_LONG:
                return _milliseconds(facts.break_at)
            case Need.SERVER_SILENT | Need.CONNECTION_LOST:
                return round(self.link_since * 1000)
            case Need.NO_ACTION:
                return round(max(play.acted_at, self._fixed[0].quiet_from) * 1000) if play else None
            case Need.PAUSED_LONG:
                return _milliseconds(facts.adjustments.paused_since)
        return None


def _clocks(facts: SessionFacts, gone: tuple[datetime, datetime | None] | None) -> Clocks:
    attempt, adjustments = facts.attempt, facts.adjustments
    away = excused(*gone, facts.away, adjustments, facts.checked_in_at) if gone else []
    waiting = with_pauses(adjustments, away)
    started = attempt.first_frame_at if attempt else None
    own = adjustments.of_attempt(attempt.pk) if attempt else adjustments
    resumed_at = max((pause.end.timestamp() for pause in own.pauses if pause.end), default=0.0)
    deadline = soft_at = zero = None
    if attempt is not None and started is not None:
        zero = _zero(started, own)
        limits = facts.limits
        deadline = attempt_deadline(started, facts.checked_in_at, limits, waiting, attempt.pk)
        soft_at = soft_deadline(started, limits, waiting.of_attempt(attempt.pk))
    return Clocks(
        environment_zero=zero,
        session_zero=_zero(facts.checked_in_at, adjustments),
        resumed_at=resumed_at,
        quiet_from=max(started.timestamp() if started else 0.0, resumed_at),
        deadline=deadline.at.timestamp() if deadline else None,
        soft_at=soft_at.timestamp() if soft_at else None,
        paused_at=adjustments.paused_since.timestamp() if adjustments.paused_since else None,
        away=tuple(away),
    )


def _zero(start: datetime, adjustments: Adjustments) -> float:
    """When a clock without pauses would have started to show the same; an open pause is left out."""
    ended = tuple(pause for pause in adjustments.pauses if pause.end is not None)
    return (start + replace(adjustments, pauses=ended).stopped(start, _FAR_AWAY)).timestamp()


def _fields(facts: SessionFacts, room: str, clocks: Clocks) -> dict[str, Any]:
    attempt, zero = facts.attempt, clocks.environment_zero
    return {
        "session": facts.session,
        "station": facts.station,
        "room": room,
        "study": facts.study,
        "rehearsal": facts.rehearsal,
        "participant": facts.participant,
        "stage": facts.stage.value,
        "environment": attempt.code if attempt else None,
        "number": attempt.number if attempt else None,
        "levels": attempt.levels if attempt else None,
        "part": attempt.kind.terms.part if attempt else None,
        "act": attempt.kind.terms.act if attempt else None,
        "environment_zero": round(zero * 1000) if zero is not None else None,
        "session_zero": round(clocks.session_zero * 1000),
        "paused_at": _milliseconds(facts.adjustments.paused_since),
        "away": [[_milliseconds(pause.start), _milliseconds(pause.end)] for pause in clocks.away],
    }


def _milliseconds(moment: datetime | None) -> int | None:
    return round(moment.timestamp() * 1000) if moment else None


def _age(moment: datetime | None, now: float) -> float | None:
    return now - moment.timestamp() if moment else None
