"""One tile of the wall: what is known of a session from its process, from the database, and from review."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from engine.frames import Frame
from playtest.center.wall.facts import SessionFacts
from playtest.play.queries import Stage
from playtest.rules.attention import Condition, Need, needs, rank
from playtest.rules.limits import attempt_deadline, soft_deadline

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
    board: Frame | None = None


@dataclass(slots=True)
class Tile:
    """A session on the wall. `shown` and `shown_board` are what the viewers have been told last.

    `link_since` is when the connection came into its present state, in seconds since 1970.
    """

    facts: SessionFacts
    room: str = ""
    play: Play | None = None
    link: Link = Link.NONE
    link_since: float = 0.0
    round_trip_ms: int | None = None
    flags: tuple[str, ...] = ()
    shown: dict[str, Any] = field(default_factory=dict)
    shown_board: Frame | None = None

    @property
    def current(self) -> Play | None:
        """Where the open attempt stands; None if what is known is about an earlier one."""
        attempt = self.facts.attempt
        if attempt is None or self.play is None or self.play.attempt != attempt.number:
            return None
        return self.play

    def document(self, now: float) -> dict[str, Any]:
        """The tile as viewers are told (docs/wall.md), without its board."""
        facts, play = self.facts, self.current
        reasons = needs(self.condition(now))
        return {
            "session": facts.session,
            "station": facts.station,
            "room": self.room,
            "study": facts.study,
            "participant": facts.participant,
            "stage": facts.stage.value,
            "ended_at": _milliseconds(facts.ended_at),
            "end_reason": facts.end_reason,
            "environment": facts.attempt.code if facts.attempt else None,
            "number": facts.attempt.number if facts.attempt else None,
            "levels": facts.attempt.levels if facts.attempt else None,
            "level": play.level if play else None,
            "actions": play.seq if play else None,
            "acted_at": round(play.acted_at * 1000) if play and play.acted_at else None,
            "environment_zero": self._environment_zero(),
            "session_zero": round(self._zero(facts.checked_in_at) * 1000),
            "paused_at": _milliseconds(self._paused_at),
            "link": self.link.value,
            "link_since": round(self.link_since * 1000),
            "round_trip_ms": self.round_trip_ms,
            "flags": list(self.flags),
            "needs": [
                {"code": need.value, "label": need.label, "since": self._since(need)} for need in reasons
            ],
            "urgent": bool(reasons) and reasons[0].urgent,
            "rank": rank(reasons),
        }

    def condition(self, now: float) -> Condition:
        """What the rule of attention asks for, at a moment in seconds since 1970."""
        facts, play = self.facts, self.current
        ended, on_board = facts.ended_at is not None, facts.stage in ON_BOARD
        return Condition(
            called=_age(facts.called_at, now) if not ended else None,
            fault=facts.fault,
            server_silent=now - self.link_since if self.link == Link.SILENT else None,
            disconnected=now - self.link_since if on_board and self.link == Link.LOST else None,
            without_action=self._without_action(play, now),
            paused=_age(self._paused_at, now) if not ended else None,
            on_break=self._on_break(now),
            seconds_left=self._seconds_left(now),
            round_trip_ms=self.round_trip_ms if self.link == Link.CONNECTED else None,
            low_effort=bool(self.flags) and not ended,
            soft_limit_reached=self._soft_limit_reached(now),
        )

    def _without_action(self, play: Play | None, now: float) -> float | None:
        if self._first_frame_at is None or play is None or self.link != Link.CONNECTED or self._paused_at:
            return None
        return now - self._quiet_since(play)

    def _quiet_since(self, play: Play) -> float:
        first = self.facts.attempt.first_frame_at if self.facts.attempt else None
        return max(play.acted_at, first.timestamp() if first else 0.0, self._resumed_at)

    def _on_break(self, now: float) -> float | None:
        facts = self.facts
        if facts.stage != Stage.PAUSE or facts.break_at is None:
            return None
        return now - max(facts.break_at.timestamp(), self._resumed_at)

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
                return round(self._quiet_since(play) * 1000) if play else None
            case Need.PAUSED_LONG:
                return _milliseconds(self._paused_at)
        return None

    # Clocks

    @property
    def _paused_at(self) -> datetime | None:
        return self.facts.adjustments.paused_since

    @property
    def _resumed_at(self) -> float:
        """When the last pause ended; 0.0 if there was none."""
        ends = [pause.end.timestamp() for pause in self.facts.adjustments.pauses if pause.end]
        return max(ends, default=0.0)

    def _zero(self, start: datetime) -> float:
        """When a clock without pauses would have started to show the same; an open pause is left out."""
        ended = [pause for pause in self.facts.adjustments.pauses if pause.end is not None]
        stopped = replace(self.facts.adjustments, pauses=tuple(ended)).stopped(start, _FAR_AWAY)
        return (start + stopped).timestamp()

    @property
    def _first_frame_at(self) -> datetime | None:
        return self.facts.attempt.first_frame_at if self.facts.attempt else None

    def _environment_zero(self) -> int | None:
        started = self._first_frame_at
        return round(self._zero(started) * 1000) if started else None

    def _seconds_left(self, now: float) -> float | None:
        """Until the open environment is cut off; None while the clocks stand still."""
        facts, started = self.facts, self._first_frame_at
        if started is None or facts.attempt is None:
            return None
        adjustments = facts.adjustments.of_attempt(facts.attempt.pk)
        deadline = attempt_deadline(started, facts.checked_in_at, facts.limits, adjustments)
        return deadline.at.timestamp() - now if deadline else None

    def _soft_limit_reached(self, now: float) -> bool:
        started = self._first_frame_at
        due = soft_deadline(started, self.facts.limits, self.facts.adjustments) if started else None
        return due is not None and now >= due.timestamp()


def _milliseconds(moment: datetime | None) -> int | None:
    return round(moment.timestamp() * 1000) if moment else None


def _age(moment: datetime | None, now: float) -> float | None:
    return now - moment.timestamp() if moment else None
