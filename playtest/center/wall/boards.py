"""The board of an attempt from its journal, for sessions that no process shows at the moment."""

from dataclasses import dataclass
from datetime import datetime

from engine.errors import PayloadError
from engine.frames import Frame, decode, inflated
from playtest.play.entries import recorded_turn
from playtest.play.models import Entry


@dataclass(frozen=True, slots=True)
class RecordedBoard:
    """The last recorded turn of an attempt. `acted_at` is None before the first action."""

    seq: int
    level: int
    levels_completed: int
    acted_at: datetime | None
    frame: Frame | None


def recorded_board(attempt_id: int) -> RecordedBoard | None:
    """What the last recorded turn shows; None before the opening frame.

    Decodes the attempt's frames from its start: some milliseconds for 300 actions, half a second for the
    heaviest attempts. The frame is None if the stored frames are damaged.
    """
    last = Entry.objects.filter(attempt=attempt_id).order_by("-seq").first()
    if last is None:
        return None
    return RecordedBoard(
        seq=last.seq,
        level=recorded_turn(last, 0).level,
        levels_completed=last.levels_completed,
        acted_at=last.server_time if last.seq else None,
        frame=_frame(attempt_id, last.seq),
    )


def _frame(attempt_id: int, seq: int) -> Frame | None:
    stored = Entry.objects.filter(attempt=attempt_id, seq__lte=seq).order_by("seq")
    frame: Frame | None = None
    try:
        for frames in stored.values_list("frames", flat=True).iterator():
            *_, frame = decode(inflated(bytes(frames)), frame)
    except PayloadError:
        return None
    return frame
