"""Frames: the palette, the check of what an environment drew, the codec of payloads and the state hash.

A payload is the concatenation of an action's frames, each against the frame before it (also the last one of
the previous action). Each begins with a little-endian `u16 n`:

- 0x8000 and more: `n - 0x8000` runs of changed cells, see below;
- 0xFFFF: a keyframe, 2,048 bytes, two cells a byte, the even position in the low nibble;
- at most 1,000: cells of `u16 position * 16 + colour`, position = y * 64 + x ascending, in older journals.

A run is a byte `gap`, so many cells that stay as they are, and a byte `length * 16 + colour`: `length` cells
of that colour. The runs of a frame are all its gap bytes and then all its length bytes, because bytes of a
kind deflate best side by side. A gap of more than 255 cells begins with runs of length 0. Runs are made and
applied by compiled code (`runs.h`) where there is a C compiler, else with NumPy.

A payload of more than 256 bytes is deflated (zlib) by the host, and passed on and stored deflated.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.errors import EnvironmentFault, PayloadError
from engine.play import render_build

CELLS = 64 * 64
LONGEST_GAP = 255
LONGEST_RUN = 15

type _Cells = npt.NDArray[np.uint8]
type _Numbers = npt.NDArray[np.int64]


def runs_with_numpy(before: _Cells, after: _Cells) -> bytes:
    """The runs of a frame against the frame before it, both 4,096 cells."""
    changed = np.flatnonzero(before != after)
    colours = after[changed]
    first = np.ones(len(changed), dtype=np.bool_)
    first[1:] = (changed[1:] != changed[:-1] + 1) | (colours[1:] != colours[:-1])
    [firsts] = first.nonzero()
    starts, lengths = _split(changed[firsts], np.diff(firsts, append=len(changed)))
    gaps = starts - np.concatenate(([0], (starts + lengths)[:-1]))[: len(starts)]
    cells = lengths * 16 + after[starts]
    skips = np.maximum(gaps - 1, 0) // LONGEST_GAP
    places = np.cumsum(skips + 1) - 1
    pairs = np.zeros((2, len(gaps) + int(skips.sum())), dtype=np.uint8)
    pairs[0] = LONGEST_GAP
    pairs[:, places] = gaps - skips * LONGEST_GAP, cells
    return pairs.tobytes()


def apply_with_numpy(runs: bytes, cells: _Cells) -> bool:
    """Changes the 4,096 cells as the runs say; False, and nothing changes, if they reach beyond the frame."""
    if len(runs) % 2:
        return False
    gaps, lengths = np.frombuffer(runs, dtype=np.uint8).reshape(2, -1)
    colours, lengths = lengths & 15, (lengths >> 4).astype(np.int64)
    ends = np.cumsum(gaps + lengths)
    if len(ends) and ends[-1] > CELLS:
        return False
    counted = np.cumsum(lengths)
    places = np.repeat(ends - counted, lengths) + np.arange(lengths.sum())
    cells[places] = np.repeat(colours, lengths)
    return True


def _split(starts: _Numbers, lengths: _Numbers) -> tuple[_Numbers, _Numbers]:
    """The same runs in pieces of at most 15 cells."""
    pieces = (lengths + LONGEST_RUN - 1) // LONGEST_RUN
    before = np.repeat(np.cumsum(pieces) - pieces, pieces)
    offsets = LONGEST_RUN * (np.arange(pieces.sum()) - before)
    return np.repeat(starts, pieces) + offsets, np.minimum(np.repeat(lengths, pieces) - offsets, LONGEST_RUN)


_module = render_build.loaded()
runs_between = runs_with_numpy if _module is None else _module.runs_between
apply_runs = apply_with_numpy if _module is None else _module.apply_runs


Frame = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.uint8]

PALETTE = (
    "FFFFFF", "CCCCCC", "999999", "666666", "333333", "000000", "E53AA3", "FF7BCC",
    "F93C31", "1E93FF", "88D8F1", "FFDC00", "FF851B", "921231", "4FCC30", "A356D6",
)  # fmt: skip
SIZE = 64
PACKED_BYTES = CELLS // 2
KEYFRAME = 0xFFFF
RUNS = 0x8000
MOST_RUNS = 1_023
"""With more runs a keyframe is smaller."""
MOST_DELTA_CELLS = 1_000
STATE_HASH_BYTES = 8
MOST_FRAMES = 1_000
LARGEST_PLAIN_BYTES = 256
LARGEST_PAYLOAD_BYTES = MOST_FRAMES * (2 + PACKED_BYTES)
_WORTHWHILE = 0.9
_SMALL_WINDOW, _SMALL_MEMORY_LEVEL = 8 * 1024, 5

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
    if array.dtype == np.int8 and array.flags.c_contiguous:  # as arcengine draws
        copy = array.view(np.uint8).copy()
        is_in_palette = copy.max() < len(PALETTE)  # less than 0 is 128 and more
    else:
        copy = array.astype(np.uint8, order="C")
        is_in_palette = array.min() >= 0 and array.max() < len(PALETTE)
    if not is_in_palette:
        raise _bad_frame(f"its colours run from {array.min()} to {array.max()}, not within 0 to 15")
    return _read_only(copy)


def same_cells(one: Frame, other: Frame) -> bool:
    """Whether two frames of `checked_copy` are equal."""
    return one.tobytes() == other.tobytes()


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


def keyframe_at_end(payload: bytes) -> bytes | None:
    """The 2,048 bytes of the keyframe that ends a payload which enters a level; None if none does."""
    end = payload[-len(_KEYFRAME_HEADER) - PACKED_BYTES :]
    whole = end.startswith(_KEYFRAME_HEADER) and len(end) == len(_KEYFRAME_HEADER) + PACKED_BYTES
    return end[len(_KEYFRAME_HEADER) :] if whole else None


def decode(payload: bytes, previous: Frame | None) -> list[Frame]:
    """The frames of a payload; PayloadError unless all is as `encode` writes it, or once did."""
    frames: list[Frame] = []
    for kind, data in _parts(payload):
        if kind == KEYFRAME:
            previous = unpack(data)
        else:
            cells = None if previous is None else previous.reshape(CELLS).copy()
            previous = _read_only(_change(cells, kind, data, ascending=True).reshape(SIZE, SIZE))
        frames.append(previous)
    return frames


def decode_last(payload: bytes, previous: Frame | None) -> Frame | None:
    """The last frame of a payload, or `previous` if it has none; the frames before it are not made.

    Costs a quarter of what `decode` does. PayloadError as `decode`, but cells may be in any order.
    """
    cells = None if previous is None else previous.reshape(CELLS).copy()
    for kind, data in _parts(payload):
        if kind == KEYFRAME:
            cells = unpack(data).reshape(CELLS).copy()
        else:
            _change(cells, kind, data)
    return None if cells is None else _read_only(cells.reshape(SIZE, SIZE))


def counted(payload: bytes) -> int:
    """How many frames a payload has, by its headers alone; PayloadError if it does not end with a frame.

    The cells themselves are not read: this costs a small part of what `decode` does.
    """
    offset, count, length = 0, 0, len(payload)
    while offset < length:
        offset += 2 + _length_after(int.from_bytes(payload[offset : offset + 2], "little"))
        count += 1
    if offset != length:
        raise _malformed(f"it ends {offset - length} bytes early")
    return count


def entering_frame(payload: bytes) -> Frame:
    """The last frame of a payload that opens a game or enters a level. PayloadError if it has none."""
    packed = keyframe_at_end(payload)
    frame = decode_last(payload, None) if packed is None else unpack(packed)
    if frame is None:
        raise _malformed("it has no frame")
    return frame


def deflated(payload: bytes) -> bytes:
    """The payload as a zlib stream; a payload that hardly shrinks is stored uncompressed, which is faster."""
    small = compressed(payload)
    return small if len(small) < _WORTHWHILE * len(payload) else compressed(payload, 0)


def compressed(payload: bytes, level: int = 1) -> bytes:
    """The payload as a zlib stream, with a window of its size.

    To get the usual memory of a deflater from the system, a quarter of a megabyte, costs more each time than
    to deflate a usual turn.
    """
    if len(payload) > _SMALL_WINDOW:
        return zlib.compress(payload, level)
    machine = zlib.compressobj(level, zlib.DEFLATED, _SMALL_WINDOW.bit_length() - 1, _SMALL_MEMORY_LEVEL)
    return machine.compress(payload) + machine.flush()


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
    content = frame.tobytes() + f"{level}/{levels_completed}/{state}".encode()
    return blake2b(content, digest_size=STATE_HASH_BYTES).digest()


def _encode_one(frame: Frame, previous: Frame | None) -> bytes:
    if previous is None:
        return keyframe(frame)
    runs = runs_between(previous.reshape(CELLS), frame.reshape(CELLS))
    count = len(runs) // 2
    return keyframe(frame) if count > MOST_RUNS else (RUNS + count).to_bytes(2, "little") + runs


def _length_after(kind: int) -> int:
    """How many bytes of a frame follow this header."""
    if kind == KEYFRAME:
        return PACKED_BYTES
    if kind - RUNS > MOST_RUNS or MOST_DELTA_CELLS < kind < RUNS:
        raise _malformed(f"{kind} begins no frame")
    return 2 * (kind - RUNS if kind >= RUNS else kind)


def _parts(payload: bytes) -> Iterator[tuple[int, bytes]]:
    """The header and the bytes after it of each frame."""
    offset = 0
    while offset < len(payload):
        kind = int.from_bytes(_take(payload, offset, 2), "little")
        data = _take(payload, offset + 2, _length_after(kind))
        offset += 2 + len(data)
        yield kind, data


def _change(cells: Cells | None, kind: int, data: bytes, *, ascending: bool = False) -> Cells:
    """Changes the cells of the frame before as the bytes say, and returns them."""
    if cells is None:
        raise _malformed("the first frame must be a keyframe")
    if kind >= RUNS:
        if not apply_runs(data, cells):
            raise _malformed("its runs reach beyond the frame")
        return cells
    changes = np.frombuffer(data, dtype="<u2")
    positions = changes >> 4
    if ascending and len(changes) > 1 and not (positions[1:] > positions[:-1]).all():
        raise _malformed("positions must ascend")
    cells[positions] = changes & 15
    return cells


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
