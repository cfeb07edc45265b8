"""How a level of an attempt ended: its last seconds as JSON, without the journal before them."""

from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from engine.frames import decode_last, entering_frame, keyframe
from playtest.play.errors import Refusal
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.adjustments import adjustments_of_attempt
from playtest.review.damaged_entries import damage_refused
from playtest.review.journal_document import AttemptClock, document_of_entry

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
    if attempt.version.is_task:
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
