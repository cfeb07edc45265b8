"""Notifies a participant's open page that its session was changed elsewhere."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)

UNREACHABLE: tuple[type[Exception], ...] = (OSError,)
"""What the channel layer raises while its Redis is away."""
if settings.REDIS_URL:  # to import it takes a twentieth of a server's start
    from redis.exceptions import RedisError

    UNREACHABLE += (RedisError,)
CHANGED = "session.changed"
OPENED = "session.opened"
ANNOUNCED = "session.announced"

_loop: asyncio.AbstractEventLoop | None = None


def group_of(session_id: int) -> str:
    """The name of the channel layer's group for the pages of a session."""
    return f"session-{session_id}"


def group_of_internal_play(attempt_id: int) -> str:
    """The same for the pages of an internal play."""
    return f"internal-play-{attempt_id}"


def notify_internal_play_after_commit(attempt_id: int) -> None:
    """Make the pages of an internal play read it again, once the running transaction is committed."""
    transaction.on_commit(lambda: send([group_of_internal_play(attempt_id)], {"type": CHANGED}))


def notify_after_commit(*sessions: int) -> None:
    """Make the pages read their sessions again, once the running transaction is committed."""
    _send_after_commit(sessions, {"type": CHANGED})


def announce_after_commit(sessions: Collection[int], minutes: int) -> None:
    """Make the pages say about how many minutes are left, once the running transaction is committed."""
    _send_after_commit(sessions, {"type": ANNOUNCED, "minutes": minutes})


def listen() -> None:
    """Say that this process's running loop has its pages."""
    global _loop
    _loop = asyncio.get_running_loop()


def notify_from_thread_after_commit(sessions: Sequence[int]) -> None:
    """As `notify_after_commit`, from a thread that no loop waits for; only where pages are open."""
    groups = [group_of(session) for session in sessions]
    transaction.on_commit(lambda: _send_in_loop(groups, {"type": CHANGED}))


def _send_after_commit(sessions: Collection[int], message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: send([group_of(session) for session in sessions], message))


def send(groups: Sequence[str], message: dict[str, Any]) -> None:
    """Send to all groups, from a thread: in the loop of this process's pages, else in one loop for all.

    A request whose client goes away while it waits in `async_to_sync` is left with an executor that has quit,
    and what ends the request fails: in a process with pages nothing waits for the messages.
    """
    if not _send_in_loop(groups, message):
        async_to_sync(_send_to_all)(groups, message)


def _send_in_loop(groups: Sequence[str], message: dict[str, Any]) -> bool:
    if _loop is None or not _loop.is_running():
        return False
    asyncio.run_coroutine_threadsafe(_send_to_all(groups, message), _loop)
    return True


async def _send_to_all(groups: Sequence[str], message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None, "settings always name a channel layer"
    try:
        for group in groups:
            await layer.group_send(group, message)
    except UNREACHABLE as error:  # the change is made: the page sees it at its next message
        logger.error("open pages were not notified that something changed: %s", error)
