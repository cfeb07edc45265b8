"""The key of a request, remembered for a few seconds; its pace, and how many requests it makes a day.

Requests are counted in this process, which costs an action nothing. Several processes count for themselves:
with n of them a key may reach n times its limit, less where requests come back to the same process (see the
cookie in `application`).
"""

import asyncio
import logging
import math
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date
from hashlib import sha256
from http import HTTPStatus

from channels.db import database_sync_to_async
from django.db import DatabaseError

from playtest.arena.api.http import RATE_LIMIT, UNAUTHORIZED, ApiError
from playtest.arena.models import ApiKey
from playtest.arena.runs.keys import LOCAL, count_requests, key_of, local_key
from playtest.play.clock import machine_now

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
