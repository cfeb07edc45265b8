"""A film shows each frame when the participant saw it, as the replay does."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.review.video.clock import Clock, Pace, Shown, moments
from tests.review import clock_vectors


def at(seconds: float, frames: int = 1, **known: object) -> Shown:
    return Shown(seconds, frames, bool(known.pop("seen_whole", False)), **known)  # type: ignore[arg-type]


def seen(*shown: Shown, **pace: Any) -> list[tuple[int, int, Any]]:
    found = moments(shown, 5, Pace(**pace))
    return [(one.entry, one.frame, pytest.approx(one.seconds)) for one in found]


def test_an_animation_plays_at_the_environments_pace() -> None:
    assert seen(at(0), at(2, 3), at(9)) == [(0, 0, 0), (1, 0, 2), (1, 1, 2.2), (1, 2, 2.4), (2, 0, 9)]


def test_the_next_action_cuts_an_animation_short_and_no_frame_of_no_duration_is_shown() -> None:
    assert seen(at(0, 5), at(0.5)) == [(0, 0, 0), (0, 1, 0.2), (0, 2, 0.4), (1, 0, 0.5)]


def test_the_press_counts_where_the_stations_clock_is_known() -> None:
    first = at(0, 4, pressed_at=100.0)
    second = at(1, pressed_at=100.5, previous_paint=0.2)
    assert seen(first, second) == [(0, 0, 0), (0, 1, 0.2), (0, 3, 0.3), (1, 0, 1)]


def test_an_animation_that_ends_a_level_is_seen_whole_its_rest_hurried() -> None:
    times = seen(at(0, 6, seen_whole=True), at(1))
    assert [frame for _, frame, _ in times] == [0, 1, 2, 3, 4, 0]
    assert [time for _, _, time in times] == [0, 0.2, 0.4, 0.6, 0.8, 1]


def test_of_a_long_stretch_half_a_second_is_left_at_either_end() -> None:
    shown = [at(0), at(1), at(61), at(62, 3), at(162)]
    times = [time for _, _, time in seen(*shown, idle=2)]
    assert times == [0, 1, 2, 3, 3.2, 3.4, 4.4]
    assert [time for _, _, time in seen(*shown, idle=60)] == [0, 1, 61, 62, 62.2, 62.4, 63.4]


def test_by_the_other_clock_every_action_takes_a_beat_or_its_animation() -> None:
    times = [time for _, _, time in seen(at(0), at(90, 4), at(90.1), clock=Clock.ACTION)]
    assert times == [0, 0.5, 0.7, 0.9, 1.1, 1.3]


def test_a_film_at_twice_the_speed_takes_half_the_time() -> None:
    assert [time for _, _, time in seen(at(0), at(3), at(90), speed=2, idle=10)] == [0, 1.5, 2]


attempts = st.lists(
    st.tuples(st.floats(0, 30), st.integers(1, 12), st.booleans(), st.floats(0, 30), st.floats(0, 2)),
    min_size=1,
    max_size=8,
)


@given(attempts, st.sampled_from(clock_vectors.PACES), st.sampled_from([5, 15, 30]))
def test_frames_come_in_order_each_at_a_time_of_its_own_and_the_last_one_last(
    played: list[tuple[float, int, bool, float, float]], pace: Pace, frames_per_second: int
) -> None:
    shown, now, pressed = [], 0.0, 0.0
    for pause, frames, ends, thought, paint in played:
        now, pressed = now + pause, pressed + thought
        shown.append(Shown(now, frames, ends, pressed, paint))
    found = moments(shown, frames_per_second, pace)
    assert [(one.entry, one.frame) for one in found] == sorted({(one.entry, one.frame) for one in found})
    times = [one.seconds for one in found]
    assert times == sorted(set(times))
    assert (found[-1].entry, found[-1].frame) == (len(shown) - 1, shown[-1].frame_count - 1)


def test_the_vectors_for_the_player_are_what_a_film_shows() -> None:
    vectors = clock_vectors.stored()
    assert clock_vectors.VECTORS.read_text() == clock_vectors.text(vectors)
    assert {pace["clock"] for vector in vectors for pace in vector["paces"]} == {"time", "action"}
    assert max(frames for vector in vectors for _, frames, *_ in vector["entries"]) >= 10
