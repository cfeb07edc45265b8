"""An attempt's journal as an official JSONL recording (`engine.recording`)."""

from collections.abc import Iterable, Iterator

from engine.actions import Action
from engine.frames import Frame, decode
from engine.recording import RecordedTurn, Recording, write
from playtest.play.entries import recorded_turn
from playtest.play.journal import inflate
from playtest.play.models import Attempt, Entry
from playtest.review.damaged_entries import damage_refused


def file_name(attempt: Attempt) -> str:
    """As the toolkit names its files: `<game_id>-<guid>.jsonl`."""
    return f"{attempt.version.game_id}-{_guid(attempt)}.jsonl"


def recording_lines(attempt: Attempt) -> Iterator[str]:
    """The lines of the recording, frames included; the opening RESET is line 1. Refusal: record_damaged."""
    turns = tuple(_turns(attempt.entries.order_by("seq"), attempt.version.levels))
    return write(Recording(turns, game_id=attempt.version.game_id, guid=_guid(attempt)))


def _guid(attempt: Attempt) -> str:
    return f"attempt-{attempt.pk}"


def _turns(entries: Iterable[Entry], levels: int) -> Iterator[RecordedTurn]:
    shown: Frame | None = None
    for entry in entries:
        with damage_refused(entry):
            frames = tuple(decode(inflate(entry.frames), shown))
            action = Action(entry.action, entry.x, entry.y)
            moment = entry.server_time.isoformat()
            turn = RecordedTurn.of(action, recorded_turn(entry, levels), frames, moment)
        shown = frames[-1]
        yield turn
