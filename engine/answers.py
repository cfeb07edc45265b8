"""What a host may answer: every field's name, type and range, checked by who asked.

Foreign code runs in the host's process and may have written or changed what comes out of it, so nothing of an
answer is used before it was found to be what a host says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

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
from engine.frames import MOST_FRAMES, STATE_HASH_BYTES, counted, inflated

NOT_FINISHED, WIN, GAME_OVER = "NOT_FINISHED", "WIN", "GAME_OVER"
MOST_LEVELS = 255
"""A level's number and the levels completed are a byte each on the wire (docs/wire.md)."""

_STATES = (NOT_FINISHED, WIN, GAME_OVER)
_LARGEST_SEQ = 0xFFFFFFFF
_MOST_PRINTED = 0x7FFFFFFFFFFFFFFF
_CODE = re.compile("[a-z_]{1,40}")
_KINDS: dict[str, type[EngineError]] = {
    kind.__name__: kind for kind in (SourceError, ActionError, EnvironmentFault, HostError)
}


class GarbledAnswer(ValueError):
    """What came from a host is nothing that a host says."""


@dataclass(frozen=True, slots=True)
class HostTurn:
    """A turn as its host describes it: the facts of `engine.game.Turn`, the frames as in `engine.frames`.

    `stream` is what came of frames that are large: `frames`, deflated.
    """

    seq: int
    state: str
    level: int
    levels: int
    levels_completed: int
    available_actions: tuple[int, ...]
    level_completed: bool
    changed: bool
    full_reset: bool
    state_hash: bytes
    frame_count: int
    frames: bytes = field(repr=False)
    stream: bytes | None = field(repr=False, default=None)

    @property
    def deflated(self) -> bool:
        """Whether the frames are to be sent and stored as they came, deflated."""
        return self.stream is not None

    @property
    def encoded(self) -> bytes:
        """The frames as they are sent and stored."""
        return self.frames if self.stream is None else self.stream


def _number(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_hash(value: Any) -> bool:
    return type(value) is bytes and len(value) == STATE_HASH_BYTES


def _are_actions(value: Any) -> bool:
    numbers = _number(1, 7)
    return type(value) is list and all(map(numbers, value)) and value == sorted(set(value))


_TURN: dict[str, Callable[[Any], bool]] = {
    "seq": _number(0, _LARGEST_SEQ),
    "state": lambda value: type(value) is str and value in _STATES,
    "level": _number(1, MOST_LEVELS),
    "levels": _number(0, MOST_LEVELS),
    "levels_completed": _number(0, MOST_LEVELS),
    "available_actions": _are_actions,
    "level_completed": _is_flag,
    "changed": _is_flag,
    "full_reset": _is_flag,
    "state_hash": _is_hash,
    "frame_count": _number(1, MOST_FRAMES),
    "frames": lambda value: type(value) is bytes,
    "deflated": _is_flag,
}
assert list(_TURN) == [*(one.name for one in fields(HostTurn) if one.name != "stream"), "deflated"]


def turn_of(answer: dict[str, Any], seq: int) -> HostTurn:
    """Turn `seq` of a game in the answer to `start`, `act` or `keyframe`. Raises GarbledAnswer."""
    _check_names(answer, _TURN.keys())
    for name, check in _TURN.items():
        if not check(answer[name]):
            raise GarbledAnswer(f"{name} is nothing that a host says")
    if answer["seq"] != seq:
        raise GarbledAnswer(f"it is turn {answer['seq']} and not {seq}")
    if answer["levels_completed"] > answer["levels"]:
        raise GarbledAnswer("more levels are completed than there are")
    stream = answer["frames"] if answer.pop("deflated") else None
    try:
        frames = answer["frames"] if stream is None else inflated(stream)
        count = counted(frames)
    except PayloadError as error:
        raise GarbledAnswer(error.message) from error
    if count != answer["frame_count"]:
        raise GarbledAnswer(f"it has {count} frames and says {answer['frame_count']}")
    actions = tuple(answer["available_actions"])
    return HostTurn(**(answer | {"available_actions": actions, "frames": frames, "stream": stream}))


def hashes_of(answer: dict[str, Any], count: int) -> list[bytes]:
    """The state hashes in the answer to a `replay` of `count` actions. Raises GarbledAnswer."""
    _check_names(answer, {"hashes"})
    hashes: list[bytes] = answer["hashes"]
    if type(hashes) is not list or len(hashes) != count or not all(map(_is_hash, hashes)):
        raise GarbledAnswer("these are not the hashes of the actions")
    return hashes


def nothing_of(answer: dict[str, Any]) -> None:
    """The empty answer to `load` and `stop`. Raises GarbledAnswer."""
    _check_names(answer, frozenset())


def printed_of(answer: dict[str, Any]) -> int:
    """The bytes in the answer to `printed`. Raises GarbledAnswer."""
    _check_names(answer, {"bytes"})
    size: int = answer["bytes"]
    if not _number(0, _MOST_PRINTED)(size):
        raise GarbledAnswer("this is no number of bytes")
    return size


def error_of(description: object) -> EngineError:
    """The error that `engine.pipe.described` described, of its own class. Raises GarbledAnswer."""
    if not isinstance(description, dict):
        raise GarbledAnswer("an error is a map")
    _check_names(description, {"kind", "code", "message", "details"})
    kind, code, message = description["kind"], description["code"], description["message"]
    if type(kind) is not str or kind not in _KINDS:
        raise GarbledAnswer("there is no such kind of error")
    if type(code) is not str or not _CODE.fullmatch(code):
        raise GarbledAnswer("this is no code of an error")
    if type(message) is not str:
        raise GarbledAnswer("this is no message of an error")
    details = description["details"]
    if type(details) is not dict or not _number(0, _LARGEST_SEQ)(details.get("seq", 0)):
        raise GarbledAnswer("these are no details of an error")
    details = {name: value for name, value in details.items() if name not in ("code", "message", "self")}
    error = _KINDS[kind].__new__(_KINDS[kind])
    EngineError.__init__(error, code, one_line(message, LONGEST_MESSAGE), **details)
    return error


def outcome_of[T](answer: dict[str, Any], check: Callable[[dict[str, Any]], T]) -> T | EngineError:
    """What `check` makes of an answer, or the error that it describes. Raises GarbledAnswer."""
    return error_of(answer["error"]) if answer.keys() == {"error"} else check(answer)


def _check_names(answer: dict[str, Any], names: Any) -> None:
    if answer.keys() != names:
        raise GarbledAnswer(f"its fields are {sorted(map(str, answer))[:20]}")
