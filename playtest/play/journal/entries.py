"""A turn in the database, and its place in the hash chain of its attempt (docs/journal.md).

Every value of the chain is SHA-256 over the value before it and one line of text that states the stored
facts: changing, removing, adding or reordering anything gives another value from there on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from django.db.models import Q

from engine.play.actions import Action, actions_of, bits_of
from engine.play.turns import WIN, EncodedFrames, EncodedTurn
from engine.tasks.edits import Edit
from playtest.play.models import AgentNote, Attempt, Entry, InputKind, OutsideAttempt, OutsideName

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def start_value(
    *,
    attempt: int,
    session: int | None,
    number: int,
    game_id: str,
    version_digest: str,
    seed: int,
    assigned_at: datetime,
) -> bytes:
    """The 32 bytes that the chain of an attempt begins from: its identity."""
    facts = (attempt, session, number, game_id, version_digest, seed, microseconds(assigned_at))
    return _digest(b"", "attempt 1", facts)


def entry_value(before: bytes, entry: Entry | NewEntry, frames: bytes) -> bytes:
    """The 32 bytes of an entry; `before` is the value before it, `frames` as on the wire, not deflated."""
    facts: tuple[object, ...] = (
        entry.seq,
        entry.action,
        entry.x,
        entry.y,
        entry.level,
        entry.levels_completed,
        int(entry.level_completed),
        entry.state,
        entry.available,
        int(entry.changed),
        entry.state_hash.hex(),
        entry.frame_count,
        frames_digest(frames),
        int(entry.input_kind),
        microseconds(entry.server_time),
        microseconds(entry.client_time),
        entry.previous_paint_ms,
    )
    # What came later is stated only where it is there, so that what was recorded before keeps its value; rows
    # of an early migration do not have the columns.
    edit, age, queued = (getattr(entry, name, None) for name in ("edit", "screen_age_ms", "queued_ms"))
    if edit is not None:
        facts = (*facts, edit)
    if (age, queued) != (None, None):
        facts = (*facts, "screen", age, queued)
    return _digest(before, "entry 1", facts)


def seal_value(
    last: bytes,
    *,
    entries: int,
    first_frame_at: datetime | None,
    ended_at: datetime,
    outcome: str,
    fault_code: str,
    fault_message: str,
) -> bytes:
    """The 32 bytes that close an ended attempt; `last` is its last entry's value, or the start value."""
    times = (microseconds(first_frame_at), microseconds(ended_at))
    return _digest(last, "end 1", (entries, *times, str(outcome), fault_code, fault_message))


def imported_value(last: bytes, outside: OutsideAttempt) -> bytes:
    """The 32 bytes that the seal of an imported attempt is made of, in place of its `last` value.

    It says when it was imported and from which file, so that no such attempt passes for one observed here.
    What a data package brings keeps the seal of its source instead.
    """
    facts = (
        *(microseconds(outside.imported_at), outside.name, outside.digest, outside.differs_from),
        *(int(outside.unproven), int(outside.timed)),
    )
    return _digest(last, "imported 1", facts)


def frames_digest(frames: bytes) -> str:
    """SHA-256 of an entry's frames as on the wire, hexadecimal."""
    return sha256(frames).hexdigest()


def microseconds(moment: datetime | None) -> int | None:
    """Whole microseconds since 1970 in UTC."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


def _digest(before: bytes, kind: str, facts: Iterable[object]) -> bytes:
    line = "|".join([kind, *["" if fact is None else str(fact) for fact in facts]])
    return sha256(before + line.encode()).digest()


@dataclass(frozen=True, slots=True)
class Provenance:
    """How an action was made, as reported by the client.

    `client_time` is the time by the client's clock. `previous_paint_ms` is the time that the previous action
    took from key press to painted frame, in milliseconds; `screen_age_ms` and `queued_ms` as in
    `play.models.Entry`. `reasoning` and `request_key` are an agent's
    (`play.models.AgentNote`).
    """

    input_kind: int = InputKind.UNKNOWN
    client_time: datetime | None = None
    previous_paint_ms: int | None = None
    screen_age_ms: int | None = None
    queued_ms: int | None = None
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
    screen_age_ms: int | None = None
    queued_ms: int | None = None
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

    `before` is the value of the hash chain before it (`play.journal.entries`).
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
        screen_age_ms=provenance.screen_age_ms,
        queued_ms=provenance.queued_ms,
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


def start_of(attempt: Attempt) -> bytes:
    """The value that the attempt's chain begins from; reads its version."""
    number, session = _numbers_of(attempt)
    return start_value(
        attempt=number,
        session=session,
        number=attempt.number,
        game_id=attempt.version.game_id,
        version_digest=attempt.version.digest,
        seed=attempt.seed,
        assigned_at=attempt.assigned_at,
    )


def _numbers_of(attempt: Attempt) -> tuple[int, int | None]:
    """Its number and its session's; of an imported one those at its source. A migration's model has none."""
    pk, session = attempt.pk, attempt.session_id
    if session is None or attempt.ended_at is None or not isinstance(attempt, Attempt):
        return pk, session
    outside: OutsideAttempt | None = getattr(attempt, "outside", None)
    if outside is None:
        return pk, session
    named = OutsideName.objects.filter(Q(kind="attempt", row=pk) | Q(kind="session", row=session))
    names = {kind: int(name) for kind, name in named.values_list("kind", "name")}
    return names.get("attempt", pk), names.get("session", session)


def seal_of(attempt: Attempt) -> bytes:
    """The seal of an ended attempt, over the last chain value that is stored."""
    newest = Entry.objects.filter(attempt=attempt).order_by("-seq").values_list("seq", "chain").first()
    seq, last = newest or (-1, start_of(attempt))
    return seal_after(attempt, bytes(last), seq + 1)


def seal_after(attempt: Attempt, last: bytes, entries: int) -> bytes:
    """The seal of an ended attempt with this number of entries; `last` is the last chain value."""
    if attempt.ended_at is None:
        raise ValueError("only an attempt that has ended is sealed")
    outside = getattr(attempt, "outside", None)
    return seal_value(
        last if outside is None or outside.keeps_seal else imported_value(last, outside),
        entries=entries,
        first_frame_at=attempt.first_frame_at,
        ended_at=attempt.ended_at,
        outcome=attempt.outcome,
        fault_code=attempt.fault_code,
        fault_message=attempt.fault_message,
    )
