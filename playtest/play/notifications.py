"""Notifies a participant's open page that its session was changed elsewhere."""

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
ANNOUNCED = "sitting.announced"


def group_of(session_id: int) -> str:
    """The name of the channel layer's group for the pages of a session."""
    return f"session-{session_id}"


def notify_after_commit(session_id: int) -> None:
    """Make the page read its session again, once the running transaction is committed."""
    transaction.on_commit(lambda: _send(group_of(session_id), {"type": CHANGED}))


def announce_after_commit(session_id: int, minutes: int) -> None:
    """Make the page say about how many minutes are left, once the running transaction is committed."""
    message = {"type": ANNOUNCED, "minutes": minutes}
    transaction.on_commit(lambda: _send(group_of(session_id), message))


def _send(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None, "settings always name a channel layer"
    try:
        async_to_sync(layer.group_send)(group, message)
    except UNREACHABLE as error:  # the change is made: the page sees it at its next message
        logger.error("an open page was not notified that its session changed: %s", error)
