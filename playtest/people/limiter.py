"""A limit on how often something may be tried, kept in the cache that all processes share."""

from django.core.cache import cache
from redis.exceptions import RedisError


class Uncounted(Exception):
    """The cache cannot be reached: nobody knows how often it was tried."""


def allow(key: str, limit: int, seconds: int) -> bool:
    """Count one try under `key`; False when it is more than `limit` in a window of `seconds`.

    Raises Uncounted.
    """
    name = f"limit:{key}"
    try:
        cache.add(name, 0, timeout=seconds)
        return bool(cache.incr(name) <= limit)
    except ValueError:  # the window closed between the two calls
        cache.set(name, 1, timeout=seconds)
        return True
    except (RedisError, OSError) as error:
        raise Uncounted(str(error)) from error
