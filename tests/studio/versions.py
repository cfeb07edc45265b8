"""Versions of the small test environments, stored without running their code."""

from __future__ import annotations

from datetime import UTC, datetime

from playtest.studio.models import Environment, Recording, RecordingKind, Version
from playtest.studio.queries.fewest import fewest_stored
from tests.engine.sources import environment
from tests.live.games import WALK
from tests.make import store_version

MADE_AT = datetime(2026, 1, 5, tzinfo=UTC)


def version_of(code: str) -> Version:
    """The current version of one of `tests/environments`."""
    source = environment(code)
    known, _ = Environment.objects.get_or_create(code=code, defaults={"title": source.title})
    return store_version(known, source, 6, [1, 2, 3, 4])


def walk() -> Version:
    """wk01 with its developer's recordings: a win, three moves a level, and a loss by its first move."""
    version = version_of("wk01")
    record(version, RecordingKind.WIN, WALK, [done // 3 for done in range(len(WALK) + 1)])
    record(version, RecordingKind.LOSS, [1], [0, 0])
    return version


def record(version: Version, kind: RecordingKind, acts: list[int], levels_completed: list[int]) -> None:
    """A recording without state hashes."""
    Recording.objects.create(
        version=version,
        kind=kind,
        name=kind.value,
        actions=[[act, None, None] for act in acts],
        levels_completed=levels_completed,
        made_at=MADE_AT,
    )


def fewest(version: Version) -> dict[int, int]:
    """The fewest actions that are stored for each level."""
    return fewest_stored([version.pk])[version.pk]
