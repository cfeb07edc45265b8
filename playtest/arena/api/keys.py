"""The key of a request, remembered for a few seconds; its limit, and how many requests it makes a day.

Requests are counted in this process, which costs an action nothing. Several processes count for themselves:
with n of them a key may reach n times its limit, less where requests come back to the same process (see the
cookie in `application`).
"""

import asyncio
import logging
import math
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from datetime import UTC, date
from hashlib import sha256
from http import HTTPStatus

from channels.db import database_sync_to_async
from django.db import DatabaseError

from playtest.arena.api.http import RATE_LIMIT, UNAUTHORIZED, ApiError
from playtest.arena.models import ApiKey
from playtest.arena.runs.keys import count_requests, key_of
from playtest.play.clock import machine_now

logger = logging.getLogger(__name__)

SECONDS_REMEMBERED = 5.0
_MOST_REMEMBERED = 10_000
WINDOW_SECONDS = 60.0
_ROUNDING = 1e-6  # so that who waits as long as they were told is not refused for a rounding
SECONDS_BETWEEN_STORES = 5.0

type _Day = dict[int, tuple[int, int]]
"""By key (primary key): requests, and requests that were refused for the limit."""


class Window:
    """The requests of one key within the last minute, by any clock that never goes back (seconds)."""

    def __init__(self) -> None:
        self._accepted: deque[float] = deque()

    def seconds_to_wait(self, at: float, most: int) -> int:
        """0 if a request at `at` is accepted, and it counts; else whole seconds after which to try again."""
        accepted = self._accepted
        while accepted and at - accepted[0] >= WINDOW_SECONDS - _ROUNDING:
            accepted.popleft()
        if len(accepted) < most:
            accepted.append(at)
            return 0
        return (
            max(1, math.ceil(accepted[len(accepted) - most] + WINDOW_SECONDS - at - _ROUNDING))
            if most
            else 60
        )


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
    _windows: dict[int, Window] = field(default_factory=dict)
    requests: RequestCounts = field(default_factory=RequestCounts)

    async def key_of(self, secret: str) -> ApiKey:
        """The key with this secret; it counts as a request. ApiError 401, 429."""
        key = await self._find(secret)
        if key is None:
            raise _unauthorized()
        window = self._windows.setdefault(key.pk, Window())
        seconds = window.seconds_to_wait(time.monotonic(), key.per_minute)
        self.requests.add(key.pk, refused=seconds > 0)
        if seconds:
            message = f"This key may make {key.per_minute} requests a minute: try again in {seconds} s."
            raise ApiError(HTTPStatus.TOO_MANY_REQUESTS, RATE_LIMIT, message, {"Retry-After": str(seconds)})
        return key

    async def _find(self, secret: str) -> ApiKey | None:
        if not secret or len(secret) > 200:
            return None
        digest = sha256(secret.encode()).digest()
        known = self._known.get(digest)
        if known is None or known.until < time.monotonic():
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            key = await database_sync_to_async(key_of)(secret)
            known = self._known[digest] = _Known(key, time.monotonic() + SECONDS_REMEMBERED)
        return known.key


known_keys = KnownKeys()
"""Those of this process, for REST and the socket: both count against one limit."""


def _unauthorized() -> ApiError:
    message = "The header X-API-Key is missing, or no key in use has this value."
    return ApiError(HTTPStatus.UNAUTHORIZED, UNAUTHORIZED, message, {"WWW-Authenticate": "X-API-Key"})
