"""Limits on how often something may be tried, counted in the cache that all processes share."""

import contextlib

from django.core.cache import cache


def allow(key: str, limit: int, seconds: int) -> bool:
    """Counts one try under `key`; False if it is more than `limit` in a window of `seconds`.

    While Redis is away each process counts for itself (`playtest.serve.redis_outage`).
    """
    name = f"limit:{key}"
    try:
        cache.add(name, 0, timeout=seconds)
        return bool(cache.incr(name) <= limit)
    except ValueError:  # the window closed between the two calls
        cache.set(name, 1, timeout=seconds)
        return True


def take_back(key: str) -> None:
    """Takes back one try that `allow` counted, if its window is still open."""
    with contextlib.suppress(ValueError):
        cache.decr(f"limit:{key}")
