"""Frames as JSON text: three characters a cell from a table, then without the spaces."""

from collections.abc import Sequence

import numpy as np

from engine.frames import PALETTE, SIZE, Frame

_CELL = 3
_ROW = 1 + SIZE * _CELL + 1
_CELLS = np.array([list(f"{colour:2d},".encode()) for colour in range(len(PALETTE))], dtype=np.uint8)


def frames_json(frames: Sequence[Frame]) -> bytes:
    """The JSON of frames as lists of rows of colours, `[[[0,1,...],...],...]`, without a space."""
    count = len(frames)
    if not count:
        return b"[]"
    text = np.empty((count, SIZE, _ROW), dtype=np.uint8)
    text[:, :, 0] = ord("[")
    text[:, :, 1:-1] = _CELLS[np.stack(frames)].reshape(count, SIZE, SIZE * _CELL)
    text[:, :, -2] = ord("]")  # instead of the comma after the last cell
    text[:, :, -1] = ord(",")
    rows = text.reshape(count, SIZE * _ROW)
    return b"[" + b",".join(b"[" + row.tobytes()[:-1].translate(None, b" ") + b"]" for row in rows) + b"]"
