"""Films are real files: their frames, times, colours and words are read back from them."""

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from engine.play.frames import Frame
from playtest.review.video import encoding
from playtest.review.video.encoding import CAPTION_HEIGHT, FORMATS, Still, write
from playtest.review.video.pictures import COLOURS, png


def board(colour: int) -> Frame:
    return np.full((64, 64), colour, dtype=np.uint8)


STILLS = [Still(board(8), 0), Still(board(9), 0.25), Still(board(14), 70.5)]


def read(path: Path) -> list[tuple[float, np.ndarray]]:
    with av.open(str(path)) as container:
        return [(float(frame.time), frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_frame_comes_at_its_own_time_and_the_last_stays_for_a_second(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "film"
    assert write(path, STILLS, kind, scale=2, captions=False) == 4
    assert [time for time, _ in read(path)] == pytest.approx([0, 0.25, 70.5, 71.5])


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
def test_colours_are_those_of_the_palette(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "film"
    write(path, STILLS, kind, scale=4, captions=False)
    tolerance = 0 if kind == "gif" else 6
    for (_, picture), still in zip(read(path), STILLS, strict=False):
        wanted = COLOURS[still.frame[0, 0]].astype(int)
        assert np.abs(picture[128, 128].astype(int) - wanted).max() <= tolerance


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
