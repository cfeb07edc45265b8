"""Messages between a host and its parent: MessagePack maps after a little-endian u32 length."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgpack

from engine.errors import LONGEST_MESSAGE, EngineError

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
