"""The key of a request, remembered for a few seconds, and its limit."""

import time
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus

from channels.db import database_sync_to_async

from playtest.arena.api.errors import RATE_LIMIT, UNAUTHORIZED, ApiError
from playtest.arena.api.limits import Window
from playtest.arena.api.request_counts import RequestCounts
from playtest.arena.models import ApiKey
from playtest.arena.queries.keys import key_of

SECONDS_REMEMBERED = 5.0
_MOST_REMEMBERED = 10_000


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
