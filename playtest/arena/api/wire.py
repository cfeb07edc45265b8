"""The two binary messages of the agents' socket (docs/api.md): an action in 32 bytes, and a turn.

Frames are encoded as on the participants' socket (docs/wire.md).
"""

import struct
import uuid

from engine.play.actions import CLICK, Action, bits_of
from engine.play.frames import LARGEST_PLAIN_BYTES, deflated, encode
from engine.play.turns import STATES, EncodedFrames
from playtest.arena.api.acting import Command, Played
from playtest.arena.api.http import invalid

ACTION_LAYOUT = "<BBBBIQ16s"
TURN_LAYOUT = "<BBHIIBBBB16s"
_ACTION, _TURN = struct.Struct(ACTION_LAYOUT), struct.Struct(TURN_LAYOUT)
_ACTION_KIND, _TURN_KIND = 1, 2
FLAGS = ("changed", "level_completed", "full_reset", "deflated", "unavailable", "repeated")
"""The bits of a turn's `flags`, lowest first."""


def request_of(message: bytes) -> int | None:
    """The number of the request in a binary message; None if it is too short to have one."""
    return int.from_bytes(message[4:8], "little") if len(message) >= 8 else None


def parse_action(message: bytes) -> tuple[int, Command]:
    """The number by which an action's answer is known, and the action. ApiError 400."""
    if len(message) != _ACTION.size or message[0] != _ACTION_KIND:
        raise invalid(f"A binary message must be an action of {_ACTION.size} bytes.")
    _, action, x, y, request, key, guid = _ACTION.unpack(message)
    if action > 7:
        raise invalid("`action` must be from 0 (RESET) to 7.")
    if action == CLICK and (x > 63 or y > 63):
        raise invalid("`x` and `y` must be from 0 to 63.")
    if action != CLICK and (x or y):
        raise invalid("Only ACTION6 has `x` and `y`; they are 0 otherwise.")
    made = Action(action, x, y) if action == CLICK else Action(action)
    return request, Command(made, guid=str(uuid.UUID(bytes=guid)), request_key=f"{key:016x}" if key else "")


def turn_message(request: int, played: Played, *, follows: bool) -> bytes:
    """A turn; its first frame is told by its difference if it `follows` what this client was shown last."""
    turn = played.turn
    frames = turn.frames if follows else _from_keyframe(played)
    told = (
        turn.changed,
        turn.level_completed,
        played.full_reset,
        frames.deflated,
        played.unavailable,
        played.repeated,
    )
    header = _TURN.pack(
        _TURN_KIND,
        sum(is_so << bit for bit, is_so in enumerate(told)),
        turn.frame_count,
        request,
        turn.seq,
        turn.level,
        turn.levels_completed,
        STATES.index(turn.state),
        bits_of(turn.available_actions),
        played.run.run.guid.bytes,
    )
    return header + frames.data


def _from_keyframe(played: Played) -> EncodedFrames:
    payload = encode(played.frames, None)
    if len(payload) > LARGEST_PLAIN_BYTES:
        return EncodedFrames(deflated(payload), deflated=True)
    return EncodedFrames(payload)
