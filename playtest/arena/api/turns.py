"""When a request of an agent is carried out: a few at once, keys in rounds, and behind people.

People and agents share one event loop, one interpreter and one journal. So a process works on few requests
of agents at once, begins them while nobody waits (`play.people_first`), and calls the database for them in a
thread of their own. Their environments run on hosts of their own (`play.attempt.runner`).
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from asgiref.sync import SyncToAsync, ThreadSensitiveContext
from channels.db import database_sync_to_async
from django.conf import settings

from playtest.arena.api.http import ARENA_CLOSED, RATE_LIMIT, ApiError
from playtest.arena.api.keys import HELD_SECONDS
from playtest.play.people_first import PeopleFirst, people_first
from playtest.play.sessions.reads import anybody_plays

MORE_ALONE = 16
_BEHIND_PEOPLE_SECONDS = 0.25
_LOOKED_FOR_SECONDS = 5.0
_CLOSED_SECONDS = 60

_thread = ThreadSensitiveContext()


def use_agents_thread() -> None:
    """This task, and those that it begins, call the database in the agents' thread from now on."""
    SyncToAsync.thread_sensitive_context.set(_thread)


class Turns:
    """Carries out at most `at_once` requests, MORE_ALONE times as many while no people are here.

    Of those that wait, one of each key in turn. For one loop.
    """

    def __init__(self, at_once: int, people: PeopleFirst = people_first) -> None:
        self._at_once = at_once
        self._people = people
        self._begun = 0
        self._waiting: dict[int, deque[asyncio.Future[None]]] = {}
        self._running: set[asyncio.Task[Any]] = set()

    async def carry_out[T](self, key: int, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Does the work of a key (primary key) in its turn; what has begun ends though its caller goes away.

        ApiError 429: its turn did not come within HELD_SECONDS.
        """
        await self._enter(key)
        task = asyncio.Task(self._carried_out(work), loop=asyncio.get_running_loop(), eager_start=True)
        if task.done():
            return task.result()
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _carried_out[T](self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            await self._people.quiet(_BEHIND_PEOPLE_SECONDS)
            return await work()
        finally:
            self._leave()

    async def _enter(self, key: int) -> None:
        if self._has_place:
            self._begun += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        try:
            async with asyncio.timeout(HELD_SECONDS):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if not turn.cancelled():
                self._leave()  # its turn came as its caller went
            if isinstance(error, TimeoutError):
                raise _later(RATE_LIMIT, "Too many agents play at once: try again.", 1) from error
            raise

    def _leave(self) -> None:
        """Gives the place, and those that are free since people went, to the next who still wait."""
        self._begun -= 1
        while self._waiting and self._has_place:
            key = next(iter(self._waiting))
            of_key = self._waiting.pop(key)
            turn = of_key.popleft()
            if of_key:
                self._waiting[key] = of_key  # behind the other keys
            if not turn.done():
                self._begun += 1
                turn.set_result(None)

    @property
    def _has_place(self) -> bool:
        return self._begun < self._at_once * (1 if self._people.here else MORE_ALONE)


class Closing:
    """Whether agents may not play now, because people do, where ARENA_WHILE_PEOPLE_PLAY is `closed`."""

    def __init__(self) -> None:
        self._closed = False
        self._until = 0.0

    async def refuse(self) -> None:
        """ApiError 429, for as long as somebody has checked in and their session goes on."""
        if settings.ARENA_WHILE_PEOPLE_PLAY != "closed":
            return
        if time.monotonic() >= self._until:
            self._until = time.monotonic() + _LOOKED_FOR_SECONDS
            self._closed = await database_sync_to_async(anybody_plays)()
        if self._closed:
            message = "People play here now, and agents may not meanwhile: try again later."
            raise _later(ARENA_CLOSED, message, _CLOSED_SECONDS)


async def in_turn[T](
    key: int, work: Callable[[], Coroutine[Any, Any, T]], *, opens: bool, limited: bool = True
) -> T:
    """Does the work of a key (primary key) in its turn; `opens`: it is a RESET. ApiError 429.

    What is not `limited` is done while the arena is closed, too.
    """
    if limited:
        await closing.refuse()
    return await (openings if opens else turns).carry_out(key, work)


def _later(code: str, message: str, seconds: int) -> ApiError:
    """Refuses what another moment allows: nothing was carried out, and nothing is wrong with the server."""
    return ApiError(HTTPStatus.TOO_MANY_REQUESTS, code, message, {"Retry-After": str(seconds)})


turns, openings = Turns(settings.ARENA_AT_ONCE), Turns(settings.ARENA_AT_ONCE)
"""Of this process, for REST and the socket: RESETs wait for hosts, and actions not for RESETs."""
closing = Closing()
