"""The messages of docs/wire.md: their names, their codes, and the two binary layouts.

Only this module knows how a message of the socket is laid out. It reads what a page sends into values of the
room, and writes values of the room as messages.
"""

import json
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from typing import Any
from urllib.parse import parse_qs

from engine.errors import TaskError
from engine.play.actions import CLICK, Action, bits_of
from engine.play.turns import GAME_OVER, NOT_FINISHED, WIN, EncodedTurn
from engine.tasks.edits import Edit, edit_of
from playtest.play.errors import Refusal
from playtest.play.journal.entries import Provenance
from playtest.play.models import InputKind

LARGEST_MESSAGE_BYTES = 1024
LONGEST_ROUND_TRIP_MS = 60_000
UNKNOWN_PAINT = 0xFFFF
"""Of a number of milliseconds in two bytes; the largest that is known also says that it was more."""

ACTION_LAYOUT = "<BBHIBBBBHdHH"
TURN_LAYOUT = "<BBHIBBBBH"
_ACTION = struct.Struct(ACTION_LAYOUT)
_WITHOUT_SCREEN = _ACTION.size - 4
_NO_SCREEN = struct.pack("<HH", UNKNOWN_PAINT, UNKNOWN_PAINT)
_TURN = struct.Struct(TURN_LAYOUT)
TURN_SIZE = _TURN.size
_ACTION_KIND, _TURN_KIND = 1, 2
_STATES = {NOT_FINISHED: 0, WIN: 1, GAME_OVER: 2}
_NO_TIME = "client_time is not a time in milliseconds."
_LARGEST_CLIENT_TIME = 253_402_300_799_000.0  # the end of the year 9999, in milliseconds


class FromClient(StrEnum):
    EDIT = "edit"
    NEXT = "next"
    GIVE_UP = "give_up"
    SET_ASIDE = "set_aside"
    TAKE_UP = "take_up"
    FINISH = "finish"
    PROMPT_SHOWN = "prompt_shown"
    PROMPT_ANSWERED = "prompt_answered"
    OBSERVED = "observed"
    PAINTED = "painted"
    RESYNC = "resync"
    PING = "ping"


CLIENT_MESSAGES = ("action", *(kind.value for kind in FromClient))
"""Every message that a page of play may send, all about its own session or internal play."""


class FromServer(StrEnum):
    SESSION = "session"
    TASK = "task"
    EDITED = "edited"
    PROMPT = "prompt"
    REBUILDING = "rebuilding"
    PONG = "pong"
    ANNOUNCEMENT = "announcement"
    PROBE = "probe"
    ABSENCE = "absence"
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
    EDIT_IMPOSSIBLE = "edit_impossible"
    INPUT_CLOSED = "input_closed"
    SUBMISSION_REPEATED = "submission_repeated"
    ATTEMPT_OVER = "attempt_over"
    NOT_NOW = "not_now"
    PAUSED = "paused"
    RESYNC_REQUIRED = "resync_required"


class CloseCode(IntEnum):
    SERVER_FAILED = 1011
    NO_SEAT = 4001
    TOO_MANY_MESSAGES = 4008
    SUPERSEDED = 4009
    RESTARTING = 4012
    MESSAGE_TOO_LARGE = 4013
    SILENT = 4014
    TRY_AGAIN = 4503


class WireError(Refusal):
    """A message that cannot be read or came too fast; `close_code` if the connection ends with it."""

    def __init__(self, code: ErrorCode, message: str, close_code: CloseCode | None = None) -> None:
        super().__init__(code, message)
        self.close_code = close_code


PAGE_EVENTS = (
    *("page_hidden", "page_shown", "window_blurred", "window_focused", "patterns_on", "patterns_off"),
)
_INPUT_KINDS = frozenset(InputKind.values)
_ANSWERS = ("finish", "continue")


@dataclass(frozen=True, slots=True)
class EditMessage:
    """One `edit` message; `attempt` is the attempt's number in its session."""

    attempt: int
    sequence: int
    edit: Edit
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class TextMessage:
    """One text message; the fields its type does not have keep their defaults."""

    type: FromClient
    attempt: int = 0
    answer: str = ""
    event: str = ""
    sequence: int = 0
    paint_ms: int = 0
    round_trip_ms: int | None = None
    edit: EditMessage | None = None


_OPTIONAL_FIELDS = frozenset({"round_trip_ms", "screen_age_ms", "queued_ms"})
_MEASURED = ("previous_paint_ms", "screen_age_ms", "queued_ms")
TEXT_FIELDS: dict[FromClient, frozenset[str]] = {
    FromClient.EDIT: frozenset({"attempt", "sequence", "edit", "input", "client_time", *_MEASURED}),
    FromClient.NEXT: frozenset(),
    FromClient.GIVE_UP: frozenset({"attempt"}),
    FromClient.SET_ASIDE: frozenset({"attempt"}),
    FromClient.TAKE_UP: frozenset({"attempt"}),
    FromClient.FINISH: frozenset(),
    FromClient.PROMPT_SHOWN: frozenset({"attempt"}),
    FromClient.PROMPT_ANSWERED: frozenset({"attempt", "answer"}),
    FromClient.OBSERVED: frozenset({"event"}),
    FromClient.PAINTED: frozenset({"attempt", "sequence", "paint_ms"}),
    FromClient.RESYNC: frozenset(),
    FromClient.PING: frozenset({"round_trip_ms"}),
}


def _whole(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


_MOST_SEQUENCE, _MOST_MS = 2**31 - 1, UNKNOWN_PAINT - 1
_VALUES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "attempt": (lambda value: type(value) is int, "a whole number"),
    "sequence": (lambda value: _whole(value, _MOST_SEQUENCE), f"a whole number up to {_MOST_SEQUENCE}"),
    "paint_ms": (lambda value: _whole(value, _MOST_MS), f"a whole number up to {_MOST_MS}"),
    "round_trip_ms": (
        lambda value: _whole(value, LONGEST_ROUND_TRIP_MS),
        f"a whole number up to {LONGEST_ROUND_TRIP_MS}",
    ),
    "answer": (_ANSWERS.__contains__, f"one of {', '.join(_ANSWERS)}"),
    "event": (PAGE_EVENTS.__contains__, f"one of {', '.join(PAGE_EVENTS)}"),
    "input": (lambda value: type(value) is int and value in _INPUT_KINDS, "a kind of input"),
    "client_time": (lambda value: type(value) in (int, float), "a time in milliseconds"),
    **dict.fromkeys(
        _MEASURED,
        (lambda value: value is None or _whole(value, _MOST_MS), "a whole number of milliseconds, or null"),
    ),
}
"""What each field may be, and that in words."""


def parse_text(text: str) -> TextMessage:
    """Read a text message; WireError malformed_message."""
    try:
        found = json.loads(text)
        kind = FromClient(found["type"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _malformed("A text message is a JSON object with a known type.") from error
    given = found.keys() - {"type"}
    if given - TEXT_FIELDS[kind] or TEXT_FIELDS[kind] - given - _OPTIONAL_FIELDS:
        raise _malformed(f"{kind} has the fields {sorted(TEXT_FIELDS[kind])}.")
    for name in given & _VALUES.keys():
        is_valid, meant = _VALUES[name]
        if not is_valid(found[name]):
            raise _malformed(f"{name} is {meant}.")
    if kind is FromClient.EDIT:
        return TextMessage(kind, attempt=found["attempt"], edit=_edit(found))
    return TextMessage(**{**found, "type": kind})


def _edit(found: dict[str, Any]) -> EditMessage:
    """The edit in an `edit` message whose other fields are right. WireError malformed_message."""
    try:
        edit = edit_of(found["edit"])
    except TaskError as error:
        raise _malformed(error.message) from error
    measured: dict[str, Any] = {name: found.get(name) for name in _MEASURED}
    provenance = Provenance(found["input"], _client_time(found["client_time"]), **measured)
    return EditMessage(found["attempt"], found["sequence"], edit, provenance)


def _client_time(milliseconds: float) -> datetime:
    """The time by the client's clock. WireError malformed_message."""
    if not 0 <= milliseconds <= _LARGEST_CLIENT_TIME:
        raise _malformed(_NO_TIME)
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _malformed(message: str) -> WireError:
    return WireError(ErrorCode.MALFORMED_MESSAGE, message)


@dataclass(frozen=True, slots=True)
class ActionMessage:
    """One `action` message; `attempt` is the attempt's number in its session."""

    attempt: int
    sequence: int
    action: Action
    provenance: Provenance


def parse_action(message: bytes) -> ActionMessage:
    """Read an `action` message, also one without the last two fields.

    WireError: malformed_message, coordinates_out_of_range.
    """
    if len(message) == _WITHOUT_SCREEN:
        message += _NO_SCREEN
    if len(message) != _ACTION.size or message[0] != _ACTION_KIND:
        raise _malformed(f"A binary message must be an action of {_ACTION.size} bytes.")
    _, kind, attempt, sequence, action, x, y, reserved, paint, time, age, queued = _ACTION.unpack(message)
    if action > 7 or reserved or kind not in _INPUT_KINDS:
        raise _malformed("Unknown action or input kind.")
    made_at = _client_time(time)
    if action == CLICK and (x > 63 or y > 63):
        raise WireError(ErrorCode.COORDINATES_OUT_OF_RANGE, "A click needs x and y from 0 to 63.")
    if action != CLICK and (x or y):
        raise _malformed("Only a click has x and y.")
    return ActionMessage(
        attempt=attempt,
        sequence=sequence,
        action=Action(action, x, y) if action == CLICK else Action(action),
        provenance=Provenance(
            input_kind=kind,
            client_time=made_at,
            previous_paint_ms=None if paint == UNKNOWN_PAINT else paint,
            screen_age_ms=None if age == UNKNOWN_PAINT else age,
            queued_ms=None if queued == UNKNOWN_PAINT else queued,
        ),
    )


def turn_message(attempt: int, turn: EncodedTurn, *, resync: bool = False) -> bytes:
    """A `turn` message: 14 bytes of facts and the frames as they are encoded.

    `resync`: it does not answer an action; it is the frame to continue from.
    """
    level_completed = turn.level_completed and not resync
    flags = turn.changed | level_completed << 1 | resync << 2 | turn.frames.deflated << 3
    header = _TURN.pack(
        _TURN_KIND,
        flags,
        attempt,
        turn.seq,
        turn.level,
        turn.levels_completed,
        _STATES[turn.state],
        bits_of(turn.available_actions),
        turn.frame_count,
    )
    return header + turn.frames.data


def announcement_message(minutes: int) -> dict[str, Any]:
    """An `announcement` message: staff say about how many minutes the session has left."""
    return {"type": FromServer.ANNOUNCEMENT, "minutes": minutes}


def absence_message(seconds: float, excused: float) -> dict[str, Any]:
    """An `absence` message: how long no page was connected, and for how much of that no clock ran."""
    return {"type": FromServer.ABSENCE, "seconds": round(seconds), "excused_seconds": round(excused)}


_PAGE = re.compile(r"(\d{1,15})-([a-z0-9]{8,32})-(\d{1,9})")


def parse_page(query: bytes) -> tuple[int, str, int] | None:
    """The page that connects, from `page=CLAIM-TOKEN-NUMBER`, in the order of who takes over from whom.

    CLAIM grows with each page load of a browser, and whenever a page is made the one that plays; TOKEN is the
    page's own; NUMBER counts its connections. None without one. WireError malformed_message.
    """
    given = parse_qs(query.decode("latin1")).get("page", [])
    if not given:
        return None
    found = _PAGE.fullmatch(given[0])
    if found is None:
        raise _malformed("page is three parts: a number, a token of 8 to 32 letters and digits, a number.")
    return int(found[1]), found[2], int(found[3])


def error_message(refusal: Refusal, sequence: int | None) -> dict[str, Any]:
    """An `error` message; `sequence` is that of the action that was refused, if it was one."""
    about = {} if sequence is None else {"sequence": sequence}
    return {"type": FromServer.ERROR, "code": _code_of(refusal), "message": refusal.message, **about}


def _code_of(refusal: Refusal) -> ErrorCode:
    """The code for the socket; a refusal that only pages have a code for is `not_now`."""
    return ErrorCode(refusal.code) if refusal.code in ErrorCode else ErrorCode.NOT_NOW
