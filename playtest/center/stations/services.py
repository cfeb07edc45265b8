"""Stations: creates and retires them, and registers browsers as stations."""

import logging
import random
from datetime import timedelta

from django.db import IntegrityError, transaction

from playtest.center.stations.devices import notify_after_commit
from playtest.center.stations.models import FIRST_OF_REHEARSALS, Station
from playtest.center.stations.queries import session_at
from playtest.people.models import Staff
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.play.sessions.seats import hashed, new_token
from playtest.rules.codes import new_code, normalise
from playtest.rules.errors import RuleError

logger = logging.getLogger(__name__)

CODE_LIFETIME = timedelta(hours=24)
MOST_AT_ONCE = 200
_OF_STATION = "station:"
"""Part of what is hashed: a registration code is never equal to the code of a session."""


def create_stations(room: str, first: int, count: int, staff: Staff | None) -> list[Station]:
    """Create `count` stations with the numbers from `first` on.

    Refusal: room_missing, number_invalid, number_taken. None is created then.
    """
    room = _room(room)
    last = first + count - 1
    if not 0 < first <= last < FIRST_OF_REHEARSALS or count > MOST_AT_ONCE:
        raise Refusal(
            "number_invalid",
            f"Stations have numbers from 1 to {FIRST_OF_REHEARSALS - 1}, at most {MOST_AT_ONCE} at once.",
        )
    numbers = range(first, last + 1)
    try:
        with transaction.atomic():
            made = [Station.objects.create(number=number, room=room, created_by=staff) for number in numbers]
            _log(staff, f"stations {first} to {last} created in {room!r}")
            return made
    except IntegrityError as error:
        taken = Station.objects.filter(number__in=numbers).order_by("number").values_list("number", flat=True)
        listed = ", ".join(map(str, taken))
        raise Refusal("number_taken", f"These numbers are taken: {listed}. Choose others.") from error


def new_registration_code(station: Station, staff: Staff | None = None) -> str:
    """Replace the registration code of a station; its browser is a station no longer.

    A session at this station goes on in the browser that holds its seat. Refusal: station_retired.
    """
    with transaction.atomic():
        station = _locked(station)
        code, station.code_hash = _unused_code()
        station.code_expires_at = machine_now() + CODE_LIFETIME
        station.token_hash, station.registered_at = "", None
        station.save(update_fields=["code_hash", "code_expires_at", "token_hash", "registered_at"])
        notify_after_commit(station.number)
        _log(staff, f"station {station.number} has a new registration code")
    return code


def codes_of_room(room: str, staff: Staff | None = None) -> list[tuple[Station, str]]:
    """A new registration code for each station of a room that no browser is registered as."""
    with transaction.atomic():
        waiting = Station.objects.filter(room=room, retired_at=None, token_hash="").order_by("number")
        return [(station, new_registration_code(station, staff)) for station in waiting]


def register(code_text: str) -> tuple[Station, str]:
    """Register a browser with a registration code; returns the station and the new device token.

    Refusal: code_malformed, code_unknown, code_expired, station_retired.
    """
    try:
        code = normalise(code_text)
    except RuleError as error:
        raise Refusal(error.code, error.message, status=400) from error
    with transaction.atomic():
        station = Station.objects.select_for_update().filter(code_hash=_hashed(code)).first()
        if station is None:
            raise Refusal("code_unknown", "No station has this registration code, or it has been used.")
        if station.code_expires_at is None or machine_now() >= station.code_expires_at:
            raise Refusal("code_expired", "This registration code has expired. Create a new one.")
        if station.retired_at:
            raise _retired(station)
        _log(None, f"a browser is registered as station {station.number}")
        return station, _give_token(station)


def describe(station: Station, room: str, notes: str, staff: Staff | None = None) -> None:
    """Store a station's room and notes. Refusal: room_missing."""
    Station.objects.filter(pk=station.pk).update(room=_room(room), notes=notes)
    _log(staff, f"station {station.number} is in room {_room(room)!r}, its notes were stored")


def retire(station: Station, staff: Staff | None = None) -> None:
    """Take a station out of use for good; its number is not used again.

    Refusal: station_retired, station_busy.
    """
    with transaction.atomic():
        station = _locked(station)
        if session_at(station.number) is not None:
            raise Refusal("station_busy", "A session is open at this station. Move or end it first.")
        station.retired_at = machine_now()
        station.token_hash = station.code_hash = ""
        station.save(update_fields=["retired_at", "token_hash", "code_hash"])
        notify_after_commit(station.number)
        _log(staff, f"station {station.number} is out of use")


def _log(staff: Staff | None, change: str) -> None:
    """A line for the log of the server, once the change is committed; it never has a code or a token."""
    by = f"staff {staff.pk}" if staff else "nobody signed in"
    transaction.on_commit(lambda: logger.info("%s, by %s", change, by))


def _give_token(station: Station) -> str:
    token = new_token()
    station.token_hash, station.registered_at = hashed(token), machine_now()
    station.code_hash, station.code_expires_at = "", None
    station.save(update_fields=["token_hash", "registered_at", "code_hash", "code_expires_at"])
    return token


def _locked(station: Station) -> Station:
    station = Station.objects.select_for_update().get(pk=station.pk)
    if station.retired_at:
        raise _retired(station)
    return station


def _retired(station: Station) -> Refusal:
    return Refusal("station_retired", f"Station {station.number} is out of use.")


def _room(name: str) -> str:
    if not (name := name.strip()):
        raise Refusal("room_missing", "Enter the name of the room.")
    return name


def _hashed(code: str) -> str:
    return hashed(_OF_STATION + code)


def _unused_code() -> tuple[str, str]:
    for _ in range(20):
        code = new_code(random.SystemRandom())
        if not Station.objects.filter(code_hash=_hashed(code)).exists():
            return code, _hashed(code)
    raise IntegrityError("twenty random codes were all taken")
