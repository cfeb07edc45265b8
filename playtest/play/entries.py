"""A turn in the database: makes the entry of a turn, and the turn of a stored entry."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from engine.actions import Action, actions_of, bits_of
from engine.tasks.edits import Edit
from engine.turns import WIN, EncodedFrames, EncodedTurn
from playtest.play.chain import entry_value
from playtest.play.models import AgentNote, Entry, InputKind


@dataclass(frozen=True, slots=True)
class Provenance:
    """How an action was made, as reported by the client.

    `client_time` is the time by the client's clock. `previous_paint_ms` is the time that the previous action
    took from key press to painted frame, in milliseconds. `reasoning` and `request_key` are an agent's
    (`play.models.AgentNote`).
    """

    input_kind: int = InputKind.UNKNOWN
    client_time: datetime | None = None
    previous_paint_ms: int | None = None
    reasoning: str = ""
    request_key: str = ""


class NewEntry(NamedTuple):
    """The columns of `models.Entry` for one row to append: several times cheaper to make than a model."""

    attempt_id: int
    seq: int
    action: int
    x: int | None
    y: int | None
    level: int
    levels_completed: int
    level_completed: bool
    state: str
    available: int
    changed: bool
    state_hash: bytes
    frame_count: int
    frames: bytes
    input_kind: int
    server_time: datetime
    client_time: datetime | None
    previous_paint_ms: int | None
    edit: str | None = None
    chain: bytes = b""


def new_entry(
    attempt_id: int,
    action: Action | Edit,
    level: int,
    turn: EncodedTurn,
    received_at: datetime,
    provenance: Provenance,
    before: bytes,
) -> NewEntry:
    """The row to append for a turn; `level` is where the action was made.

    `before` is the value of the hash chain before it (`play.chain`).
    """
    entry = NewEntry(
        attempt_id=attempt_id,
        seq=turn.seq,
        action=action.id,
        x=action.x,
        y=action.y,
        level=level,
        **stored_facts(turn),
        frames=turn.frames.stored(),
        input_kind=provenance.input_kind,
        server_time=received_at,
        client_time=provenance.client_time,
        previous_paint_ms=provenance.previous_paint_ms,
        edit=action.text if isinstance(action, Edit) else None,
    )
    return NewEntry(*entry[:-1], chain=entry_value(before, entry, turn.frames.payload))


def note_of(entry: NewEntry, provenance: Provenance) -> AgentNote | None:
    """The row to store beside an entry for what an agent sent with its action, if it sent anything."""
    if not provenance.reasoning and not provenance.request_key:
        return None
    return AgentNote(
        attempt_id=entry.attempt_id,
        seq=entry.seq,
        reasoning=provenance.reasoning,
        request_key=provenance.request_key,
    )


def stored_facts(turn: EncodedTurn) -> dict[str, Any]:
    """The columns of an entry that hold the facts of its turn."""
    return {
        "levels_completed": turn.levels_completed,
        "level_completed": turn.level_completed,
        "state": turn.state,
        "available": bits_of(turn.available_actions),
        "changed": turn.changed,
        "state_hash": turn.state_hash,
        "frame_count": turn.frame_count,
    }


def recorded_turn(entry: Entry, levels: int) -> EncodedTurn:
    """The turn of a stored entry, of an environment with this number of levels."""
    advanced = entry.level_completed and entry.state != WIN
    return EncodedTurn(
        seq=entry.seq,
        state=entry.state,
        level=entry.levels_completed + 1 if advanced else entry.level,
        levels=levels,
        levels_completed=entry.levels_completed,
        available_actions=actions_of(entry.available),
        level_completed=entry.level_completed,
        changed=entry.changed,
        full_reset=entry.seq == 0,
        state_hash=bytes(entry.state_hash),
        frame_count=entry.frame_count,
        frames=EncodedFrames(bytes(entry.frames), deflated=True),
    )
