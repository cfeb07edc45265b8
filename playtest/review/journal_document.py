"""An attempt's journal as JSON for the replay page."""

from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q

from engine.actions import Action
from engine.turns import EncodedTurn
from playtest.play.entries import Provenance, recorded_turn
from playtest.play.models import Attempt, Entry, Event, InputKind
from playtest.play.stored_chain import start_of
from playtest.review.damaged_entries import damage_refused
from playtest.studio.models import Version
from playtest.studio.queries.fewest import fewest_stored

_UNKNOWN = Provenance()


def journal_document(attempt: Attempt) -> dict[str, Any]:
    """The journal of an attempt, in JSON types.

    `entries[i]` has `seq` i and `frames`, the cell deltas of docs/wire.md in base 64. Every `time` is in
    milliseconds of server time since entry 0, `client_time` in milliseconds since 1970 by the station. An
    event's `staff` is the account that caused it, if any. `record` is the hash chain of docs/journal.md,
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
        "entries": [_entry(entry, attempt.version.levels, start) for entry in entries],
        "events": _events(_events_while_open(attempt), start),
    }


def fewest_by_level(version: Version) -> list[int | None]:
    """The fewest actions that are stored for each level; None where none are."""
    known = fewest_stored([version.pk])[version.pk]
    return [known.get(level) for level in range(1, version.levels + 1)]


def _events_while_open(attempt: Attempt) -> Iterable[Event]:
    """The attempt's events, and those of its session at that time: connections, actions by staff."""
    meanwhile = Q(attempt__isnull=True, server_time__gte=attempt.assigned_at)
    if attempt.ended_at:
        meanwhile &= Q(server_time__lte=attempt.ended_at)
    events = Event.objects.filter(Q(attempt=attempt) | meanwhile, session=attempt.session_id)
    return events.select_related("staff").order_by("server_time", "pk")


def entry_document(
    action: Action, level: int, turn: EncodedTurn, time: float, provenance: Provenance = _UNKNOWN
) -> dict[str, Any]:
    """One of the document's `entries`; `level` is where the action was made."""
    client_time = provenance.client_time
    return {
        "seq": turn.seq,
        "action": action.id,
        "x": action.x,
        "y": action.y,
        "level": level,
        "level_completed": turn.level_completed,
        "levels_completed": turn.levels_completed,
        "state": turn.state,
        "changed": turn.changed,
        "input": InputKind(provenance.input_kind).name.lower(),
        "time": time,
        "client_time": client_time.timestamp() * 1000 if client_time else None,
        "previous_paint": provenance.previous_paint_ms,
        "frame_count": turn.frame_count,
        "frames": b64encode(turn.frames.payload).decode("ascii"),
    }


def _entry(entry: Entry, levels: int, start: datetime) -> dict[str, Any]:
    with damage_refused(entry):
        return entry_document(
            Action(entry.action, entry.x, entry.y),
            entry.level,
            recorded_turn(entry, levels),
            _milliseconds(entry.server_time, start),
            Provenance(entry.input_kind, entry.client_time, entry.previous_paint_ms),
        )


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
