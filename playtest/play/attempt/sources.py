"""Sources and tasks by version, loaded once; those that may be opened next are compiled ahead."""

import asyncio
import logging
import time

from channels.db import database_sync_to_async

from engine.errors import SourceError
from engine.play.source import Source
from engine.tasks.task import Task
from playtest.play.hosts.pool import HostPool
from playtest.studio.content import content_of
from playtest.studio.models import Environment, Version

_MOST = 64
"""A source has up to a few hundred KB. One that is not here any more is read again."""

_loaded: dict[int, Source | Task] = {}


async def loaded(version_id: int) -> Source | Task:
    """What a version holds, which never changes. Raises SourceError as `content_of`."""
    found = _loaded.pop(version_id, None) or await database_sync_to_async(_read)(version_id)
    _loaded[version_id] = found  # the newest is last
    if len(_loaded) > _MOST:
        del _loaded[next(iter(_loaded))]
    return found


def _read(version_id: int) -> Source | Task:
    version = Version.objects.only("metadata", "source", "game_id", "class_name").get(pk=version_id)
    return content_of(version)


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
            if digest not in self._pool.codes:
                try:
                    source = await loaded(version)
                    if isinstance(source, Source):
                        await self._pool.codes.code_of(source)
                except SourceError:
                    continue  # whoever opens it is told

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("an environment could not be compiled ahead: %s", error)


def _versions(study_id: int) -> list[tuple[int, str]]:
    """The number and digest of each version with a program that may be opened in a study."""
    pool = Environment.objects.interactive().filter(studies=study_id, current__isnull=False)
    return list(pool.values_list("current_id", "current__digest")[:MOST_AHEAD])
