"""Answers of engine hosts are checked: foreign code may have changed any of their bytes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.confine.answers import (
    GarbledAnswer,
    complete,
    described,
    error_of,
    hashes_of,
    nothing_of,
    packed,
    printed_of,
    turn_of,
    unpacked,
)
from engine.errors import ActionError, EnvironmentFault
from engine.play.frames import KEYFRAME, PACKED_BYTES, deflated

FRAME = KEYFRAME.to_bytes(2, "little") + bytes(PACKED_BYTES)
TURN: dict[str, Any] = {
    "seq": 3,
    "state": "NOT_FINISHED",
    "level": 2,
    "levels": 6,
    "levels_completed": 1,
    "available_actions": [1, 4, 6],
    "level_completed": False,
    "changed": True,
    "full_reset": False,
    "state_hash": bytes(8),
    "frames": FRAME + bytes(2),
    "deflated": False,
}
WRONG: dict[str, list[Any]] = {
    "seq": [-1, 2, 4, 2**32, 3.0, "3", None, True],
    "state": ["", "WON", b"WIN", None, 0, ["WIN"]],
    "level": [0, 256, -1, 2**64 - 1, 1.5, "1", None, True],
    "levels": [-1, 256, 0, None, "6"],
    "levels_completed": [-1, 7, 256, None, False],
    "available_actions": [None, 5, "14", [0], [8], [4, 1], [1, 1], [1.0], [True], [[1]], {"1": 1}],
    "level_completed": [0, 1, None, "true"],
    "changed": [0, 1, None, "true"],
    "full_reset": [0, 1, None, "true"],
    "state_hash": [b"", bytes(7), bytes(9), "12345678", None],
    "deflated": [True, 0, None, "false"],
    "frames": [
        b"",
        FRAME + bytes(2 * 1_000),
        FRAME[:-1],
        FRAME + b"\0",
        FRAME + b"\0\0\0",
        b"\xff\xfe" + bytes(4000),
        "text",
        None,
        [FRAME],
    ],
}
PAIRS = [(name, value) for name, values in WRONG.items() for value in values]

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.binary(), inner, max_size=4),
    max_leaves=12,
)


def test_an_answer_gives_the_turn_that_was_sent() -> None:
    turn = turn_of(dict(TURN), 3)
    assert (turn.seq, turn.level, turn.available_actions) == (3, 2, (1, 4, 6))
    assert (turn.frame_count, turn.frames.payload) == (2, FRAME + bytes(2))


@pytest.mark.parametrize(("name", "value"), PAIRS)
def test_a_turn_with_an_invalid_field_is_refused(name: str, value: Any) -> None:
    with pytest.raises(GarbledAnswer):
        turn_of({**TURN, name: value}, 3)


@pytest.mark.parametrize("name", TURN)
def test_a_turn_with_a_missing_or_extra_field_is_refused(name: str) -> None:
    with pytest.raises(GarbledAnswer):
        turn_of({field: value for field, value in TURN.items() if field != name}, 3)
    with pytest.raises(GarbledAnswer):
        turn_of({**TURN, f"{name}_": 1}, 3)


@given(name=st.sampled_from(list(TURN)), value=ANYTHING)
def test_any_value_of_a_field_gives_a_turn_or_a_value_error(name: str, value: Any) -> None:
    try:
        turn = turn_of({**TURN, name: value}, 3)
    except GarbledAnswer:
        return
    assert 1 <= turn.level <= 255
    assert isinstance(turn.frames.payload, bytes)


@given(answer=st.dictionaries(st.text() | st.binary(), ANYTHING, max_size=6))
def test_an_arbitrary_map_is_not_an_answer(answer: dict[Any, Any]) -> None:
    for check in (
        lambda: turn_of(answer, 0),
        lambda: hashes_of(answer, 2),
        lambda: printed_of(answer),
        lambda: error_of(answer),
    ):
        with pytest.raises(GarbledAnswer):
            check()


@given(body=st.binary(max_size=64))
@example(body=b"\x90")  # a list
@example(body=b"\xc1")  # nothing that MessagePack knows
def test_any_bytes_give_a_message_or_a_value_error(body: bytes) -> None:
    with suppress(ValueError):
        assert isinstance(unpacked(body), dict)


def test_deflated_frames_are_checked() -> None:
    stream = deflated(FRAME + bytes(2))
    turn = turn_of({**TURN, "frames": stream, "deflated": True}, 3)
    assert (turn.frame_count, turn.frames.payload, turn.frames.data) == (2, FRAME + bytes(2), stream)
    for wrong in (stream[:-1], stream + b"\0", deflated(b""), deflated(FRAME + b"\0")):
        with pytest.raises(GarbledAnswer):
            turn_of({**TURN, "frames": wrong, "deflated": True}, 3)


def test_a_replay_has_hashes_for_some_of_the_actions() -> None:
    for count in (1, 2):
        assert hashes_of({"hashes": [bytes(8)] * count}, 2) == [bytes(8)] * count
    for wrong in ([], [bytes(8)] * 3, [bytes(8), bytes(7)], [bytes(8), "12345678"], None):
        with pytest.raises(GarbledAnswer):
            hashes_of({"hashes": wrong}, 2)


def test_an_answer_without_content_must_be_empty() -> None:
    nothing_of({})
    with pytest.raises(GarbledAnswer):
        nothing_of({"more": 1})


def test_an_error_keeps_its_code_message_and_details() -> None:
    error = error_of(described(ActionError("reset_required", "The level is lost.", seq=7)))
    assert isinstance(error, ActionError)
    assert (error.code, error.message, error.details) == ("reset_required", "The level is lost.", {"seq": 7})


def test_an_error_message_is_short_and_printable() -> None:
    description = described(EnvironmentFault("bad_frame", "a\0b\nc" + "x" * 100_000))
    message = error_of(description).message
    assert message.startswith("a b c")
    assert len(message) < 2_100
    assert message.isprintable()


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "Strange"},
        {"kind": None},
        {"kind": ["HostError"]},
        {"code": "Not A Code"},
        {"code": "x" * 41},
        {"code": None},
        {"message": None},
        {"message": b"bytes"},
        {"details": None},
        {"details": {"seq": "7"}},
        {"details": {"seq": -1}},
        {"more": 1},
    ],
)
def test_an_invalid_description_of_an_error_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(GarbledAnswer):
        error_of({**described(ActionError("reset_required", "Lost.")), **change})


def test_details_do_not_overwrite_the_fields_of_an_error() -> None:
    description = {
        **described(ActionError("reset_required", "Lost.")),
        "details": {"code": "x", "self": 1, "seq": 2},
    }
    assert error_of(description).details == {"seq": 2}


def test_complete_bodies_are_taken_and_a_partial_one_remains() -> None:
    one, other = packed({"number": 1}), packed({"number": 2})
    received = bytearray(one + other + other[:-1])
    assert [unpacked(body) for body in complete(received, 100)] == [{"number": 1}, {"number": 2}]
    assert received == other[:-1]


def test_a_body_that_is_too_long_is_refused_at_its_length() -> None:
    with pytest.raises(ValueError, match="announced"):
        next(complete(bytearray(b"\xff\xff\xff\x7f"), 100))
