"""Limits on how often something may be tried, counted in the cache that all processes share."""

from django.core.cache import cache
from redis.exceptions import RedisError


class CounterUnavailable(Exception):
    """The cache cannot be reached, so tries cannot be counted."""


def allow(key: str, limit: int, seconds: int) -> bool:
    """Counts one try under `key`; False if it is more than `limit` in a window of `seconds`.

    Raises CounterUnavailable.
    """
    name = f"limit:{key}"
    try:
        cache.add(name, 0, timeout=seconds)
        return bool(cache.incr(name) <= limit)
    except ValueError:  # the window closed between the two calls
        cache.set(name, 1, timeout=seconds)
        return True
    except (RedisError, OSError) as error:
        raise CounterUnavailable(str(error)) from error
