"""Versions of the small test environments as an import would leave them, without running their code."""

from __future__ import annotations

from datetime import UTC, datetime

from playtest.studio.models import Environment, Version
from tests.engine.sources import environment


def version_of(code: str) -> Version:
    """The current version of one of `tests/environments`."""
    source = environment(code)
    known, _ = Environment.objects.get_or_create(code=code, defaults={"title": source.title})
    version = Version.objects.create(
        environment=known,
        digest=source.digest,
        game_id=source.game_id,
        class_name=source.class_name,
        source=source.text,
        metadata=source.metadata,
        default_fps=source.default_fps,
        levels=6,
        available_actions=[1, 2, 3, 4],
        imported_at=datetime(2026, 1, 5, tzinfo=UTC),
    )
    known.current = version
    known.save()
    return version
