"""The frame codec is reversible and compact, and refuses bytes that it never writes."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.errors import PayloadError
from engine.play import frames
from engine.play.frames import (
    LARGEST_PAYLOAD_BYTES,
    PALETTE,
    Frame,
    checked_copy,
    counted,
    decode,
    decode_last,
    deflated,
    encode,
    inflated,
    keyframe,
    pack,
    state_hash,
    unpack,
)
from tests.engine import frame_vectors

BLANK = checked_copy(np.full((64, 64), 5))

whole_frames = arrays(np.int8, (64, 64), elements=st.integers(0, 15), fill=st.integers(0, 15)).map(
    checked_copy
)


@st.composite
def animations(draw: st.DrawFn) -> list[Frame]:
    """Animations that begin with one frame and change between no cell and every cell."""
    frames = [draw(whole_frames)]
    for _ in range(draw(st.integers(0, 4))):
        cells = frames[-1].reshape(-1).copy()
        changed = draw(st.integers(0, 1200))
        start, colour = draw(st.integers(0, 4095 - changed)), draw(st.integers(0, 15))
        cells[start : start + changed] = colour
        frames.append(checked_copy(cells.reshape(64, 64)))
    return frames


@given(animations(), st.booleans(), st.booleans())
def test_encoding_and_decoding_give_the_same_frames(
    frames: list[Frame], first: bool, level_changed: bool
) -> None:
    previous = None if first else BLANK
    decoded = decode(encode(frames, previous, level_changed=level_changed), previous)
    assert len(decoded) == len(frames)
    assert all(np.array_equal(one, other) for one, other in zip(decoded, frames, strict=True))


@given(animations(), st.booleans())
def test_the_last_frame_alone_is_the_last_of_all(frames: list[Frame], first: bool) -> None:
    previous = None if first else BLANK
    last = decode_last(encode(frames, previous), previous)
    assert last is not None
    assert np.array_equal(last, frames[-1])


@given(st.binary(max_size=40), st.booleans())
def test_decoding_makes_whole_frames_of_any_bytes_or_refuses_them(payload: bytes, first: bool) -> None:
    previous = None if first else BLANK
    try:
        frames = decode(payload, previous)
    except PayloadError:
        return
    assert len(frames) == counted(payload)
    assert all(frame.shape == (64, 64) and frame.max() < 16 for frame in frames)


@given(whole_frames)
def test_a_packed_frame_has_2048_bytes_the_even_cell_low(frame: Frame) -> None:
    packed = pack(frame)
    assert (packed[0] & 15, packed[0] >> 4) == (frame[0, 0], frame[0, 1])
    assert np.array_equal(unpack(packed), frame)


def changed(cells: int) -> Frame:
    frame = BLANK.reshape(-1).copy()
    frame[:cells] = 6
    return checked_copy(frame.reshape(64, 64))


@pytest.mark.parametrize(("cells", "length"), [(0, 2), (1, 4), (15, 4), (16, 6), (4096, 2 + 2 * 274)])
def test_a_frame_has_two_bytes_for_each_run_of_fifteen_cells(cells: int, length: int) -> None:
    assert len(encode([changed(cells)], BLANK)) == length


@given(st.lists(st.tuples(st.integers(0, 4095), st.integers(0, 700), st.integers(0, 15)), max_size=30))
@example([(256, 1, 0)])
@example([(255, 1, 0), (511, 2, 0)])
@example([(place, 1, 0) for place in range(0, 2048, 2)])
def test_compiled_runs_are_those_of_numpy(blocks: list[tuple[int, int, int]]) -> None:
    before, after = BLANK.reshape(-1), BLANK.reshape(-1).copy()
    for start, length, colour in blocks:
        after[start : start + length] = colour
    found = frames.runs_with_numpy(before, after)
    assert frames.runs_between(before, after) == found
    for apply in (frames.apply_runs, frames.apply_with_numpy):
        cells = before.copy()
        assert apply(found, cells)
        assert np.array_equal(cells, after)


@pytest.mark.parametrize("apply", [frames.apply_runs, frames.apply_with_numpy])
@pytest.mark.parametrize("wrong", [b"\xff" * 17 + b"\x10" * 17, b"\xff" * 17 + bytes(17), b"\x01"])
def test_runs_beyond_the_frame_change_nothing(apply: Callable[[bytes, Frame], bool], wrong: bytes) -> None:
    cells = BLANK.reshape(-1).copy()
    assert not apply(wrong, cells)
    assert np.array_equal(cells, BLANK.reshape(-1))


def test_the_first_frame_and_a_new_levels_first_frame_are_keyframes() -> None:
    assert encode([BLANK], None) == keyframe(BLANK)
    payload = encode([changed(3), BLANK], BLANK, level_changed=True)
    assert payload[4:] == keyframe(BLANK)


def test_a_run_is_the_gap_before_it_its_length_and_its_colour() -> None:
    frame = BLANK.copy()
    frame[2, 3:5] = 9
    assert encode([checked_copy(frame)], BLANK) == bytes([1, 0x80, 2 * 64 + 3, 2 * 16 + 9])


@pytest.mark.parametrize(
    "payload",
    [
        b"\x01",
        b"\x01\x00\x10",
        b"\xff\xff" + bytes(2047),
        b"\x02\x00\x20\x00\x10\x00",
        b"\x02\x00\x10\x00\x11\x00",
        (1001).to_bytes(2, "little") + b"".join((16 * i).to_bytes(2, "little") for i in range(1001)),
        b"\x01\x80\x00",
        (0x8000 + 1024).to_bytes(2, "little") + bytes(2048),
        (0x8000 + 17).to_bytes(2, "little") + b"\xff" * 17 + bytes(17),
    ],
    ids=[
        *("half a header", "half a cell", "short keyframe", "descending", "repeated", "too many cells"),
        *("half a run", "too many runs", "beyond the frame"),
    ],
)
def test_malformed_bytes_are_refused(payload: bytes) -> None:
    with pytest.raises(PayloadError) as raised:
        decode(payload, BLANK)
    assert raised.value.code == "payload_malformed"


@pytest.mark.parametrize("payload", [b"\x01", b"\x01\x00\x10", b"\xff\xff" + bytes(2047), b"\xe9\x03"])
def test_the_last_frame_of_malformed_bytes_is_refused(payload: bytes) -> None:
    for previous in (BLANK, None):
        with pytest.raises(PayloadError):
            decode_last(payload, previous)


def test_a_delta_needs_a_frame_before_it() -> None:
    with pytest.raises(PayloadError):
        decode(b"\x00\x00", None)


def test_the_hash_differs_where_a_player_can_see_a_difference() -> None:
    hashes = {
        state_hash(BLANK, 1, 0, "NOT_FINISHED"),
        state_hash(changed(1), 1, 0, "NOT_FINISHED"),
        state_hash(BLANK, 2, 0, "NOT_FINISHED"),
        state_hash(BLANK, 1, 1, "NOT_FINISHED"),
        state_hash(BLANK, 1, 0, "GAME_OVER"),
    }
    assert len(hashes) == 5
    assert {len(one) for one in hashes} == {8}
    assert state_hash(BLANK, 1, 0, "WIN").hex() == "cd994bb700a5635c"


def test_the_palette_is_the_official_one() -> None:
    assert (len(PALETTE), PALETTE[0], PALETTE[5], PALETTE[15]) == (16, "FFFFFF", "000000", "A356D6")


def test_the_codec_writes_and_reads_the_stored_vectors() -> None:
    assert frame_vectors.VECTORS.read_text() == frame_vectors.text()
    for vector in json.loads(frame_vectors.VECTORS.read_text()):
        previous = vector["previous"] and unpack(base64.b64decode(vector["previous"]))
        frames = decode(base64.b64decode(vector["payload"]), previous)
        assert [base64.b64encode(pack(frame)).decode() for frame in frames] == vector["frames"], vector[
            "name"
        ]


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(keyframe(BLANK) * 1000, id="what shrinks"),
        pytest.param(
            np.random.default_rng(1).bytes(LARGEST_PAYLOAD_BYTES), id="noise, as much as there can be"
        ),
    ],
)
def test_deflating_is_reversible_and_adds_few_bytes(payload: bytes) -> None:
    stream = deflated(payload)
    assert inflated(stream) == payload
    assert zlib.decompress(stream) == payload, "any reader of zlib can"
    assert len(stream) < len(payload) + 1_000


@pytest.mark.parametrize(
    "stream",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"no zlib", id="something else"),
        pytest.param(deflated(b"frames")[:-1], id="cut off"),
        pytest.param(deflated(b"frames") + b"x", id="more behind it"),
        pytest.param(deflated(bytes(LARGEST_PAYLOAD_BYTES + 1)), id="small, but too large inside"),
        pytest.param(deflated(bytes(10**8)), id="a bomb"),
    ],
)
def test_an_invalid_deflated_payload_is_refused(stream: bytes) -> None:
    with pytest.raises(PayloadError, match="not encoded frames"):
        inflated(stream)
