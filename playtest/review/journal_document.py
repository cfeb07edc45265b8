"""An attempt's journal as the replay page reads it, once."""

from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q

from playtest.play.journal import inflate
from playtest.play.models import Attempt, Entry, Event, InputKind
from playtest.play.record import start_of
from playtest.review.damage import reading
from playtest.studio.models import Version
from playtest.studio.queries.fewest import fewest_in_recordings


def journal_document(attempt: Attempt) -> dict[str, Any]:
    """What happened, in JSON types.

    `entries[i]` has `seq` i and `frames`, the cell deltas of docs/wire.md in base 64. Every `time` is in
    milliseconds of server time since entry 0, `client_time` in milliseconds since 1970 by the station. An
    event's `staff` is who brought it about, if staff did. `record` is the hash chain of docs/journal.md,
    hexadecimal: its start, the value of every entry, and the seal (None while the attempt is open).
    `fewest`: the fewest actions known for each level.

    Refusal: record_damaged.
    """
    entries = list(attempt.entries.order_by("seq"))
    start = entries[0].server_time if entries else attempt.assigned_at
    return {
        "environment": attempt.environment.code,
        "version": attempt.version.digest,
        "levels": attempt.version.levels,
        "fewest": fewest_by_level(attempt.version),
        "frames_per_second": attempt.version.default_fps,
        "started_at": start.isoformat(),
        "outcome": attempt.outcome,
        "record": {
            "start": start_of(attempt).hex(),
            "chain": [bytes(entry.chain).hex() for entry in entries],
            "seal": None if attempt.seal is None else bytes(attempt.seal).hex(),
        },
        "entries": [_entry(entry, start) for entry in entries],
        "events": _events(_events_while_open(attempt), start),
    }


def fewest_by_level(version: Version) -> list[int | None]:
    """The fewest actions with which a stored recording wins each level; None where none does."""
    known = fewest_in_recordings([version.pk])[version.pk]
    return [known.get(level) for level in range(1, version.levels + 1)]


def _events_while_open(attempt: Attempt) -> Iterable[Event]:
    """The attempt's own events, and what happened to its session meanwhile: connections, staff."""
    meanwhile = Q(attempt__isnull=True, server_time__gte=attempt.assigned_at)
    if attempt.ended_at:
        meanwhile &= Q(server_time__lte=attempt.ended_at)
    events = Event.objects.filter(Q(attempt=attempt) | meanwhile, session=attempt.session_id)
    return events.select_related("staff").order_by("server_time", "pk")


def _entry(entry: Entry, start: datetime) -> dict[str, Any]:
    with reading(entry):
        return _facts(entry, start)


def _facts(entry: Entry, start: datetime) -> dict[str, Any]:
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
        {
            "kind": event.kind,
            "time": _milliseconds(event.server_time, start),
            "details": event.details,
            "staff": event.staff.get_username() if event.staff else None,
        }
        for event in events
    ]


def _milliseconds(moment: datetime, start: datetime) -> float:
    return round((moment - start).total_seconds() * 1000, 1)
