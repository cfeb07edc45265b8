"""When the participant saw which frame; the same as `static/review/timeline.js` tells the replay."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

HURRIED_SECONDS = 0.4
"""What is left of an animation that must be seen plays within this time after a press (`play/board.js`)."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is known of one action's frames. `seconds` since the opening frame, by the server.

    `pressed_at` is seconds by the station's clock, `previous_paint` how long the action before this one took
    from press to painted frame; None where the station did not say. `seen_whole`: the action ended a level or
    the environment, so that its animation could not be cut short.
    """

    seconds: float
    frame_count: int
    seen_whole: bool
    pressed_at: float | None = None
    previous_paint: float | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame of an action, both counted from 0, and when it came on the board, in seconds."""

    entry: int
    frame: int
    seconds: float


def moments(shown: Sequence[Shown], frames_per_second: float) -> list[Moment]:
    """Every frame that was seen, in order; those that the next action cut short are left out."""
    found: list[Moment] = []
    for index, action in enumerate(shown):
        following = shown[index + 1] if index + 1 < len(shown) else None
        found += _moments(index, action, following, 1 / frames_per_second)
    return found


def without_idling(found: Sequence[Moment], longest: float) -> Iterator[Moment]:
    """The same moments with every stretch in which nothing moved cut to `longest` seconds."""
    saved, before = 0.0, 0.0
    for moment in found:
        saved += max(0.0, moment.seconds - before - longest)
        before = moment.seconds
        yield Moment(moment.entry, moment.frame, moment.seconds - saved)


def _moments(index: int, action: Shown, following: Shown | None, pace: float) -> Iterator[Moment]:
    last = action.frame_count - 1
    room = _room(action, following)
    time_of = _hurried(last, pace, room) if action.seen_whole else lambda frame: min(frame * pace, room)
    for frame in range(action.frame_count):
        if action.seen_whole or frame == last or frame * pace < room:
            yield Moment(index, frame, action.seconds + time_of(frame))


def _room(action: Shown, following: Shown | None) -> float:
    """Seconds the frames had before the next press; by the server where the station's clock is not known."""
    if following is None:
        return float("inf")
    between = following.seconds - action.seconds
    pressed, next_pressed, paint = action.pressed_at, following.pressed_at, following.previous_paint
    if pressed is None or next_pressed is None or paint is None:
        return between
    return min(between, max(0.0, next_pressed - pressed - paint))


def _hurried(last: int, pace: float, room: float) -> Callable[[int], float]:
    """The press that hurried an animation is not recorded: it cannot have been later than this supposes."""
    if last * pace <= room:
        return lambda frame: frame * pace
    calm = int(max(0.0, room - HURRIED_SECONDS) / pace)
    rest = (room - calm * pace) / (last - calm)
    return lambda frame: frame * pace if frame <= calm else calm * pace + (frame - calm) * rest
