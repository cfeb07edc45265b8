"""The official recording of a whole run: every play under its guid, in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from engine.recording import Recording, write
from playtest.arena.models import Run
from playtest.play.models import Entry
from playtest.review.official_recording import recorded_reasoning, recorded_turns


@dataclass(frozen=True)
class RecordedRun:
    """A run as it is stored: by play, its entries and the reasoning sent with them, by seq."""

    run: Run
    plays: list[tuple[list[Entry], dict[int, Any]]]

    def lines(self) -> Iterator[str]:
        """The lines of the file, made one by one, without the database. Refusal: record_damaged."""
        for entries, reasoning in self.plays:
            for turn in recorded_turns(entries, self.run.version.levels, reasoning):
                yield from write(Recording((turn,), self.run.version.game_id, str(self.run.guid)))


def frames_of_run(run: Run) -> int:
    """How many frames its recording would have."""
    found = Entry.objects.filter(attempt__play__run=run).aggregate(frames=Sum("frame_count"))
    return found["frames"] or 0


def recorded_run(run: Run) -> RecordedRun:
    """A run with all that is recorded of it so far."""
    attempts = [play.attempt for play in run.plays.select_related("attempt").order_by("number")]
    return RecordedRun(
        run, [(list(one.entries.order_by("seq")), recorded_reasoning(one)) for one in attempts]
    )
