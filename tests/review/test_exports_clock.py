"""A film shows each frame when the participant saw it, as the replay does."""

from typing import Any

import pytest

from playtest.review.video.clock import Moment, Shown, moments, without_idling


def at(seconds: float, frames: int = 1, **known: object) -> Shown:
    return Shown(seconds, frames, bool(known.pop("seen_whole", False)), **known)  # type: ignore[arg-type]


def seen(*shown: Shown) -> list[tuple[int, int, Any]]:
    return [(one.entry, one.frame, pytest.approx(one.seconds)) for one in moments(shown, 5)]


def test_an_animation_plays_at_the_environments_pace() -> None:
    assert seen(at(0), at(2, 3), at(9)) == [(0, 0, 0), (1, 0, 2), (1, 1, 2.2), (1, 2, 2.4), (2, 0, 9)]


def test_the_next_action_cuts_an_animation_short_to_its_last_frame() -> None:
    assert seen(at(0, 5), at(0.5)) == [(0, 0, 0), (0, 1, 0.2), (0, 2, 0.4), (0, 4, 0.5), (1, 0, 0.5)]


def test_the_press_counts_where_the_stations_clock_is_known() -> None:
    first = at(0, 4, pressed_at=100.0)
    second = at(1, pressed_at=100.5, previous_paint=0.2)
    assert seen(first, second) == [(0, 0, 0), (0, 1, 0.2), (0, 3, 0.3), (1, 0, 1)]


def test_an_animation_that_ends_a_level_is_seen_whole_its_rest_hurried() -> None:
    times = seen(at(0, 6, seen_whole=True), at(0.8))
    assert [frame for _, frame, _ in times] == [0, 1, 2, 3, 4, 5, 0]
    assert [time for _, _, time in times] == [0, 0.2, 0.4, 0.53333333, 0.66666667, 0.8, 0.8]


def test_idle_time_is_cut_to_the_longest_wanted() -> None:
    whole = [Moment(0, 0, 0), Moment(1, 0, 1), Moment(2, 0, 61), Moment(3, 0, 62)]
    assert [moment.seconds for moment in without_idling(whole, 2)] == [0, 1, 3, 4]
