"""Compiles what people may open next, while they are in the pause before it."""

import asyncio
import logging
import time

from channels.db import database_sync_to_async

from engine.errors import SourceError
from playtest.play.hosts import HostPool
from playtest.play.sources import source_of
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment

logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_LOOKS = 60.0
_MOST = 64
"""Of a pool with more environments, the others are compiled when they are opened."""


class Ahead:
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
    return list(pool.values_list("current_id", "current__digest")[:_MOST])
