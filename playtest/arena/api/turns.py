"""When a request of an agent is carried out: a few at once, keys in rounds, and behind people.

People and agents share one event loop, one interpreter and one journal. So a process works on few requests
of agents at once, begins them while nobody waits, and calls the database for them in a thread of their own.
Their environments run on hosts of their own (`play.attempt.runner`).

A key is remembered for a few seconds. Its pace and its requests a day are counted in this process, which
costs an action nothing. Several processes count for themselves: with n of them a key may reach n times its
limit, less where requests come back to the same process (see the cookie in `application`).
"""

import asyncio
import logging
import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, date
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from asgiref.sync import SyncToAsync, ThreadSensitiveContext
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError

from playtest.arena.api.http import ARENA_CLOSED, RATE_LIMIT, UNAUTHORIZED, ApiError
from playtest.arena.models import ApiKey
from playtest.arena.runs.keys import LOCAL, count_requests, key_of, local_key
from playtest.play.attempt.runner import PeopleFirst, people_first
from playtest.play.clock import machine_now
from playtest.play.sessions.reads import anybody_plays

logger = logging.getLogger(__name__)

SECONDS_REMEMBERED = 5.0
_MOST_REMEMBERED = 10_000
MINUTE_SECONDS = 60.0
HELD_SECONDS = 8.0
"""How long a request is held before it is refused; official clients give up after 10 seconds."""
BURST_SECONDS = 10.0
"""After a rest as many requests are carried out at once as fall into so long."""
_ROUNDING = 1e-6  # so that who waits as long as they were told is not refused for a rounding
SECONDS_BETWEEN_STORES = 5.0

type _Day = dict[int, tuple[int, int]]
"""By key (primary key): requests, and requests that were refused for the limit."""


class Pace:
    """When the requests of one key are carried out, by any clock that never goes back (seconds)."""

    def __init__(self) -> None:
        self._due = -math.inf

    def seconds_to_wait(self, at: float, most: int) -> float:
        """How long a request at `at` waits for its turn, at `most` a minute.

        It has its turn, and so counts, unless that is longer than HELD_SECONDS.
        """
        due = max(self._due, at - BURST_SECONDS)
        wait = max(0.0, due - at)
        if wait <= HELD_SECONDS + _ROUNDING:
            self._due = due + MINUTE_SECONDS / most
        return wait


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


@dataclass(slots=True)
class _Known:
    key: ApiKey | None
    until: float


@dataclass
class KnownKeys:
    """What this process knows of keys: a revoked one is noticed within SECONDS_REMEMBERED."""

    _known: dict[bytes, _Known] = field(default_factory=dict)
    _paces: defaultdict[int, Pace] = field(default_factory=lambda: defaultdict(Pace))
    requests: RequestCounts = field(default_factory=RequestCounts)

    async def key_of(self, secret: str, *, limited: bool = True, local: bool = False) -> ApiKey:
        """The key with this secret; without one, or with LOCAL, that of who asks on this machine (`local`).

        Waits for the turn of a `limited` request, which counts; on this machine there is no limit.
        ApiError 401, 429.
        """
        key = await self._find(secret, local=local)
        if key is None:
            raise _unauthorized()
        wait = self._paces[key.pk].seconds_to_wait(time.monotonic(), key.per_minute) if limited else 0.0
        refused = wait > HELD_SECONDS + _ROUNDING
        self.requests.add(key.pk, refused=refused)
        if refused:
            seconds = max(1, math.ceil(wait - HELD_SECONDS - _ROUNDING))
            message = f"This key may make {key.per_minute} requests a minute: try again in {seconds} s."
            raise ApiError(HTTPStatus.TOO_MANY_REQUESTS, RATE_LIMIT, message, {"Retry-After": str(seconds)})
        if wait:
            await asyncio.sleep(wait)
        return key

    async def _find(self, secret: str, *, local: bool) -> ApiKey | None:
        if local and secret == LOCAL:
            secret = ""
        if len(secret) > 200 or not (secret or local):
            return None
        digest = sha256(secret.encode()).digest()
        known = self._known.get(digest)
        if known is None or known.until < time.monotonic():
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            key = await database_sync_to_async(key_of)(secret) if secret else await _local_key()
            known = self._known[digest] = _Known(key, time.monotonic() + SECONDS_REMEMBERED)
        return known.key


_local_key = database_sync_to_async(local_key)

known_keys = KnownKeys()
"""Those of this process, for REST and the socket: both count against one limit."""


def _unauthorized() -> ApiError:
    message = (
        "The header X-API-Key is missing, or no key in use has this value. Who runs this server makes one:"
        " manage.py api_key NAME, or manage.py arena --key VALUE for the value that your agent has."
    )
    return ApiError(HTTPStatus.UNAUTHORIZED, UNAUTHORIZED, message, {"WWW-Authenticate": "X-API-Key"})


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
