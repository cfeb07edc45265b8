"""What else is in Redis stays when the cache is cleared, above all the queues of the broker."""

import pytest
from django.conf import settings
from django.core.cache import caches
from redis import Redis


@pytest.mark.postgresql
def test_clearing_the_cache_leaves_the_queues() -> None:
    redis, name = Redis.from_url(settings.REDIS_URL), f"{settings.REDIS_PREFIX}:queue"
    redis.rpush(name, b"a task")
    caches["default"].set_many({"one": 1, "two": 2})
    caches["default"].clear()
    assert caches["default"].get_many(["one", "two"]) == {}
    assert redis.lrange(name, 0, -1) == [b"a task"]
    redis.delete(name)
