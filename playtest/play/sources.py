"""The sources of versions that are played: each is loaded once in a process, whoever plays it."""

from channels.db import database_sync_to_async

from engine.source import Source, from_parts
from playtest.studio.models import Version

_MOST = 64
"""A source has up to a few hundred KB. One that is not here any more is read again."""

_loaded: dict[int, Source] = {}


async def source_of(version_id: int) -> Source:
    """The source of a version, which never changes. Raises SourceError metadata_invalid."""
    source = _loaded.pop(version_id, None) or await database_sync_to_async(_read)(version_id)
    _loaded[version_id] = source  # the newest is last
    if len(_loaded) > _MOST:
        del _loaded[next(iter(_loaded))]
    return source


def _read(version_id: int) -> Source:
    version = Version.objects.only("metadata", "source", "game_id").get(pk=version_id)
    return from_parts(version.metadata, version.source, version.game_id)
