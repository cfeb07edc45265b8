"""What is played, by version: sources and tasks, each loaded once in a process, whoever plays it."""

from channels.db import database_sync_to_async

from engine.source import Source, from_parts
from engine.tasks.task import Task
from playtest.play.task_in_process import task_in
from playtest.studio.models import Version

_MOST = 64
"""A source has up to a few hundred KB. One that is not here any more is read again."""

_loaded: dict[int, Source | Task] = {}


async def source_of(version_id: int) -> Source:
    """The source of a version of an interactive environment. Raises SourceError metadata_invalid."""
    found = await _loaded_or_read(version_id)
    if not isinstance(found, Source):
        raise TypeError("a static task has no program")
    return found


async def task_of_version(version_id: int) -> Task:
    """The task of a version. Raises SourceError task_damaged."""
    found = await _loaded_or_read(version_id)
    if not isinstance(found, Task):
        raise TypeError("an interactive environment is no task")
    return found


async def _loaded_or_read(version_id: int) -> Source | Task:
    """What a version holds, which never changes."""
    found = _loaded.pop(version_id, None) or await database_sync_to_async(_read)(version_id)
    _loaded[version_id] = found  # the newest is last
    if len(_loaded) > _MOST:
        del _loaded[next(iter(_loaded))]
    return found


def _read(version_id: int) -> Source | Task:
    version = Version.objects.only("metadata", "source", "game_id", "class_name").get(pk=version_id)
    if version.is_task:
        return task_in(version.source, version.game_id)
    return from_parts(version.metadata, version.source, version.game_id)
