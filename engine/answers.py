"""Checks what an engine host answers: the name, type and range of every field.

Foreign code runs in the host's process and may have written or changed the answer. So nothing of an answer is
used before it is checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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
from engine.frames import MOST_FRAMES, counted
from engine.turns import (
    FACT_CHECKS,
    Check,
    EncodedFrames,
    EncodedTurn,
    Turn,
    is_flag,
    is_hash,
    whole_number,
)

_LARGEST_SEQ = 0xFFFFFFFF
_MOST_PRINTED = 0x7FFFFFFFFFFFFFFF
_CODE = re.compile("[a-z_]{1,40}")
_KINDS: dict[str, type[EngineError]] = {
    kind.__name__: kind for kind in (SourceError, ActionError, EnvironmentFault, HostError)
}


class GarbledAnswer(ValueError):
    """An answer that no host gives: foreign code has written or changed it."""


_TURN_CHECKS: dict[str, Check] = FACT_CHECKS | {
    "seq": whole_number(0, _LARGEST_SEQ),
    "frames": lambda value: type(value) is bytes,
    "deflated": is_flag,
}


def facts_of(turn: Turn) -> dict[str, Any]:
    """The facts of a turn as a host answers them."""
    return {name: getattr(turn, name) for name in FACT_CHECKS}


def turn_of(answer: dict[str, Any], seq: int) -> EncodedTurn:
    """Turn `seq` of a game in the answer to `start`, `act` or `keyframe`. Raises GarbledAnswer."""
    _check_names(answer, _TURN_CHECKS.keys())
    for name, check in _TURN_CHECKS.items():
        if not check(answer[name]):
            raise GarbledAnswer(f"{name} has a wrong value")
    if answer["seq"] != seq:
        raise GarbledAnswer(f"it is turn {answer['seq']} and not {seq}")
    if answer["levels_completed"] > answer["levels"]:
        raise GarbledAnswer("more levels are completed than there are")
    frames = EncodedFrames(answer["frames"], answer["deflated"])
    try:
        count = counted(frames.payload)
    except PayloadError as error:
        raise GarbledAnswer(error.message) from error
    if not 1 <= count <= MOST_FRAMES:
        raise GarbledAnswer(f"it has {count} frames")
    facts = {name: answer[name] for name in FACT_CHECKS}
    facts["available_actions"] = tuple(facts["available_actions"])
    return EncodedTurn(**facts, seq=seq, frame_count=count, frames=frames)


def hashes_of(answer: dict[str, Any], count: int) -> list[bytes]:
    """The state hashes in the answer to a `replay` of `count` actions. Raises GarbledAnswer."""
    _check_names(answer, {"hashes"})
    hashes: list[bytes] = answer["hashes"]
    if type(hashes) is not list or len(hashes) != count or not all(map(is_hash, hashes)):
        raise GarbledAnswer("there is not one hash for each action")
    return hashes


def nothing_of(answer: dict[str, Any]) -> None:
    """The empty answer to `load` and `stop`. Raises GarbledAnswer."""
    _check_names(answer, frozenset())


def printed_of(answer: dict[str, Any]) -> int:
    """The bytes in the answer to `printed`. Raises GarbledAnswer."""
    _check_names(answer, {"bytes"})
    size: int = answer["bytes"]
    if not whole_number(0, _MOST_PRINTED)(size):
        raise GarbledAnswer("the number of bytes is malformed")
    return size


def error_of(description: object) -> EngineError:
    """Rebuilds the error that `engine.pipe.described` described, with its class. Raises GarbledAnswer."""
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
    if type(details) is not dict or not whole_number(0, _LARGEST_SEQ)(details.get("seq", 0)):
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
