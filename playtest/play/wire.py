"""The messages of docs/wire.md: their names, their codes, and the two binary layouts."""

import json
import struct
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from playtest.play.models import InputKind

LARGEST_MESSAGE_BYTES = 512
UNKNOWN_PAINT = 0xFFFF

ACTION_LAYOUT = "<BBHIBBBBHd"
TURN_LAYOUT = "<BBHIBBBBH"
_ACTION = struct.Struct(ACTION_LAYOUT)
_TURN = struct.Struct(TURN_LAYOUT)
_ACTION_KIND, _TURN_KIND = 1, 2
_STATES = {"NOT_FINISHED": 0, "WIN": 1, "GAME_OVER": 2}
CLICK = 6
_LARGEST_CLIENT_TIME = 253_402_300_799_000.0  # the end of the year 9999, in milliseconds


class FromClient(StrEnum):
    NEXT = "next"
    GIVE_UP = "give_up"
    PROMPT_SHOWN = "prompt_shown"
    PROMPT_ANSWERED = "prompt_answered"
    OBSERVED = "observed"
    RESYNC = "resync"
    PING = "ping"


class FromServer(StrEnum):
    SITTING = "sitting"
    PROMPT = "prompt"
    REBUILDING = "rebuilding"
    PONG = "pong"
    ERROR = "error"


class ErrorCode(StrEnum):
    MALFORMED_MESSAGE = "malformed_message"
    MESSAGE_TOO_LARGE = "message_too_large"
    TOO_MANY_MESSAGES = "too_many_messages"
    NO_OPEN_ATTEMPT = "no_open_attempt"
    WRONG_ATTEMPT = "wrong_attempt"
    WRONG_SEQUENCE = "wrong_sequence"
    ACTION_UNAVAILABLE = "action_unavailable"
    COORDINATES_OUT_OF_RANGE = "coordinates_out_of_range"
    RESET_REQUIRED = "reset_required"
    ATTEMPT_OVER = "attempt_over"
    NOT_NOW = "not_now"
    RESYNC_REQUIRED = "resync_required"


class CloseCode(IntEnum):
    SERVER_FAILED = 1011
    NO_SEAT = 4001
    TOO_MANY_MESSAGES = 4008
    SUPERSEDED = 4009
    MESSAGE_TOO_LARGE = 4013
    TRY_AGAIN = 4503


class WireError(Exception):
    """A message that is refused: an ErrorCode, a sentence, and whether the connection ends with it."""

    def __init__(self, code: ErrorCode, message: str, close_code: CloseCode | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.close_code = close_code


PAGE_EVENTS = (
    "page_hidden",
    "page_shown",
    "window_blurred",
    "window_focused",
    "patterns_on",
    "patterns_off",
)
_ANSWERS = frozenset({"finish", "continue"})


@dataclass(frozen=True, slots=True)
class TextMessage:
    """One text message; the fields its type does not have keep their defaults."""

    type: FromClient
    attempt: int = 0
    answer: str = ""
    event: str = ""


TEXT_FIELDS: dict[FromClient, frozenset[str]] = {
    FromClient.NEXT: frozenset(),
    FromClient.GIVE_UP: frozenset({"attempt"}),
    FromClient.PROMPT_SHOWN: frozenset({"attempt"}),
    FromClient.PROMPT_ANSWERED: frozenset({"attempt", "answer"}),
    FromClient.OBSERVED: frozenset({"event"}),
    FromClient.RESYNC: frozenset(),
    FromClient.PING: frozenset(),
}


def parse_text(text: str) -> TextMessage:
    """Read a text message; WireError malformed_message."""
    try:
        found = json.loads(text)
        kind = FromClient(found["type"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _malformed("A text message is a JSON object with a known type.") from error
    if set(found) - {"type"} != TEXT_FIELDS[kind]:
        raise _malformed(f"{kind} has the fields {sorted(TEXT_FIELDS[kind])}.")
    if type(found.get("attempt", 0)) is not int:
        raise _malformed("attempt is a whole number.")
    if not all(isinstance(found.get(name, ""), str) for name in ("answer", "event")):
        raise _malformed("answer and event are text.")
    if kind is FromClient.PROMPT_ANSWERED and found["answer"] not in _ANSWERS:
        raise _malformed("answer is finish or continue.")
    if kind is FromClient.OBSERVED and found["event"] not in PAGE_EVENTS:
        raise _malformed(f"event is one of {', '.join(PAGE_EVENTS)}.")
    return TextMessage(**{**found, "type": kind})


def _malformed(message: str) -> WireError:
    return WireError(ErrorCode.MALFORMED_MESSAGE, message)


@dataclass(frozen=True, slots=True)
class ActionMessage:
    """One `action` message; times in milliseconds, `x`, `y` None unless the action is a click."""

    input_kind: int
    attempt: int
    sequence: int
    action: int
    x: int | None
    y: int | None
    previous_paint_ms: int | None
    client_time_ms: float


def parse_action(message: bytes) -> ActionMessage:
    """Read an `action` message; WireError malformed_message or coordinates_out_of_range."""
    if len(message) != _ACTION.size or message[0] != _ACTION_KIND:
        raise _malformed("A binary message must be an action of 22 bytes.")
    _, kind, attempt, sequence, action, x, y, reserved, paint, time = _ACTION.unpack(message)
    if action > 7 or reserved or kind not in InputKind.values:
        raise _malformed("Unknown action or input kind.")
    if not 0 <= time <= _LARGEST_CLIENT_TIME:
        raise _malformed("client_time is not a time in milliseconds.")
    if action == CLICK and (x > 63 or y > 63):
        raise WireError(ErrorCode.COORDINATES_OUT_OF_RANGE, "A click needs x and y from 0 to 63.")
    if action != CLICK and (x or y):
        raise _malformed("Only a click has x and y.")
    return ActionMessage(
        input_kind=kind,
        attempt=attempt,
        sequence=sequence,
        action=action,
        x=x if action == CLICK else None,
        y=y if action == CLICK else None,
        previous_paint_ms=None if paint == UNKNOWN_PAINT else paint,
        client_time_ms=time,
    )


def turn_message(
    *,
    attempt: int,
    sequence: int,
    level: int,
    levels_completed: int,
    state: str,
    available: int,
    changed: bool,
    level_completed: bool,
    resync: bool,
    frame_count: int,
    frames: bytes,
    deflated: bool = False,
) -> bytes:
    """A `turn` message: 14 bytes of facts and the frames as the engine host encoded them."""
    flags = changed | level_completed << 1 | resync << 2 | deflated << 3
    header = _TURN.pack(
        _TURN_KIND,
        flags,
        attempt,
        sequence,
        level,
        levels_completed,
        _STATES[state],
        available,
        frame_count,
    )
    return header + frames
