"""What a turn becomes: its row in the journal and its message on the wire."""

from dataclasses import replace
from datetime import UTC, datetime

from engine.actions import Action
from playtest.play.chain import entry_value
from playtest.play.hosts import HostTurn
from playtest.play.journal import NewEntry
from playtest.play.models import Entry
from playtest.play.wire import ActionMessage, turn_message


def recorded_message(number: int, entry: Entry) -> bytes:
    """The `turn` message of an entry as it was sent, its frames deflated as they are stored."""
    level = entry.levels_completed + 1 if entry.level_completed and entry.state != "WIN" else entry.level
    return turn_message(
        attempt=number,
        sequence=entry.seq,
        level=level,
        levels_completed=entry.levels_completed,
        state=entry.state,
        available=entry.available,
        changed=entry.changed,
        level_completed=entry.level_completed,
        resync=False,
        frame_count=entry.frame_count,
        frames=bytes(entry.frames),
        deflated=True,
    )


def message_of(number: int, sequence: int, turn: HostTurn, *, resync: bool) -> bytes:
    """The `turn` message of a turn just made, or with `resync` of the frame to continue from."""
    return turn_message(
        attempt=number,
        sequence=sequence,
        level=turn.level,
        levels_completed=turn.levels_completed,
        state=turn.state,
        available=_bits(turn.available_actions),
        changed=turn.changed,
        level_completed=turn.level_completed and not resync,
        resync=resync,
        frame_count=turn.frame_count,
        frames=turn.encoded,
        deflated=turn.deflated,
    )


def entry_of(
    attempt_id: int,
    seq: int,
    action: Action,
    level: int,
    turn: HostTurn,
    at: datetime,
    message: ActionMessage | None,
    before: bytes,
) -> NewEntry:
    """The journal row of a turn; `level` is where the action was made, `message` None for the opening.

    `before` is the chain's value before it (`play.chain`).
    """
    entry = NewEntry(
        attempt_id=attempt_id,
        seq=seq,
        action=action.id,
        x=action.x,
        y=action.y,
        level=level,
        levels_completed=turn.levels_completed,
        level_completed=turn.level_completed,
        state=turn.state,
        available=_bits(turn.available_actions),
        changed=turn.changed,
        state_hash=turn.state_hash,
        frame_count=turn.frame_count,
        frames=turn.encoded,
        input_kind=message.input_kind if message else 0,
        server_time=at,
        client_time=datetime.fromtimestamp(message.client_time_ms / 1000, UTC) if message else None,
        previous_paint_ms=message.previous_paint_ms if message else None,
        chain=b"",
        deflated=turn.deflated,
    )
    return replace(entry, chain=entry_value(before, entry, turn.frames))


def _bits(actions: tuple[int, ...]) -> int:
    """Bit i for every action i available; a reset always is."""
    return 1 | sum(1 << action for action in actions)
