"""Telling a participant's open page that something about their session was changed elsewhere."""

import logging
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

UNREACHABLE = (RedisError, OSError)
"""What the channel layer raises while its Redis is away."""
CHANGED = "sitting.changed"
OPENED = "sitting.opened"


def group(session_id: int) -> str:
    return f"session-{session_id}"


def changed_after_commit(session_id: int) -> None:
    """Make the page look again, once the running transaction is committed."""
    transaction.on_commit(lambda: _send(group(session_id), {"type": CHANGED}))


def _send(name: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None, "settings always name a channel layer"
    try:
        async_to_sync(layer.group_send)(name, message)
    except UNREACHABLE as error:  # the change is made: the page sees it at its next message
        logger.error("an open page was not told that its session changed: %s", error)
