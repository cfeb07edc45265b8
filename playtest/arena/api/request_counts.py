"""How many requests each key makes a day, added up in this process and stored every few seconds."""

import asyncio
import logging
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date

from channels.db import database_sync_to_async
from django.db import DatabaseError

from playtest.arena.services.keys import count_requests
from playtest.play.clock import machine_now

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_STORES = 5.0

type _Day = dict[int, tuple[int, int]]
"""By key (primary key): requests, and requests that were refused for the limit."""


@dataclass
class RequestCounts:
    """What was counted and is not stored yet."""

    _days: defaultdict[date, _Day] = field(default_factory=lambda: defaultdict(dict))
    _storing: asyncio.Task[None] | None = None

    def add(self, key: int, *, refused: bool) -> None:
        """Counts one request of a key (primary key); it is stored a few seconds later."""
        of_day = self._days[machine_now().astimezone(UTC).date()]
        accepted, limited = of_day.get(key, (0, 0))
        of_day[key] = (accepted, limited + 1) if refused else (accepted + 1, limited)
        if self._storing is None or self._storing.done():
            self._storing = asyncio.get_running_loop().create_task(self._store_later())

    async def store(self) -> None:
        """Stores what was counted; after an error of the database the next attempt has it too."""
        while self._days:
            day, counted = self._days.popitem()
            try:
                await database_sync_to_async(count_requests)(day, counted)
            except DatabaseError:
                logger.exception("The requests of %d keys could not be counted", len(counted))
                of_day = self._days[day]
                for key, (accepted, limited) in counted.items():
                    before = of_day.get(key, (0, 0))
                    of_day[key] = before[0] + accepted, before[1] + limited
                return

    async def _store_later(self) -> None:
        await asyncio.sleep(SECONDS_BETWEEN_STORES)
        await self.store()
