"""An attempt's journal as the replay page reads it, once."""

from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from playtest.play.journal import inflate
from playtest.play.models import Attempt, Entry, Event, InputKind


def journal_document(attempt: Attempt) -> dict[str, Any]:
    """What happened, in JSON types.

    `entries[i]` has `seq` i and `frames`, the cell deltas of docs/wire.md in base 64. Every `time` is in
    milliseconds of server time since entry 0, `client_time` in milliseconds since 1970 by the station.
    """
    entries = list(attempt.entries.order_by("seq"))
    start = entries[0].server_time if entries else attempt.assigned_at
    return {
        "environment": attempt.environment.code,
        "version": attempt.version.digest,
        "levels": attempt.version.levels,
        "frames_per_second": attempt.version.default_fps,
        "started_at": start.isoformat(),
        "outcome": attempt.outcome,
        "entries": [_entry(entry, start) for entry in entries],
        "events": _events(attempt.events.order_by("server_time", "pk"), start),
    }


def _entry(entry: Entry, start: datetime) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "action": entry.action,
        "x": entry.x,
        "y": entry.y,
        "level": entry.level,
        "level_completed": entry.level_completed,
        "levels_completed": entry.levels_completed,
        "state": entry.state,
        "changed": entry.changed,
        "input": InputKind(entry.input_kind).name.lower(),
        "time": _milliseconds(entry.server_time, start),
        "client_time": entry.client_time.timestamp() * 1000 if entry.client_time else None,
        "previous_paint": entry.previous_paint_ms,
        "frame_count": entry.frame_count,
        "frames": b64encode(inflate(entry.frames)).decode("ascii"),
    }


def _events(events: Iterable[Event], start: datetime) -> list[dict[str, Any]]:
    return [
        {"kind": event.kind, "time": _milliseconds(event.server_time, start), "details": event.details}
        for event in events
    ]


def _milliseconds(moment: datetime, start: datetime) -> float:
    return round((moment - start).total_seconds() * 1000, 1)
