"""A limit on how often something may be tried, kept in the cache that all processes share."""

from django.core.cache import cache


def allow(key: str, limit: int, seconds: int) -> bool:
    """Count one try under `key`; False when it is more than `limit` in a window of `seconds`."""
    name = f"limit:{key}"
    cache.add(name, 0, timeout=seconds)
    try:
        return bool(cache.incr(name) <= limit)
    except ValueError:  # the window closed between the two calls
        cache.set(name, 1, timeout=seconds)
        return True
