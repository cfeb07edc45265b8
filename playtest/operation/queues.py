"""How many calls of tasks wait in each queue of the broker."""

from pathlib import Path

import redis
from django.conf import settings
from redis.exceptions import RedisError

QUEUES = ("celery", "exports", "imports", "studio")
_SECONDS = 1.0


def queue_lengths() -> dict[str, int] | None:
    """The waiting calls by queue; None if the broker cannot be reached."""
    return _in_redis() if settings.REDIS_URL else _in_folder()


def _in_redis() -> dict[str, int] | None:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=_SECONDS, socket_timeout=_SECONDS
    )
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    try:
        with client, client.pipeline(transaction=False) as pipeline:
            for queue in QUEUES:
                pipeline.llen(f"{prefix}{queue}")
            return dict(zip(QUEUES, pipeline.execute(), strict=True))
    except (RedisError, OSError):
        return None


def _in_folder() -> dict[str, int]:
    """Messages are files whose names end with their queue's (`playtest.serve.broker`)."""
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    names = [path.name for path in folder.glob("*.msg")]
    return {queue: sum(name.endswith(f".{queue}.msg") for name in names) for queue in QUEUES}
