"""Notifies the open page of an idle station that something changed for it."""

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from playtest.play.sessions.notifications import UNREACHABLE

logger = logging.getLogger(__name__)

CHANGED = "station.changed"


def group_of(number: int) -> str:
    """The name of the channel layer's group for the pages of a station."""
    return f"station-{number}"


def notify_after_commit(number: int) -> None:
    """Make the station's page load again, once the running transaction is committed."""
    transaction.on_commit(lambda: _send(number))


def _send(number: int) -> None:
    layer = get_channel_layer()
    assert layer is not None, "settings always name a channel layer"
    try:
        async_to_sync(layer.group_send)(group_of(number), {"type": CHANGED})
    except UNREACHABLE as error:  # the change is made: the page sees it when it connects again
        logger.error("the page of a station was not notified that it changed: %s", error)
