"""The times at which frames are shown, by the player's clocks, for films.

The same rules as `static/review/timeline.js` and `clocks.js`; `tests/vectors/clocks.json` holds both to them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

ACTION_SECONDS = 0.5
"""The time of an action by the per-action clock."""
IDLE_MARGIN_SECONDS = 0.5
"""The time that is left at either end of a skipped idle stretch."""
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
_UNSEEN_SECONDS = 1e-4
"""A frame that is visible for less time is not shown."""


class Clock(StrEnum):
    TIME = "time"
    ACTION = "action"


@dataclass(frozen=True, slots=True)
class Shown:
    """The frames of one action as they were shown. `seconds` since the opening frame, by the server.

    `pressed_at` is seconds by the station's clock, `previous_paint` how long the action before this one took
    from press to painted frame; None where the station did not say.
    """

    seconds: float
    frame_count: int
    pressed_at: float | None = None
    previous_paint: float | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame of an action, both counted from 0, and when it comes on the board, in seconds."""

    entry: int
    frame: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How a replay runs. `idle`: by the clock of time, stretches longer than so many seconds are skipped."""

    clock: Clock = Clock.TIME
    speed: float = 1.0
    idle: float | None = None


REAL_TIME = Pace()


def moments(shown: Sequence[Shown], frames_per_second: float, pace: Pace = REAL_TIME) -> list[Moment]:
    """Every frame that is seen at this pace, in order, without those that the next action cut off."""
    found = _CLOCKS[pace.clock](shown, 1 / frames_per_second)
    if pace.clock == Clock.TIME and pace.idle is not None:
        found = _without_idling(found, pace.idle)
    return [Moment(each.entry, each.frame, each.seconds / pace.speed) for each in _without_unseen(found)]


def _by_time(shown: Sequence[Shown], interval: float) -> Iterator[Moment]:
    """Time as it passed for the participant: a press ends an animation with its last frame."""
    for index, action in enumerate(shown):
        following = shown[index + 1] if index + 1 < len(shown) else None
        room, last = _room(action, following), action.frame_count - 1
        for frame in range(action.frame_count):
            if frame == last or frame * interval < room:
                yield Moment(index, frame, action.seconds + min(frame * interval, room))


def _by_action(shown: Sequence[Shown], interval: float) -> Iterator[Moment]:
    """Every action takes the same time, and longer only while its animation plays, whole."""
    begin = 0.0
    for index, action in enumerate(shown):
        for frame in range(action.frame_count):
            yield Moment(index, frame, begin + frame * interval)
        begin += max(ACTION_SECONDS, action.frame_count * interval)


_CLOCKS = {Clock.TIME: _by_time, Clock.ACTION: _by_action}


def _without_idling(found: Iterable[Moment], threshold: float) -> Iterator[Moment]:
    """Shortens long stretches between the last frame of an action and the next action."""
    left = 2 * IDLE_MARGIN_SECONDS
    saved, before = 0.0, Moment(0, 0, 0.0)
    for moment in found:
        stretch = moment.seconds - before.seconds
        if moment.entry != before.entry and stretch > max(threshold, left):
            saved += stretch - left
        before = moment
        yield Moment(moment.entry, moment.frame, moment.seconds - saved)


def _without_unseen(found: Iterable[Moment]) -> Iterator[Moment]:
    """Leaves out frames that another replaces at the same time."""
    waiting: Moment | None = None
    for moment in found:
        if waiting is not None and moment.seconds - waiting.seconds > _UNSEEN_SECONDS:
            yield waiting
        waiting = moment
    if waiting is not None:
        yield waiting


def _room(action: Shown, following: Shown | None) -> float:
    """Seconds the frames had before the next press; by the server where the station's clock is not known."""
    if following is None:
        return float("inf")
    between = following.seconds - action.seconds
    pressed, next_pressed, paint = action.pressed_at, following.pressed_at, following.previous_paint
    if pressed is None or next_pressed is None or paint is None:
        return between
    return min(between, max(0.0, next_pressed - pressed - paint))
