"""Which idle stations are connected: rows that every serving process writes for its own connections.

A station is ready while its page is connected. A process writes when a page connects and when it is gone, and
once in BEAT_SECONDS one statement for all of its pages; so a station whose process was killed is not ready
after FORGOTTEN_AFTER. Times are the machine's.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Value
from django.db.models.functions import Coalesce

from playtest.center.stations.models import StationPresence
from playtest.play.clock import machine_now

BEAT_SECONDS = 15.0
FORGOTTEN_AFTER = timedelta(seconds=45)


def connected(station_id: int, connection: str) -> None:
    """The page `connection` of a station is connected. It replaces an earlier page of the same station."""
    moment = machine_now()
    StationPresence.objects.update_or_create(
        station_id=station_id,
        defaults={"connection": connection, "connected_at": moment, "seen_at": moment},
    )


def gone(station_id: int, connection: str) -> None:
    """The page `connection` is gone; nothing happens if another page has replaced it."""
    StationPresence.objects.filter(station=station_id, connection=connection).update(
        connected_at=None, seen_at=machine_now()
    )


def seen(station_ids: Collection[int]) -> None:
    """The pages of these stations are connected to this process."""
    moment = machine_now()
    StationPresence.objects.filter(pk__in=station_ids).update(
        seen_at=moment, connected_at=Coalesce("connected_at", Value(moment))
    )


def connected_since(presence: StationPresence | None, moment: datetime) -> datetime | None:
    """Since when a station's page is connected at this moment; None if it is not."""
    if presence is None or presence.connected_at is None or moment - presence.seen_at > FORGOTTEN_AFTER:
        return None
    return presence.connected_at
