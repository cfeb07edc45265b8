"""Pictures of a frame, with a whole number of pixels for each cell."""

from dataclasses import dataclass
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image

from engine.play.frames import PALETTE, SIZE, Frame

LARGEST_SCALE = 32
"""Pixels a cell: a board of 2,048 by 2,048 pixels."""

COLOURS: npt.NDArray[np.uint8] = np.array([list(bytes.fromhex(colour)) for colour in PALETTE], dtype=np.uint8)
"""The palette, shape (16, 3), red, green, blue."""


@dataclass(frozen=True, eq=False, slots=True)
class Still:
    """A frame, its time in seconds from the start, and the caption below it."""

    frame: Frame
    seconds: float
    caption: str = ""


def enlarged(frame: Frame, scale: int) -> npt.NDArray[np.uint8]:
    """The frame with `scale` x `scale` pixels a cell, still colour numbers; ValueError outside 1..32."""
    if not 1 <= scale <= LARGEST_SCALE:
        raise ValueError(f"a cell has 1 to {LARGEST_SCALE} pixels a side, not {scale}")
    return np.repeat(np.repeat(frame, scale, axis=0), scale, axis=1)


def image(frame: Frame, scale: int) -> Image.Image:
    """A picture in the environment's own palette, `64 * scale` pixels a side."""
    side = SIZE * scale
    picture = Image.frombytes("P", (side, side), enlarged(frame, scale).tobytes())
    picture.putpalette(COLOURS.tobytes())
    return picture


def png(frame: Frame, scale: int) -> bytes:
    """The frame as a PNG file."""
    written = BytesIO()
    image(frame, scale).save(written, "PNG", optimize=False)
    return written.getvalue()
