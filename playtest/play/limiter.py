"""A limit on how often something may be tried, kept in the cache that all processes share."""

import logging

from django.core.cache import cache
from redis.exceptions import RedisError

from playtest.play.errors import Refusal

logger = logging.getLogger(__name__)


def allow(key: str, limit: int, seconds: int) -> bool:
    """Count one try under `key`; False when it is more than `limit` in a window of `seconds`.

    Refusal 503: service_unavailable, while the cache cannot be reached: nothing is tried uncounted.
    """
    try:
        return _counted(f"limit:{key}", seconds) <= limit
    except (RedisError, OSError) as error:
        logger.error("tries cannot be counted, so nobody can check in: %s", error)
        message = "This does not work at the moment. Please tell a member of staff."
        raise Refusal("service_unavailable", message, status=503) from error


def _counted(name: str, seconds: int) -> int:
    cache.add(name, 0, timeout=seconds)
    try:
        return int(cache.incr(name))
    except ValueError:  # the window closed between the two calls
        cache.set(name, 1, timeout=seconds)
        return 1
