"""Notifies a participant's open page that its session was changed elsewhere."""

import logging
from collections.abc import Collection, Sequence
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


def notify_after_commit(*sessions: int) -> None:
    """Make the pages read their sessions again, once the running transaction is committed."""
    _send_after_commit(sessions, {"type": CHANGED})


def announce_after_commit(sessions: Collection[int], minutes: int) -> None:
    """Make the pages say about how many minutes are left, once the running transaction is committed."""
    _send_after_commit(sessions, {"type": ANNOUNCED, "minutes": minutes})


def _send_after_commit(sessions: Collection[int], message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: _send([group_of(session) for session in sessions], message))


def _send(groups: Sequence[str], message: dict[str, Any]) -> None:
    """Send to all groups in one loop, with one connection: a room's worth of loops takes seconds."""
    layer = get_channel_layer()
    assert layer is not None, "settings always name a channel layer"

    async def send() -> None:
        for group in groups:
            await layer.group_send(group, message)

    try:
        async_to_sync(send)()
    except UNREACHABLE as error:  # the change is made: the page sees it at its next message
        logger.error("open pages were not notified that their sessions changed: %s", error)
