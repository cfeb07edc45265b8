"""Which idle stations are connected: rows that every serving process writes for its own connections.

A station is ready while its page is connected. A process stores the pages that came and went at most once in
CHANGES_SECONDS, and once in BEAT_SECONDS, in one statement, that all of its pages are still connected; so a
whole room that reconnects costs a few writes, and a station whose process was killed is not ready after
FORGOTTEN_AFTER. Times are the machine's.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db.models import Value
from django.db.models.functions import Coalesce

from playtest.center.stations.models import StationPresence
from playtest.play.clock import machine_now

CHANGES_SECONDS = 0.5
BEAT_SECONDS = 15.0
FORGOTTEN_AFTER = timedelta(seconds=45)


def store(arrived: Mapping[int, str], left: Collection[str]) -> None:
    """Stores the pages that have connected, by station, and those that are gone.

    A page replaces an earlier one of the same station; nothing happens when a replaced page goes.
    """
    moment = machine_now()
    StationPresence.objects.bulk_create(
        [
            StationPresence(station_id=pk, connection=connection, connected_at=moment, seen_at=moment)
            for pk, connection in arrived.items()
        ],
        update_conflicts=True,
        unique_fields=["station"],
        update_fields=["connection", "connected_at", "seen_at"],
    )
    if left:
        gone = StationPresence.objects.filter(connection__in=left)
        gone.update(connected_at=None, seen_at=moment)


def seen(station_ids: Collection[int]) -> None:
    """The pages of these stations are connected to this process."""
    moment = machine_now()
    StationPresence.objects.filter(pk__in=station_ids).update(
        seen_at=moment, connected_at=Coalesce("connected_at", Value(moment))
    )


def connected_stations(moment: datetime) -> set[int]:
    """The numbers of the stations whose page is connected at this moment."""
    rows = StationPresence.objects.filter(connected_at__isnull=False, seen_at__gte=moment - FORGOTTEN_AFTER)
    return {*rows.values_list("station__number", flat=True)}


def connected_since(presence: StationPresence | None, moment: datetime) -> datetime | None:
    """Since when a station's page is connected at this moment; None if it is not."""
    if presence is None or presence.connected_at is None or moment - presence.seen_at > FORGOTTEN_AFTER:
        return None
    return presence.connected_at
