"""The hash chain of an attempt's record, exactly as docs/journal.md defines it.

Every value is SHA-256 over the value before it and one line of text that states the stored facts. Anyone with
the facts can compute the chain; changing, removing, adding or reordering anything gives another value from
there on. Pure: no database, no clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playtest.play.entries import NewEntry
    from playtest.play.models import Entry

CHAIN_BYTES = 32

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
    edit = getattr(
        entry, "edit", None
    )  # only static tasks have one; rows of an early migration have no column
    if edit is not None:
        facts = (*facts, edit)
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


def frames_digest(frames: bytes) -> str:
    """SHA-256 of an entry's frames as on the wire, hexadecimal."""
    return sha256(frames).hexdigest()


def microseconds(moment: datetime | None) -> int | None:
    """Whole microseconds since 1970 in UTC."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


def _digest(before: bytes, kind: str, facts: Iterable[object]) -> bytes:
    line = "|".join([kind, *["" if fact is None else str(fact) for fact in facts]])
    return sha256(before + line.encode()).digest()
