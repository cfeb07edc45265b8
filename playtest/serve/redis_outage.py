"""The channel layer and the cache on Redis, for processes that go on while Redis is away.

Messages then reach the pages of the same process, and what is counted is counted by process. What a page
asked to hear is asked for again once Redis is back. The journal needs neither.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 1.0
"""How long one call may take, and how long none is tried after one has failed."""
_AWAY = (RedisError, OSError, TimeoutError)


class PatientChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """Redis's channel layer whose connections are patient."""

    def _get_layer(self) -> Any:
        loop = asyncio.get_running_loop()
        known = loop in self._layers
        layer = super()._get_layer()
        if not known:
            layer._shards = [_Shard(shard.host, layer) for shard in layer._shards]
        return layer


class _Shard(RedisSingleShardConnection):  # type: ignore[misc]
    """One connection. `_missing` are the channels that Redis has still to be asked for."""

    def __init__(self, host: Any, channel_layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, channel_layer)
        self._missing: set[str] = set()
        self._asking: asyncio.Task[None] | None = None
        self._away_until = 0.0

    async def publish(self, channel: str, message: bytes) -> None:
        if not await self._reaches(super().publish(channel, message)):
            self._receive_message({"channel": channel, "data": message})

    async def subscribe(self, channel: str) -> None:
        if not await self._reaches(super().subscribe(channel)):
            self._missing.add(channel)
            if self._asking is None or self._asking.done():
                self._asking = asyncio.ensure_future(self._ask_again())

    async def unsubscribe(self, channel: str) -> None:
        self._missing.discard(channel)
        if not await self._reaches(super().unsubscribe(channel)):
            self._subscribed_to.discard(channel)

    async def _reaches(self, call: Awaitable[None]) -> bool:
        """Whether Redis took this call; while it is away, calls fail at once."""
        if time.monotonic() < self._away_until:
            call.close()  # type: ignore[attr-defined]
            return False
        try:
            await asyncio.wait_for(call, PATIENCE_SECONDS)
        except _AWAY as error:
            if self._away_until == 0.0:
                logger.error("Redis is away: pages of other processes are not notified: %s", error)
            self._away_until = time.monotonic() + PATIENCE_SECONDS
            return False
        self._away_until = 0.0
        return True

    async def _ask_again(self) -> None:
        while self._missing:
            await asyncio.sleep(PATIENCE_SECONDS)
            for channel in list(self._missing):
                if not await self._reaches(super().subscribe(channel)):
                    break
                self._missing.discard(channel)


def _patient(name: str) -> Any:
    """A method of Redis's cache that the process's own cache answers while Redis is away."""

    def call(self: "PatientCache", *args: Any, **named: Any) -> Any:
        return self.try_redis(name, *args, **named)

    return call


class PatientCache(RedisCache):
    """Redis's cache, and a cache of this process while Redis is away."""

    add, get, get_many = _patient("add"), _patient("get"), _patient("get_many")
    set, set_many = _patient("set"), _patient("set_many")
    touch, delete, incr = _patient("touch"), _patient("delete"), _patient("incr")

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("while Redis is away", params)
        self._away_until = 0.0

    def clear(self) -> None:
        """Removes what this cache stored; Redis holds the broker's queues as well."""
        client = self._cache.get_client(write=True)
        for key in client.scan_iter(f"{self.make_key('*')}"):
            client.delete(key)
        self._own.clear()

    def try_redis(self, name: str, *args: Any, **named: Any) -> Any:
        """What Redis answers, or while it is away the cache of this process."""
        if time.monotonic() >= self._away_until:
            try:
                found = getattr(RedisCache, name)(self, *args, **named)
            except _AWAY as error:
                if self._away_until == 0.0:
                    logger.error("Redis is away: this process counts and stores for itself: %s", error)
                self._away_until = time.monotonic() + PATIENCE_SECONDS
            else:
                self._away_until = 0.0
                return found
        return getattr(self._own, name)(*args, **named)
