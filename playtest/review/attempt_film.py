"""The frames of an attempt as the stills of a film, timed by the player's clocks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Self

from engine.play.frames import Frame, decode
from engine.tasks.edits import edit_in
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.adjustments import adjustments_of_attempt
from playtest.review.damaged_entries import damage_refused
from playtest.review.video.clock import REAL_TIME, Clock, Moment, Pace, Shown, moments
from playtest.review.video.pictures import Still
from playtest.rules.adjustments import Adjustments
from playtest.rules.labels import ACTION_LABELS, edit_label

_ENTRIES_AT_ONCE = 200


@dataclass(frozen=True)
class FilmOptions:
    """Pixels a cell, captions below the board, and the pace of the replay."""

    scale: int = 8
    captions: bool = False
    pace: Pace = REAL_TIME

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Self:
        """Reads what `stored` wrote; options of older films have no clock and speed."""
        pace = Pace(Clock(stored.get("clock", Clock.TIME)), stored.get("speed", 1.0), stored["idle"])
        return cls(stored["scale"], stored["captions"], pace)

    @property
    def stored(self) -> dict[str, Any]:
        """JSON types."""
        pace = self.pace
        return {
            "scale": self.scale,
            "captions": self.captions,
            "clock": str(pace.clock),
            "speed": pace.speed,
            "idle": pace.idle,
        }


class Film:
    """One attempt's frames with their times."""

    def __init__(self, attempt: Attempt, options: FilmOptions) -> None:
        self._attempt = attempt
        self._options = options
        known = list(attempt.entries.order_by("seq").defer("frames"))
        clock = adjustments_of_attempt(attempt)
        shown = [_shown(entry, known[0].server_time, clock) for entry in known]
        self._paused = _pauses(known, clock)
        self._moments = moments(shown, attempt.version.default_fps, options.pace)

    @property
    def frames(self) -> int:
        """How many are shown."""
        return len(self._moments)

    def stills(self) -> Iterator[Still]:
        """The stills in order, read from the journal as they are needed."""
        waiting = iter(self._moments)
        moment = next(waiting, None)
        for index, (entry, frames) in enumerate(turns(self._attempt)):
            if moment is None:
                return
            caption = self._caption(entry) if self._options.captions else ""
            while moment is not None and moment.entry == index:
                yield self._still(moment, frames, caption)
                moment = next(waiting, None)

    def _still(self, moment: Moment, frames: Sequence[Frame], caption: str) -> Still:
        return Still(frames[moment.frame], moment.seconds, caption)

    def _caption(self, entry: Entry) -> str:
        version = self._attempt.version
        level = f"{version.kind.terms.part.capitalize()} {entry.level} of {version.levels}"
        if entry.seq == 0:
            return level
        cell = "" if entry.x is None else f" {entry.x}, {entry.y}"
        paused = self._paused.get(entry.seq)
        after = "" if paused is None else f"   after a pause of {_minutes(paused)}"
        if entry.edit is not None:
            with damage_refused(entry):
                return f"{level}   edit {entry.seq}: {edit_label(edit_in(entry.edit).fields)}{after}"
        return f"{level}   action {entry.seq}: {ACTION_LABELS[entry.action]}{cell}{after}"


def turns(
    attempt: Attempt, after: int = -1, shown: Frame | None = None
) -> Iterator[tuple[Entry, list[Frame]]]:
    """Every entry in order with its frames. Refusal: record_damaged.

    Or those after an entry whose last frame is `shown`.
    """
    for entry in _entries(attempt, after):
        with damage_refused(entry):
            frames = decode(inflate(entry.frames), shown)
            shown = frames[-1]
        yield entry, frames


def _entries(attempt: Attempt, after: int) -> Iterator[Entry]:
    """The entries, read a few hundred at a time.

    A worker stores its progress between them. SQLite refuses a write while the same connection still reads,
    once another connection has written.
    """
    while some := list(attempt.entries.filter(seq__gt=after).order_by("seq")[:_ENTRIES_AT_ONCE]):
        yield from some
        after = some[-1].seq


def _pauses(entries: Sequence[Entry], clock: Adjustments) -> dict[int, timedelta]:
    """How long staff had paused the session before each action; only where they had."""
    if not clock.pauses:
        return {}
    stopped = (
        (after.seq, clock.stopped(before.server_time, after.server_time))
        for before, after in pairwise(entries)
    )
    return {seq: time for seq, time in stopped if time}


def _minutes(time: timedelta) -> str:
    minutes, seconds = divmod(round(time.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"


def _shown(entry: Entry, start: datetime, clock: Adjustments) -> Shown:
    """Pauses by staff are cut out, as in the player."""
    return Shown(
        seconds=(entry.server_time - start - clock.stopped(start, entry.server_time)).total_seconds(),
        frame_count=entry.frame_count,
        pressed_at=entry.client_time.timestamp() if entry.client_time else None,
        previous_paint=None if entry.previous_paint_ms is None else entry.previous_paint_ms / 1000,
    )
