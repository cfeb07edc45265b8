"""Frames as JSON text: one character a cell from a table, then two for the colours that need them."""

from collections.abc import Sequence

import numpy as np

from engine.frames import PALETTE, SIZE, Frame

_ONE_CHARACTER = b"0123456789abcdef"
_TABLE = bytes.maketrans(bytes(range(len(PALETTE))), _ONE_CHARACTER)
_TWO_CHARACTERS = [(_ONE_CHARACTER[at : at + 1], b"%d" % at) for at in range(10, len(PALETTE))]
_ROWS = np.array([list(b"[" + b"0," * (SIZE - 1) + b"0],")] * SIZE, dtype=np.uint8)
_CELLS = np.s_[:, 1:-2:2]


def frames_json(frames: Sequence[Frame]) -> bytes:
    """The JSON of frames as lists of rows of colours, `[[[0,1,...],...],...]`, without a space."""
    return b"[" + b",".join(map(_frame_json, frames)) + b"]"


def _frame_json(frame: Frame) -> bytes:
    rows = _ROWS.copy()
    rows[_CELLS] = np.frombuffer(frame.tobytes().translate(_TABLE), dtype=np.uint8).reshape(SIZE, SIZE)
    text = rows.tobytes()[:-1]
    for one, two in _TWO_CHARACTERS:
        text = text.replace(one, two)
    return b"[" + text + b"]"
