"""Messages between a host and its parent, and the check of what a host answers.

Messages are MessagePack maps after a little-endian u32 length. The name, type and range of every field of an
answer are checked.

Foreign code runs in the host's process and may have written or changed the answer. So nothing of an answer is
used before it is checked.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from operator import attrgetter, contains, itemgetter
from typing import Any, BinaryIO

import msgpack

from engine.errors import (
    LONGEST_MESSAGE,
    ActionError,
    EngineError,
    EnvironmentFault,
    HostError,
    PayloadError,
    SourceError,
    one_line,
)
from engine.play.frames import MOST_FRAMES, counted
from engine.play.turns import ALLOWED_FACTS, FLAG, STATE_HASH, Allowed, EncodedFrames, EncodedTurn, Turn

_SEQ = Allowed(int, range(0xFFFFFFFF + 1))
_PRINTED = Allowed(int, range(0x7FFFFFFFFFFFFFFF + 1))
_CODE = re.compile("[a-z_]{1,40}")
_KINDS: dict[str, type[EngineError]] = {
    kind.__name__: kind for kind in (SourceError, ActionError, EnvironmentFault, HostError)
}


class GarbledAnswer(ValueError):
    """An answer that no host gives: foreign code has written or changed it."""


class _Anything:
    def __contains__(self, value: object) -> bool:
        return True


_ALLOWED = ALLOWED_FACTS | {"seq": _SEQ, "frames": Allowed(bytes, _Anything()), "deflated": FLAG}
# An action checks a dozen fields: all types at once, and then all values, costs a quarter of one by one.
_TYPES = tuple(one.type for one in _ALLOWED.values())
_VALUES = tuple(one.values for one in _ALLOWED.values())
_values_of = itemgetter(*_ALLOWED)
_facts_of = attrgetter(*ALLOWED_FACTS)
_turn_from: Callable[..., EncodedTurn] = EncodedTurn
_AVAILABLE = list(ALLOWED_FACTS).index("available_actions")


def facts_of(turn: Turn) -> dict[str, Any]:
    """The facts of a turn as a host answers them."""
    return dict(zip(ALLOWED_FACTS, _facts_of(turn), strict=True))


def turn_of(answer: dict[str, Any], seq: int) -> EncodedTurn:
    """Turn `seq` of a game in the answer to `start`, `act` or `keyframe`. Raises GarbledAnswer."""
    _check_names(answer, _ALLOWED.keys())
    values = _values_of(answer)
    if tuple(map(type, values)) != _TYPES or not all(map(contains, _VALUES, values)):
        wrong = [name for name, allowed in _ALLOWED.items() if answer[name] not in allowed]
        raise GarbledAnswer(f"{', '.join(wrong)} has a wrong value")
    *facts, number, data, is_deflated = values
    if number != seq:
        raise GarbledAnswer(f"it is turn {number} and not {seq}")
    if answer["levels_completed"] > answer["levels"]:
        raise GarbledAnswer("more levels are completed than there are")
    frames = EncodedFrames(data, is_deflated)
    try:
        count = counted(frames.payload)
    except PayloadError as error:
        raise GarbledAnswer(error.message) from error
    if not 1 <= count <= MOST_FRAMES:
        raise GarbledAnswer(f"it has {count} frames")
    facts[_AVAILABLE] = tuple(facts[_AVAILABLE])
    return _turn_from(*facts, seq, count, frames)


def hashes_of(answer: dict[str, Any], most: int) -> list[bytes]:
    """The state hashes of the first of `most` actions, in the answer to a `replay`. Raises GarbledAnswer."""
    _check_names(answer, {"hashes"})
    hashes: list[bytes] = answer["hashes"]
    if (
        type(hashes) is not list
        or not 1 <= len(hashes) <= most
        or not all(one in STATE_HASH for one in hashes)
    ):
        raise GarbledAnswer("there is not one hash for each action that was carried out")
    return hashes


def nothing_of(answer: dict[str, Any]) -> None:
    """The empty answer to `load` and `stop`. Raises GarbledAnswer."""
    _check_names(answer, frozenset())


def marshalled_of(answer: dict[str, Any]) -> bytes:
    """The code in the answer to `compile`. Raises GarbledAnswer."""
    _check_names(answer, {"code"})
    if type(answer["code"]) is not bytes:
        raise GarbledAnswer("the code is not bytes")
    return answer["code"]


def printed_of(answer: dict[str, Any]) -> int:
    """The bytes in the answer to `printed`. Raises GarbledAnswer."""
    _check_names(answer, {"bytes"})
    size: int = answer["bytes"]
    if size not in _PRINTED:
        raise GarbledAnswer("the number of bytes is malformed")
    return size


def error_of(description: object) -> EngineError:
    """Rebuilds the error that `described` described, with its class. Raises
    GarbledAnswer."""
    if not isinstance(description, dict):
        raise GarbledAnswer("an error is a map")
    _check_names(description, {"kind", "code", "message", "details"})
    kind, code, message = description["kind"], description["code"], description["message"]
    if type(kind) is not str or kind not in _KINDS:
        raise GarbledAnswer("the kind of error is unknown")
    if type(code) is not str or not _CODE.fullmatch(code):
        raise GarbledAnswer("the code of the error is malformed")
    if type(message) is not str:
        raise GarbledAnswer("the message of the error is not text")
    details = description["details"]
    if type(details) is not dict or details.get("seq", 0) not in _SEQ:
        raise GarbledAnswer("the details of the error are malformed")
    details = {name: value for name, value in details.items() if name not in ("code", "message", "self")}
    error = _KINDS[kind].__new__(_KINDS[kind])
    EngineError.__init__(error, code, one_line(message, LONGEST_MESSAGE), **details)
    return error


def outcome_of[T](answer: dict[str, Any], check: Callable[[dict[str, Any]], T]) -> T | EngineError:
    """What `check` returns for an answer, or the error that the answer describes. Raises GarbledAnswer."""
    return error_of(answer["error"]) if answer.keys() == {"error"} else check(answer)


def _check_names(answer: dict[str, Any], names: Any) -> None:
    if answer.keys() != names:
        raise GarbledAnswer(f"its fields are {sorted(map(str, answer))[:20]}")


LENGTH_BYTES = 4
REPLAY_SECONDS = 0.2
"""After so long a host answers a `replay`, and the caller asks for the rest."""

_LENGTH = struct.Struct("<I")
_codec: Any = msgpack


def packed(message: dict[str, Any]) -> bytes:
    """A message, preceded by its length."""
    body: bytes = _codec.packb(message, default=str, unicode_errors="backslashreplace")
    return _LENGTH.pack(len(body)) + body


def length_of(header: bytes) -> int:
    """The length of a body, from the four bytes before it."""
    length: int = _LENGTH.unpack(header)[0]
    return length


def unpacked(body: bytes) -> dict[str, Any]:
    """The message in a body. Raises ValueError if it is malformed."""
    try:
        message = _codec.unpackb(body)
    except (TypeError, OverflowError, RecursionError, MemoryError) as error:
        raise ValueError("the message is malformed") from error
    if not isinstance(message, dict):
        raise ValueError("a message is a map")
    return message


def read_exactly(pipe: BinaryIO, length: int) -> bytes:
    """So many bytes of an unbuffered pipe; fewer if it was closed."""
    data: bytes = pipe.read(length)
    while 0 < len(data) < length and (more := pipe.read(length - len(data))):
        data += more
    return data


def complete(received: bytearray, longest: int) -> Iterator[bytes]:
    """Removes the complete bodies from the beginning of what was received, and yields them.

    Raises ValueError when a body of more than `longest` bytes is announced.
    """
    while len(received) >= LENGTH_BYTES:
        length = length_of(bytes(received[:LENGTH_BYTES]))
        if length > longest:
            raise ValueError(f"a message of {length} bytes was announced")
        end = LENGTH_BYTES + length
        if len(received) < end:
            return
        body = bytes(received[LENGTH_BYTES:end])
        del received[:end]
        yield body


def described(error: EngineError) -> dict[str, Any]:
    """An error as a map, which `engine.confine.answers.error_of` reads."""
    return {
        "kind": type(error).__name__,
        "code": error.code,
        "message": error.message[:LONGEST_MESSAGE],
        "details": error.details,
    }
