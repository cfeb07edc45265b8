"""The stations of simulated people: a room of their own, with numbers that the center does not use."""

from datetime import timedelta

from django.db import transaction

from playtest.center.stations.devices import cookie_value
from playtest.center.stations.models import FIRST_OF_REHEARSALS, MOST_NUMBER, REHEARSAL_ROOM, Station
from playtest.center.stations.queries import sessions_at
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.play.sessions.seats import hashed, new_token

_NUMBERS = range(FIRST_OF_REHEARSALS, MOST_NUMBER + 1)
_TAKEN_FOR = timedelta(hours=12)
"""A rehearsal that was killed gives back its stations after this time."""


def take_stations(count: int) -> list[str]:
    """Registers browsers at `count` stations that no other rehearsal has taken; returns their cookies.

    Refusal: no_free_station.
    """
    with transaction.atomic():
        while len(free := _free()) < count:
            _create(count - len(free))
        return [_register(station) for station in free[:count]]


def give_back(cookies: list[str]) -> None:
    """Makes the stations of these cookies free again."""
    numbers = [int(cookie.partition(".")[0]) for cookie in cookies]
    Station.objects.filter(number__in=numbers).update(token_hash="", registered_at=None)


def _free() -> list[Station]:
    """Locks the stations of rehearsals, and returns the free ones by number."""
    known = list(Station.objects.select_for_update().filter(number__in=_NUMBERS).order_by("number"))
    occupied = sessions_at([station.number for station in known])
    return [station for station in known if station.number not in occupied and not _is_taken(station)]


def _is_taken(station: Station) -> bool:
    return station.registered_at is not None and machine_now() - station.registered_at < _TAKEN_FOR


def _create(count: int) -> None:
    """Creates the next stations; another rehearsal may create the same ones at this moment."""
    first = FIRST_OF_REHEARSALS + Station.objects.filter(number__in=_NUMBERS).count()
    if first + count > MOST_NUMBER + 1:
        raise Refusal(
            "no_free_station",
            "Too many stations are taken by rehearsals. Use fewer, or wait until another one has ended.",
        )
    numbers = range(first, first + count)
    Station.objects.bulk_create(
        [Station(number=number, room=REHEARSAL_ROOM) for number in numbers], ignore_conflicts=True
    )


def _register(station: Station) -> str:
    token = new_token()
    station.token_hash, station.registered_at = hashed(token), machine_now()
    station.save(update_fields=["token_hash", "registered_at"])
    return cookie_value(station, token)
