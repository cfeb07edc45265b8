"""Writes attempts with journals given as text (tests/rules/levels.py), without playing."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from playtest.insight.models import LevelResult
from playtest.play.models import Attempt, Entry, Study
from playtest.play.sessions.attempts import open_next, set_first_frame
from playtest.rules.results import LevelResult as Figures
from playtest.rules.results import ResultEntry
from tests import make


def begin(study: Study, entries: list[ResultEntry]) -> Attempt:
    """Creates an open attempt of a new participant with its first frame."""
    attempt = open_next(make.session(study))
    assert attempt is not None
    set_first_frame(attempt.pk, entries[0].at)
    append(attempt, entries[:1])
    return attempt


def append(attempt: Attempt, entries: Iterable[ResultEntry]) -> None:
    """Appends entries with invalid chain values; no environment plays them."""
    Entry.objects.bulk_create(
        Entry(
            attempt=attempt,
            seq=entry.seq,
            action=entry.action,
            level=entry.levels_completed + (not entry.level_completed),
            levels_completed=entry.levels_completed,
            level_completed=entry.level_completed,
            state=entry.state,
            available=0b11111,
            changed=entry.changed,
            state_hash=entry.state_hash,
            frame_count=1,
            frames=b"",
            server_time=entry.at,
            chain=bytes(32),
        )
        for entry in entries
    )


def stored(attempt: Attempt) -> list[dict[str, Any]]:
    """Returns the stored level results of the attempt without its number."""
    names = [field.name for field in fields(Figures)]
    return [dict(row) for row in LevelResult.objects.filter(attempt=attempt).order_by("level").values(*names)]
