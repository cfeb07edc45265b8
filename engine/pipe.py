"""What crosses the pipe between a host and its parent: MessagePack maps behind a little-endian u32 length."""

from __future__ import annotations

import struct
from typing import Any

import msgpack

from engine import errors

LENGTH_BYTES = 4

_LENGTH = struct.Struct("<I")
_codec: Any = msgpack
_KINDS: dict[str, type[errors.EngineError]] = {
    kind.__name__: kind
    for kind in (errors.SourceError, errors.ActionError, errors.EnvironmentFault, errors.HostError)
}


def packed(message: dict[str, Any]) -> bytes:
    """A message with its length in front."""
    body: bytes = _codec.packb(message, default=str, unicode_errors="backslashreplace")
    return _LENGTH.pack(len(body)) + body


def length_of(header: bytes) -> int:
    """The length that the first four bytes announce."""
    length: int = _LENGTH.unpack(header)[0]
    return length


def unpacked(body: bytes) -> dict[str, Any]:
    """The message in a body; ValueError if it is none."""
    message = _codec.unpackb(body)
    if not isinstance(message, dict):
        raise ValueError("a message is a map")
    return message


def described(error: errors.EngineError) -> dict[str, Any]:
    """An error as a map."""
    return {
        "kind": type(error).__name__,
        "code": error.code,
        "message": error.message,
        "details": error.details,
    }


def revived(description: dict[str, Any]) -> errors.EngineError:
    """The error that was described, of its own class."""
    kind = _KINDS[description["kind"]]
    error = kind.__new__(kind)
    message, details = description["message"], description["details"]
    errors.EngineError.__init__(error, description["code"], message, **details)
    return error
