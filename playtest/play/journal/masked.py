"""States of recorded attempts without the masked cells of their version (`engine.prove.masks`)."""

from collections.abc import Iterable, Mapping

from engine.errors import PayloadError
from engine.prove.masks import Cells, Shown, restated
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry
from playtest.studio.queries.masks import masks_of

type Restated = Mapping[int, tuple[bool, bytes]]
"""By seq: whether the entry changed anything but masked cells, and its state's hash without them."""


def masks_of_attempts(attempts: Iterable[int]) -> dict[int, Cells]:
    """The masked cells of these attempts' versions, by attempt; without those that have none. Two queries."""
    versions = dict(Attempt.objects.filter(pk__in=list(attempts)).values_list("pk", "version"))
    masks = masks_of(versions.values())
    return {attempt: masks[version] for attempt, version in versions.items() if version in masks}


def restated_entries(attempt: int, cells: Cells | None, begin: int = 0, last: int | None = None) -> Restated:
    """The entries from `begin`, which opens the game or enters a level, as they are without these cells.

    Without any cell, and from the first entry with damaged frames on, none: what is stored holds then.
    """
    if cells is None:
        return {}
    entries = Entry.objects.filter(attempt=attempt, seq__gte=begin).order_by("seq")
    if last is not None:
        entries = entries.filter(seq__lte=last)
    rows = list(entries.values_list("seq", "level", "levels_completed", "state", "frames"))
    shown = (Shown(level, done, state, _inflated(frames)) for _, level, done, state, frames in rows)
    return {row[0]: found for row, found in zip(rows, restated(shown, cells), strict=False)}


def _inflated(frames: bytes | memoryview) -> bytes:
    """Damaged frames are no payload."""
    try:
        return inflate(frames)
    except PayloadError:
        return b"\0"
