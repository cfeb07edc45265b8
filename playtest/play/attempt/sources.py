"""Sources and tasks by version, loaded once; those that may be opened next are compiled ahead."""

import asyncio
import logging
import time

from channels.db import database_sync_to_async

from engine.errors import SourceError
from engine.play.source import Source, from_parts
from engine.tasks.task import Task
from playtest.play.attempt.task_in_process import task_in
from playtest.play.hosts.pool import HostPool
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment, Version

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


logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_LOOKS = 60.0
MOST_AHEAD = 64
"""Of a pool with more environments, the others are compiled when they are opened."""


class Precompilation:
    """What is compiled ahead for the hosts of a pool: the current versions of a study's environments."""

    def __init__(self, pool: HostPool) -> None:
        self._pool = pool
        self._looked: dict[int, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def expect(self, study_id: int) -> None:
        """Compiles what is not compiled yet, without anybody waiting; looks at most once a minute."""
        moment = time.monotonic()
        if moment - self._looked.get(study_id, -_SECONDS_BETWEEN_LOOKS) < _SECONDS_BETWEEN_LOOKS:
            return
        self._looked[study_id] = moment
        task = asyncio.create_task(self._prepare(study_id))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def _prepare(self, study_id: int) -> None:
        for version, digest in await database_sync_to_async(_versions)(study_id):
            if not self._pool.is_prepared(digest):
                try:
                    await self._pool.prepare(await source_of(version))
                except SourceError:
                    continue  # whoever opens it is told

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("an environment could not be compiled ahead: %s", error)


def _versions(study_id: int) -> list[tuple[int, str]]:
    """The number and digest of each version with a program that may be opened in a study."""
    pool = Environment.objects.filter(studies=study_id, current__isnull=False, kind=Kind.INTERACTIVE)
    return list(pool.values_list("current_id", "current__digest")[:MOST_AHEAD])
