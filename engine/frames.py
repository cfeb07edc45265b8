"""Frames: the palette, the check of what an environment drew, the cell-delta codec and the state hash.

A payload is the concatenation of an action's frames. Each frame is a little-endian `u16 n` followed by n
cells of `u16 position * 16 + colour`, position = y * 64 + x ascending, against the frame before it (also the
last one of the previous action). n = 0xFFFF announces a keyframe instead: 2,048 bytes, two cells a byte, the
even position in the low nibble.

A payload of more than 10 KB is deflated (zlib) by the host, and passed on and stored deflated.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.errors import EnvironmentFault, PayloadError

Frame = npt.NDArray[np.uint8]

PALETTE = (
    "FFFFFF", "CCCCCC", "999999", "666666", "333333", "000000", "E53AA3", "FF7BCC",
    "F93C31", "1E93FF", "88D8F1", "FFDC00", "FF851B", "921231", "4FCC30", "A356D6",
)  # fmt: skip
SIZE = 64
CELLS = SIZE * SIZE
PACKED_BYTES = CELLS // 2
KEYFRAME = 0xFFFF
MOST_DELTA_CELLS = 1_000
STATE_HASH_BYTES = 8
MOST_FRAMES = 1_000
LARGEST_PLAIN_BYTES = 10 * 1024
LARGEST_PAYLOAD_BYTES = MOST_FRAMES * (2 + PACKED_BYTES)
_WORTHWHILE = 0.9

_KEYFRAME_HEADER = KEYFRAME.to_bytes(2, "little")


def checked_copy(drawn: Any) -> Frame:
    """A read-only uint8 64x64 copy of what an environment drew. Raises EnvironmentFault bad_frame."""
    try:
        array = np.asarray(drawn)
    except (TypeError, ValueError) as error:
        raise _bad_frame(f"{error}") from error
    if array.shape != (SIZE, SIZE):
        raise _bad_frame(f"it has the shape {array.shape}, not (64, 64)")
    if array.dtype.kind not in "iu":
        raise _bad_frame(f"its cells are {array.dtype}, not whole numbers")
    if array.min() < 0 or array.max() >= len(PALETTE):
        raise _bad_frame(f"its colours run from {array.min()} to {array.max()}, not within 0 to 15")
    return _read_only(array.astype(np.uint8, order="C"))


def pack(frame: Frame) -> bytes:
    """The 2,048 bytes of a frame."""
    cells = frame.reshape(CELLS)
    return (cells[0::2] | (cells[1::2] << 4)).tobytes()


def unpack(packed: bytes) -> Frame:
    """The frame in 2,048 bytes; PayloadError for any other length."""
    if len(packed) != PACKED_BYTES:
        raise _malformed(f"a packed frame has 2048 bytes, not {len(packed)}")
    pairs = np.frombuffer(packed, dtype=np.uint8)
    cells = np.empty(CELLS, dtype=np.uint8)
    cells[0::2] = pairs & 15
    cells[1::2] = pairs >> 4
    return _read_only(cells.reshape(SIZE, SIZE))


def encode(frames: Sequence[Frame], previous: Frame | None, *, level_changed: bool = False) -> bytes:
    """The payload of one action's frames; `previous` is what was shown before them, None if nothing was.

    `level_changed`: the last frame, which is the new level's first, becomes a keyframe.
    """
    parts = []
    last = len(frames) - 1
    for index, frame in enumerate(frames):
        parts.append(_encode_one(frame, None if level_changed and index == last else previous))
        previous = frame
    return b"".join(parts)


def keyframe(frame: Frame) -> bytes:
    """A payload of one frame that needs no frame before it."""
    return _KEYFRAME_HEADER + pack(frame)


def decode(payload: bytes, previous: Frame | None) -> list[Frame]:
    """The frames of a payload; PayloadError unless every byte is as `encode` writes it."""
    frames: list[Frame] = []
    offset = 0
    while offset < len(payload):
        previous, offset = _decode_one(payload, offset, previous)
        frames.append(previous)
    return frames


def decode_last(payload: bytes, previous: Frame | None) -> Frame | None:
    """The last frame of a payload, or `previous` if it has none; the frames before it are not made.

    Costs a quarter of what `decode` does. PayloadError as `decode`, but cells may be in any order.
    """
    cells = None if previous is None else previous.reshape(CELLS).copy()
    offset = 0
    while offset < len(payload):
        count = int.from_bytes(_take(payload, offset, 2), "little")
        offset += 2
        if count == KEYFRAME:
            cells = unpack(_take(payload, offset, PACKED_BYTES)).reshape(CELLS).copy()
            offset += PACKED_BYTES
            continue
        if cells is None or count > MOST_DELTA_CELLS:
            raise _malformed(
                "the first frame must be a keyframe" if cells is None else f"{count} changed cells"
            )
        changes = np.frombuffer(_take(payload, offset, count * 2), dtype="<u2")
        cells[changes >> 4] = changes & 15
        offset += count * 2
    return None if cells is None else _read_only(cells.reshape(SIZE, SIZE))


def counted(payload: bytes) -> int:
    """How many frames a payload has, by its headers alone; PayloadError if it does not end with a frame.

    The cells themselves are not read: this costs a small part of what `decode` does.
    """
    offset, count, length = 0, 0, len(payload)
    while offset < length:
        cells = int.from_bytes(payload[offset : offset + 2], "little")
        if MOST_DELTA_CELLS < cells != KEYFRAME:
            raise _malformed(f"{cells} changed cells need a keyframe")
        offset += 2 + (PACKED_BYTES if cells == KEYFRAME else 2 * cells)
        count += 1
    if offset != length:
        raise _malformed(f"it ends {offset - length} bytes early")
    return count


def deflated(payload: bytes) -> bytes:
    """The payload as a zlib stream; a payload that hardly shrinks is stored uncompressed, which is faster."""
    small = zlib.compress(payload, 1)
    return small if len(small) < _WORTHWHILE * len(payload) else zlib.compress(payload, 0)


def inflated(stream: bytes) -> bytes:
    """The payload in a zlib stream. Raises PayloadError if it is malformed, cut off or too large."""
    machine = zlib.decompressobj()
    try:
        payload = machine.decompress(stream, LARGEST_PAYLOAD_BYTES + 1)
    except zlib.error as error:
        raise _malformed(f"they are not a zlib stream: {error}") from error
    if len(payload) > LARGEST_PAYLOAD_BYTES:
        raise _malformed(f"they hold more than {LARGEST_PAYLOAD_BYTES} bytes")
    if not machine.eof or machine.unused_data:
        raise _malformed("they are not a whole zlib stream")
    return payload


def state_hash(frame: Frame, level: int, levels_completed: int, state: str) -> bytes:
    """Eight bytes that identify the last frame, the level, the levels completed and the state."""
    digest = blake2b(frame.tobytes(), digest_size=STATE_HASH_BYTES)
    digest.update(f"{level}/{levels_completed}/{state}".encode())
    return digest.digest()


def _encode_one(frame: Frame, previous: Frame | None) -> bytes:
    if previous is None:
        return keyframe(frame)
    cells = frame.reshape(CELLS)
    positions = np.flatnonzero(cells != previous.reshape(CELLS))
    if len(positions) > MOST_DELTA_CELLS:
        return keyframe(frame)
    return len(positions).to_bytes(2, "little") + (positions * 16 + cells[positions]).astype("<u2").tobytes()


def _decode_one(payload: bytes, offset: int, previous: Frame | None) -> tuple[Frame, int]:
    count = int.from_bytes(_take(payload, offset, 2), "little")
    offset += 2
    if count == KEYFRAME:
        return unpack(_take(payload, offset, PACKED_BYTES)), offset + PACKED_BYTES
    if count > MOST_DELTA_CELLS:
        raise _malformed(f"{count} changed cells need a keyframe")
    if previous is None:
        raise _malformed("the first frame must be a keyframe")
    changes = np.frombuffer(_take(payload, offset, count * 2), dtype="<u2")
    positions = changes >> 4
    if count > 1 and not (positions[1:] > positions[:-1]).all():
        raise _malformed("positions must ascend")
    cells = previous.reshape(CELLS).copy()
    cells[positions] = changes & 15
    return _read_only(cells.reshape(SIZE, SIZE)), offset + count * 2


def _take(payload: bytes, offset: int, length: int) -> bytes:
    taken = payload[offset : offset + length]
    if len(taken) < length:
        raise _malformed(f"it ends {length - len(taken)} bytes early")
    return taken


def _read_only(frame: Frame) -> Frame:
    frame.flags.writeable = False
    return frame


def _bad_frame(reason: str) -> EnvironmentFault:
    return EnvironmentFault("bad_frame", f"The environment drew something that is not a frame: {reason}.")


def _malformed(reason: str) -> PayloadError:
    return PayloadError("payload_malformed", f"These bytes are not encoded frames: {reason}.")
