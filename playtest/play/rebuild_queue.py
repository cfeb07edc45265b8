"""Rebuilds in turn: few at once, so that people come back one by one instead of all at the end."""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_SECONDS_AN_ACTION = 0.003
"""So long a rebuild is taken to last: who comes that much later may go first. None waits for ever."""


class RebuildQueue:
    """At most `at_once` rebuilds run; the others wait, those of few actions less long. For one event loop."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._numbers = itertools.count()
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, actions: int) -> AsyncIterator[None]:
        """Waits for its turn to rebuild so many actions, and has it until the block ends."""
        if not actions:
            yield
            return
        await self._enter(actions)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, actions: int) -> None:
        if self._free:
            self._free -= 1
            return
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        due = loop.time() + actions * _SECONDS_AN_ACTION
        heapq.heappush(self._waiting, (due, next(self._numbers), mine))
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._leave()  # its turn came as its caller went
            raise

    def _leave(self) -> None:
        """Gives the turn to the next who still waits."""
        while self._waiting:
            _, _, waiting = heapq.heappop(self._waiting)
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1
