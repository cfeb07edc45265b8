"""An attempt's journal as JSON for the replay page, and the end of a level alone."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from engine.play.actions import Action
from engine.play.frames import decode_last, entering_frame, keyframe
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit
from playtest.center.interventions.sentences import describe
from playtest.play.attempt.rebuild import recorded_action
from playtest.play.errors import Refusal
from playtest.play.journal.entries import Provenance, recorded_turn, start_of
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry, Event, EventKind, InputKind, OutsideAttempt
from playtest.play.sessions.adjustments import adjustments_of_attempt
from playtest.play.sessions.events import reported_paints
from playtest.review.damaged_entries import damage_refused
from playtest.review.task_document import beside_frames
from playtest.rules.adjustments import Adjustments
from playtest.rules.lag import press_to_paint
from playtest.studio.models import Version
from playtest.studio.queries.fewest import fewest_stored

UNTIMED_MILLISECONDS = 1000
"""Time from one action to the next where a recording has no times."""
_UNKNOWN = Provenance()
_INTERVENTIONS = frozenset(
    {
        EventKind.PAUSED, EventKind.RESUMED, EventKind.TIME_GRANTED, EventKind.TIME_TAKEN_BACK,
        EventKind.TIME_ANNOUNCED, EventKind.END_PLANNED, EventKind.END_CALLED_OFF,
        EventKind.STATION_CHANGED, EventKind.PROCTOR_CALLED, EventKind.CALL_ANSWERED, EventKind.NOTE_ADDED,
        EventKind.ATTEMPT_VOIDED, EventKind.VOID_REVERSED,
    }
)  # fmt: skip
"""What staff do to a session, and the calls they answer."""


def journal_document(attempt: Attempt) -> dict[str, Any]:
    """The journal of an attempt, in JSON types.

    `played_by` is person, agent or internal. `entries[i]` has `seq` i and `frames`, as docs/wire.md encodes
    them, in base 64. Every `time` is in milliseconds of server time since entry 0 without `pauses`, in which
    the attempt's clock stood still: each has the `time` at which it began and its length in `seconds`, None
    while it lasts. `client_time` is in milliseconds since 1970 by the station. An event's `staff` is the
    account that caused it, if any, and its `sentence` says what staff did, None for other events. `record` is
    the hash chain of docs/journal.md, hexadecimal: its start, the value of every entry, and the seal (None
    while the attempt is open).
    `fewest`: the fewest actions known for each level. A static task has `task`, and its entries have what
    `task_document` adds; `level` is the test input. An attempt from elsewhere of which something is
    doubtful has `otherwise`: a sentence about it.

    Refusal: record_damaged.
    """
    entries = list(attempt.entries.order_by("seq"))
    of_task, of_edits = beside_frames(attempt, entries)
    clock = AttemptClock(
        entries[0].server_time if entries else attempt.assigned_at, adjustments_of_attempt(attempt)
    )
    outside: OutsideAttempt | None = getattr(attempt, "outside", None)
    reported = reported_paints([attempt.pk]).get(attempt.pk, {})
    paints = press_to_paint([entry.previous_paint_ms for entry in entries], reported)
    return {
        "environment": attempt.environment.code,
        "played_by": attempt.played_by,
        "version": attempt.version.digest,
        "levels": attempt.version.levels,
        "fewest": fewest_by_level(attempt.version),
        "frames_per_second": attempt.version.default_fps,
        "started_at": clock.start.isoformat(),
        "pauses": list(clock.pauses(attempt.ended_at)),
        "outcome": attempt.outcome,
        "record": {
            "start": start_of(attempt).hex(),
            "chain": [bytes(entry.chain).hex() for entry in entries],
            "seal": None if attempt.seal is None else bytes(attempt.seal).hex(),
        },
        "entries": [
            document_of_entry(entry, attempt.version.levels, clock) | of_edit | {"paint": paint}
            for entry, of_edit, paint in zip(entries, of_edits, paints, strict=True)
        ]
        if outside is None or outside.timed
        else [
            document_of_entry(entry, attempt.version.levels, clock)
            | {"time": float(entry.seq * UNTIMED_MILLISECONDS), "paint": None}
            for entry in entries
        ],
        "events": _events(_events_while_open(attempt), clock),
        **of_task,
        **({"otherwise": outside.sentence} if outside and outside.doubts else {}),
    }


def fewest_by_level(version: Version) -> list[int | None]:
    """The fewest actions that are stored for each level; None where none are."""
    known = fewest_stored([version.pk])[version.pk]
    return [known.get(level) for level in range(1, version.levels + 1)]


def _events_while_open(attempt: Attempt) -> Iterable[Event]:
    """The attempt's events, and those of its session at that time: connections, actions by staff."""
    if attempt.session_id is None:
        return Event.objects.filter(attempt=attempt).order_by("server_time", "pk")
    paints = Q(kind=EventKind.PAINTED)  # which are with the entries
    meanwhile = Q(attempt__isnull=True, server_time__gte=attempt.assigned_at)
    if attempt.ended_at:
        meanwhile &= Q(server_time__lte=attempt.ended_at)
    events = Event.objects.filter(~paints, Q(attempt=attempt) | meanwhile, session=attempt.session_id)
    return events.select_related("staff").order_by("server_time", "pk")


def entry_document(
    action: Action | Edit, level: int, turn: EncodedTurn, time: float, provenance: Provenance = _UNKNOWN
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
        "paint": None,
        "screen_age": provenance.screen_age_ms,
        "queued": provenance.queued_ms,
        "frame_count": turn.frame_count,
        "frames": b64encode(turn.frames.payload).decode("ascii"),
    }


def document_of_entry(entry: Entry, levels: int, clock: "AttemptClock") -> dict[str, Any]:
    """`entry_document` of a stored entry; `levels` of its version. Refusal: record_damaged."""
    with damage_refused(entry):
        return entry_document(
            recorded_action(entry.action, entry.x, entry.y, entry.edit),
            entry.level,
            recorded_turn(entry, levels),
            clock.at(entry.server_time),
            Provenance(
                entry.input_kind,
                entry.client_time,
                entry.previous_paint_ms,
                entry.screen_age_ms,
                entry.queued_ms,
            ),
        )


def _events(events: Iterable[Event], clock: "AttemptClock") -> list[dict[str, Any]]:
    return [
        {
            "kind": event.kind,
            "time": clock.at(event.server_time),
            "details": event.details,
            "sentence": _sentence(event),
            "staff": event.staff.get_username() if event.staff else None,
        }
        for event in events
    ]


def _sentence(event: Event) -> str | None:
    by_staff = event.kind == EventKind.ATTEMPT_ENDED and event.staff_id is not None
    return describe(event) if by_staff or event.kind in _INTERVENTIONS else None


@dataclass(frozen=True, slots=True)
class AttemptClock:
    """The clock of an attempt: from its opening frame, without the pauses of its session."""

    start: datetime
    adjustments: Adjustments

    def at(self, moment: datetime) -> float:
        """Milliseconds; negative before the opening frame."""
        if moment < self.start:
            return _milliseconds(moment - self.start)
        return _milliseconds(moment - self.start - self.adjustments.stopped(self.start, moment))

    def pauses(self, ended_at: datetime | None) -> Iterator[dict[str, float | None]]:
        """The pauses that began while the attempt was open."""
        for pause in self.adjustments.pauses:
            if self.start <= pause.start and (ended_at is None or pause.start < ended_at):
                seconds = (pause.end - pause.start).total_seconds() if pause.end else None
                yield {"time": self.at(pause.start), "seconds": seconds}


def _milliseconds(time: timedelta) -> float:
    return round(time.total_seconds() * 1000, 1)


SECONDS = 20
"""How much is shown before the last action on the level; the replay page's `#end=` goes back as far."""


def end_document(attempt: Attempt, level: int) -> dict[str, Any]:
    """The last SECONDS of a level (from 1) up to its last action, as a short `journal_document`.

    `entries[0]` is what was shown when they began, as one frame at `time` 0; the others are the actions
    since, with their own `seq`, in milliseconds after it. A shorter level begins with its first frame.
    `waited` is the time from the last action to the end of the attempt, in seconds; None if the level was
    completed or the attempt is open. Pauses by staff are left out of all times.

    Refusal: level_not_reached (404), no_levels (404, of a static task), record_damaged.
    """
    if not attempt.version.kind.has_levels:
        message = "A static task has test inputs and no levels: watch its whole replay."
        raise Refusal("no_levels", message, status=404)
    entries = attempt.entries.order_by("seq")
    entered, times = _times(entries, level)
    clock = AttemptClock(times[0], adjustments_of_attempt(attempt))
    since = [clock.at(time) for time in times]
    begin = max(0.0, since[-1] - SECONDS * 1000)
    shown = max(index for index, time in enumerate(since) if time <= begin)
    last = entered + len(times) - 1
    document = [
        _opening(entries.filter(seq__gte=entered, seq__lte=entered + shown), attempt, level, clock),
        *(
            document_of_entry(entry, attempt.version.levels, clock)
            for entry in entries.filter(seq__gt=entered + shown, seq__lte=last)
        ),
    ]
    for entry in document[1:]:
        entry["time"] = round(entry["time"] - begin, 1)
    return {
        "frames_per_second": attempt.version.default_fps,
        "started_at": (times[0] + timedelta(milliseconds=begin)).isoformat(),
        "waited": None
        if document[-1]["levels_completed"] >= level or attempt.ended_at is None
        else round(clock.adjustments.running(times[-1], attempt.ended_at).total_seconds(), 1),
        "entries": document,
        "events": [],
        "fewest": [],
    }


def _times(entries: QuerySet[Entry], level: int) -> tuple[int, Sequence[datetime]]:
    """The entry that entered the level, and its time with those of the actions on the level."""
    entered = entries.filter(levels_completed=level - 1).values_list("seq", flat=True).first()
    if entered is None:
        message = f"Level {level} was not reached in this attempt: choose another level."
        raise Refusal("level_not_reached", message, status=404)
    rows = entries.filter(seq__gte=entered).values_list("seq", "level", "server_time")
    return entered, [time for seq, on, time in rows if seq == entered or on == level]


def _opening(entries: QuerySet[Entry], attempt: Attempt, level: int, clock: AttemptClock) -> dict[str, Any]:
    """The last of these entries, which begin with the one that entered the level, as one frame at time 0."""
    first, *others = entries
    with damage_refused(first):
        frame = entering_frame(inflate(first.frames))
    for entry in others:
        with damage_refused(entry):
            changed = decode_last(inflate(entry.frames), frame)
            frame = frame if changed is None else changed
    shown = document_of_entry(others[-1] if others else first, attempt.version.levels, clock)
    alone = {"time": 0.0, "level": level, "level_completed": False, "state": "NOT_FINISHED"}
    return shown | alone | {"frame_count": 1, "frames": b64encode(keyframe(frame)).decode("ascii")}
