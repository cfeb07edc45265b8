"""Reads of stations, of who sits at them, and of which are connected.

A station is ready while its page is connected. A process stores the pages that came and went at most once in
CHANGES_SECONDS, and once in BEAT_SECONDS, in one statement, that all of its pages are still connected; so a
whole room that reconnects costs a few writes, and a station whose process was killed is not ready after
FORGOTTEN_AFTER. Times are the machine's.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet, TextChoices, Value
from django.db.models.functions import Coalesce

from playtest.center.stations.models import FIRST_OF_REHEARSALS, Station, StationPresence
from playtest.play.clock import machine_now
from playtest.play.models import Session
from playtest.rules.text import name_order

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


class StationState(TextChoices):
    IN_USE = "in_use", "in use"
    READY = "ready", "ready"
    OFFLINE = "offline", "not connected"
    UNREGISTERED = "unregistered", "no browser registered"
    RETIRED = "retired", "out of use"


@dataclass(frozen=True)
class StationNow:
    """A station at one moment: the session that is open at it, and since when its idle page is connected."""

    station: Station
    state: StationState
    session: Session | None
    connected_since: datetime | None
    last_seen_at: datetime | None


def session_at(number: int) -> Session | None:
    """The session that is open at a station: checked in, not ended, its seat not void by a new code."""
    return _seated().filter(station=number).order_by("-code_used_at", "-pk").first()


def sessions_at(numbers: Collection[int]) -> dict[int, Session]:
    """The open session of each of these stations that has one."""
    found = _seated().filter(station__in=numbers).order_by("code_used_at", "pk")
    return {session.station: session for session in found if session.station is not None}


def stations(room: str | None = None) -> list[StationNow]:
    """All stations of the center, or of one room, by number; without those of rehearsals."""
    of_center = Station.objects.filter(number__lt=FIRST_OF_REHEARSALS).select_related("presence")
    chosen = list((of_center if room is None else of_center.filter(room=room)).order_by("number"))
    seated = sessions_at([station.number for station in chosen])
    moment = machine_now()
    return [_now(station, seated.get(station.number), moment) for station in chosen]


def station_now(station: Station) -> StationNow:
    """One station as it is now."""
    return _now(station, session_at(station.number), machine_now())


def by_room() -> dict[str, list[StationNow]]:
    """The stations of the center, room by room; retired ones last within their room."""
    found: dict[str, list[StationNow]] = {}
    last = StationState.RETIRED
    for one in sorted(stations(), key=lambda one: (name_order(one.station.room), one.state == last)):
        found.setdefault(one.station.room, []).append(one)
    return found


def rooms() -> list[str]:
    """The rooms of the center with a station in use, by name."""
    used = Station.objects.filter(number__lt=FIRST_OF_REHEARSALS, retired_at=None)
    return sorted(used.values_list("room", flat=True).distinct(), key=name_order)


def _now(station: Station, session: Session | None, moment: datetime) -> StationNow:
    presence: StationPresence | None = getattr(station, "presence", None)
    since = connected_since(presence, moment)
    return StationNow(
        station, _state(station, session, since), session, since, presence.seen_at if presence else None
    )


def _state(station: Station, session: Session | None, since: datetime | None) -> StationState:
    if station.retired_at:
        return StationState.RETIRED
    if session is not None:
        return StationState.IN_USE
    if not station.registered:
        return StationState.UNREGISTERED
    return StationState.READY if since else StationState.OFFLINE


def _seated() -> QuerySet[Session]:
    found = Session.objects.filter(ended_at=None, checked_in_at__isnull=False).exclude(seat_hash="")
    return found.select_related("study", "participant", "protocol")
