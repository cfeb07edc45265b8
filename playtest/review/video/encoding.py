"""Films of a board: MP4, WebM and GIF, each frame at its own time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import batched
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from engine.play.frames import PALETTE, SIZE
from playtest.review.video.pictures import COLOURS, Still, enlarged

Cells = npt.NDArray[np.uint8]

CAPTION_HEIGHT = 36
LAST_FRAME_SECONDS = 1.0
_WHITE, _BLACK = 0, 5


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: codecs by preference with their options, and the resolution of its times."""

    container: str
    codecs: tuple[tuple[str, dict[str, str]], ...]
    pixels: str
    ticks_a_second: int
    least_ticks: int = 1


_VPX = {"deadline": "realtime", "cpu-used": "8", "crf": "24", "b": "0"}
FORMATS = {
    "mp4": Format(
        "mp4",
        # Frames that are stored out of order would make the file shorter than what it shows: its end is cut.
        (("libx264", {"preset": "superfast", "crf": "20", "bf": "0"}), ("mpeg4", {"qscale": "3", "bf": "0"})),
        "yuv420p",
        1000,
    ),
    "webm": Format("webm", (("libvpx-vp9", _VPX), ("libvpx", _VPX | {"b": "2M"})), "yuv420p", 1000),
    # Browsers slow down frames of less than two hundredths of a second to a tenth.
    "gif": Format("gif", (("gif", {}),), "pal8", 100, least_ticks=2),
}


def write(
    path: Path,
    stills: Iterable[Still],
    kind: str,
    *,
    scale: int,
    captions: bool,
    comment: str = "",
    progress: Callable[[], None] = lambda: None,
) -> int:
    """Write a file of a kind in FORMATS; returns its number of frames. At least one still is needed.

    The last frame stays for a second. `comment` is kept in the file's metadata. `progress` is called after
    each still and may raise to stop.
    """
    chosen = FORMATS[kind]
    side = SIZE * scale
    height = side + (CAPTION_HEIGHT if captions else 0)
    count = 0
    with av.open(str(path), "w", format=chosen.container) as container:
        container.metadata["comment"] = comment
        stream = _stream(container, chosen, side, height)
        for tick, still in _ticked(_counted(stills, progress), chosen):
            cells = enlarged(still.frame, scale)
            if captions:
                cells = np.concatenate([cells, _caption(still.caption, side)])
            picture = _picture(cells, chosen)
            picture.pts, picture.time_base = tick, Fraction(1, chosen.ticks_a_second)
            container.mux(stream.encode(picture))
            count += 1
        container.mux(stream.encode(None))
    if comment and kind == "gif":
        _comment_gif(path, comment.encode())
    return count


def _comment_gif(path: Path, comment: bytes) -> None:
    """Adds a comment (GIF89a, section 24) behind the header and its palette: FFmpeg writes none."""
    written = path.read_bytes()
    after = 13 + (3 << (written[10] & 7) + 1 if written[10] & 0x80 else 0)
    blocks = b"".join(bytes([len(part)]) + bytes(part) for part in batched(comment, 255))
    path.write_bytes(written[:after] + b"\x21\xfe" + blocks + b"\0" + written[after:])


def _counted(stills: Iterable[Still], progress: Callable[[], None]) -> Iterator[Still]:
    for still in stills:
        yield still
        progress()


def _ticked(stills: Iterable[Still], chosen: Format) -> Iterator[tuple[int, Still]]:
    """Each still with its tick; of stills within one tick, the last. The last one is repeated."""
    waiting: tuple[int, Still] | None = None
    for still in stills:
        tick = round(still.seconds * chosen.ticks_a_second)
        if waiting is not None:
            if tick - waiting[0] >= chosen.least_ticks:
                yield waiting
            else:
                tick = waiting[0]
        waiting = tick, still
    if waiting is None:
        raise ValueError("a film needs at least one frame")
    yield waiting
    yield waiting[0] + round(LAST_FRAME_SECONDS * chosen.ticks_a_second), waiting[1]


def _stream(container: Any, chosen: Format, width: int, height: int) -> Any:
    name, options = next(codec for codec in chosen.codecs if codec[0] in av.codecs_available)
    stream = container.add_stream(name, rate=30, options=options)
    stream.width, stream.height, stream.pix_fmt = width, height, chosen.pixels
    stream.codec_context.time_base = Fraction(1, chosen.ticks_a_second)
    return stream


def _picture(cells: Cells, chosen: Format) -> Any:
    from_array: Any = av.VideoFrame.from_ndarray
    if chosen.pixels == "pal8":
        return from_array((cells, _palette()), format="pal8")
    return from_array(COLOURS[cells], format="rgb24")


@lru_cache(maxsize=1)
def _palette() -> Cells:
    """Alpha, red, green, blue of 256 colours, those we do not have being black."""
    palette = np.zeros((256, 4), dtype=np.uint8)
    palette[:, 0] = 255
    palette[: len(PALETTE), 1:] = COLOURS
    return palette


@lru_cache(maxsize=64)
def _caption(text: str, width: int) -> Cells:
    """A black strip with the text in white, in colours that every format has."""
    strip = Image.new("P", (width, CAPTION_HEIGHT), _BLACK)
    draw = ImageDraw.Draw(strip)
    draw.fontmode = "1"
    size = 20
    while size > 8 and draw.textlength(text, _font(size)) > width - 16:
        size -= 1
    draw.text((8, CAPTION_HEIGHT // 2), text, fill=_WHITE, font=_font(size), anchor="lm")
    return np.asarray(strip)


@lru_cache(maxsize=16)
def _font(size: int) -> Any:
    return ImageFont.load_default(size)
