"""Films are real files, and show each frame when the participant saw it."""

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from engine.play.frames import Frame
from playtest.review.video import encoding
from playtest.review.video.clock import Clock, Pace, Shown, moments
from playtest.review.video.encoding import CAPTION_HEIGHT, FORMATS, write
from playtest.review.video.pictures import COLOURS, Still, png
from tests.review import clock_vectors


def board(colour: int) -> Frame:
    return np.full((64, 64), colour, dtype=np.uint8)


STILLS = [Still(board(8), 0), Still(board(9), 0.25), Still(board(14), 70.5)]


def read(path: Path) -> list[tuple[float, np.ndarray]]:
    with av.open(str(path)) as container:
        return [(float(frame.time), frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_frame_has_its_time_and_its_colours_and_the_last_stays_for_a_second(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "film"
    assert write(path, STILLS, kind, scale=4, captions=False) == 4
    frames = read(path)
    assert [time for time, _ in frames] == pytest.approx([0, 0.25, 70.5, 71.5])
    tolerance = 0 if kind == "gif" else 6
    for (_, picture), still in zip(frames, STILLS, strict=False):
        wanted = COLOURS[still.frame[0, 0]].astype(int)
        assert np.abs(picture[128, 128].astype(int) - wanted).max() <= tolerance


@pytest.mark.parametrize("kind", FORMATS)
def test_a_player_that_goes_by_the_files_length_shows_the_last_frame_for_its_second(
    tmp_path: Path, kind: str
) -> None:
    varied = [Still(board(number % 16), seconds) for number, seconds in enumerate([0, 0.5, 1.2, 1.9, 3, 5])]
    write(tmp_path / "film", varied, kind, scale=2, captions=False)
    with av.open(str(tmp_path / "film")) as container:
        assert container.duration is not None
        assert container.duration / av.time_base >= 6


@pytest.mark.parametrize("kind", FORMATS)
def test_the_caption_is_below_the_board_and_never_on_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "film"
    write(path, [Still(board(5), 0, "Level 1 of 6   action 3: up")], kind, scale=4, captions=True)
    picture = read(path)[0][1]
    assert picture.shape[:2] == (256 + CAPTION_HEIGHT, 256)
    assert picture[:250].max() < 40
    assert picture[260:].max() > 200


def test_the_last_of_frames_too_close_for_the_format_is_shown(tmp_path: Path) -> None:
    stills = [Still(board(colour), colour / 1000) for colour in range(4)]
    write(tmp_path / "film", stills, "gif", scale=1, captions=False)
    [(time, picture), _] = read(tmp_path / "film")
    assert time == 0
    assert (picture[0, 0] == COLOURS[3]).all()


def test_a_gif_is_an_animation_for_other_readers_too(tmp_path: Path) -> None:
    write(tmp_path / "film.gif", STILLS, "gif", scale=1, captions=False)
    with Image.open(tmp_path / "film.gif") as picture:
        picture.seek(3)
        with pytest.raises(EOFError):
            picture.seek(4)


def test_a_film_without_the_preferred_codec_uses_the_next(tmp_path: Path) -> None:
    ours = FORMATS["mp4"]
    without = encoding.Format(ours.container, (("no such codec", {}), ours.codecs[1]), ours.pixels, 1000)
    encoding.FORMATS["fallback"] = without
    try:
        write(tmp_path / "film", STILLS, "fallback", scale=2, captions=False)
    finally:
        del encoding.FORMATS["fallback"]
    with av.open(str(tmp_path / "film")) as container:
        assert container.streams.video[0].codec_context.name == "mpeg4"


def test_a_film_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one frame"):
        write(tmp_path / "film", [], "gif", scale=1, captions=False)


def test_a_picture_has_whole_pixels_and_the_palette(tmp_path: Path) -> None:
    frame = board(5).copy()
    frame[0, 1] = 8
    (tmp_path / "moment.png").write_bytes(png(frame, 3))
    with Image.open(tmp_path / "moment.png") as picture:
        pixels = np.asarray(picture.convert("RGB"))
    assert pixels.shape == (192, 192, 3)
    assert (pixels[0:3, 3:6] == COLOURS[8]).all()
    assert (pixels[0:3, 0:3] == COLOURS[5]).all()


@pytest.mark.parametrize("scale", [0, 33])
def test_a_scale_that_is_none_is_refused(scale: int) -> None:
    with pytest.raises(ValueError, match="1 to 32"):
        png(board(0), scale)


def at(seconds: float, frames: int = 1, **known: object) -> Shown:
    return Shown(seconds, frames, **known)  # type: ignore[arg-type]


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
    st.tuples(st.floats(0, 30), st.integers(1, 12), st.floats(0, 30), st.floats(0, 2)),
    min_size=1,
    max_size=8,
)


@given(attempts, st.sampled_from(clock_vectors.PACES), st.sampled_from([5, 15, 30]))
def test_frames_come_in_order_each_at_a_time_of_its_own_and_the_last_one_last(
    played: list[tuple[float, int, float, float]], pace: Pace, frames_per_second: int
) -> None:
    shown, now, pressed = [], 0.0, 0.0
    for pause, frames, thought, paint in played:
        now, pressed = now + pause, pressed + thought
        shown.append(Shown(now, frames, pressed, paint))
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
