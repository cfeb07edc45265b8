"""An attempt's journal as an official JSONL recording (`engine.play.recording`)."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine.play.actions import Action
from engine.play.frames import Frame, decode
from engine.play.recording import RecordedTurn, Recording, write
from playtest.play.errors import Refusal
from playtest.play.journal.entries import recorded_turn
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry
from playtest.play.models.outside import origin_in_files
from playtest.review.damaged_entries import damage_refused
from playtest.review.players import name_in_files


def file_name(attempt: Attempt, guid: str = "") -> str:
    """As the toolkit names its files: `<game_id>-<guid>.jsonl`; without a guid, the attempt's own."""
    return f"{attempt.version.game_id}-{guid or name_in_files(attempt)}.jsonl"


def recording_lines(
    attempt: Attempt, guid: str = "", *, frames: bool = True, moment: datetime | None = None
) -> Iterator[str]:
    """The lines of the recording, with its frames or a hash for each; the opening RESET is line 1.

    `guid` as in `file_name`. With `moment`, of the public variant, this is the time of every line. The first
    line of an attempt from outside names its source.

    Refusal: no_official_form, of a static task; record_damaged.
    """
    if not attempt.version.kind.has_program:
        message = "The official form of recordings knows no edits: take the edits with the study's data."
        raise Refusal("no_official_form", message)
    entries = attempt.entries.order_by("seq")
    turns = tuple(recorded_turns(entries, attempt.version.levels, recorded_reasoning(attempt), moment))
    name = guid or name_in_files(attempt)
    recording = Recording(turns, game_id=attempt.version.game_id, guid=name)
    return write(recording, frames=frames, source=origin_in_files(attempt, public=moment is not None))


def recorded_reasoning(attempt: Attempt) -> dict[int, Any]:
    """What an agent sent with its actions, by seq: JSON, or text; nothing for a person."""
    if not attempt.is_run:
        return {}
    notes = attempt.notes.exclude(reasoning="").values_list("seq", "reasoning")
    return {seq: _json_or_text(text) for seq, text in notes}


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def recorded_turns(
    entries: Iterable[Entry], levels: int, reasoning: dict[int, Any], moment: datetime | None = None
) -> Iterator[RecordedTurn]:
    """The turns of a journal's entries, in order from its opening. Refusal: record_damaged."""
    shown: Frame | None = None
    for entry in entries:
        with damage_refused(entry):
            frames = tuple(decode(inflate(entry.frames), shown))
            action = Action(entry.action, entry.x, entry.y)
            made = (moment or entry.server_time).isoformat()
            turn = RecordedTurn.of(action, recorded_turn(entry, levels), frames, made)
        shown = frames[-1]
        yield replace(turn, reasoning=reasoning[entry.seq]) if entry.seq in reasoning else turn
