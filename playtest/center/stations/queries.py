"""Reads of stations and of who sits at them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet, TextChoices

from playtest.center.stations.models import FIRST_OF_REHEARSALS, Station, StationPresence
from playtest.center.stations.presence import connected_since
from playtest.play.clock import machine_now
from playtest.play.models import Session


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
    for one in sorted(stations(), key=lambda one: (one.station.room, one.state == StationState.RETIRED)):
        found.setdefault(one.station.room, []).append(one)
    return found


def rooms() -> list[str]:
    """The rooms of the center with a station in use, by name."""
    used = Station.objects.filter(number__lt=FIRST_OF_REHEARSALS, retired_at=None)
    return list(used.order_by("room").values_list("room", flat=True).distinct())


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
