"""Sessions of simulated people and their stations, in a room and with numbers the center does not use."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from playtest.center.stations.devices import cookie_value
from playtest.center.stations.models import FIRST_OF_REHEARSALS, MOST_NUMBER, REHEARSAL_ROOM, Station
from playtest.center.stations.queries import sessions_at
from playtest.people.services import new_participant
from playtest.play.clock import machine_now, now
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session, end_session_if_over
from playtest.play.sessions.locks import locked_study
from playtest.play.sessions.quota import STUDY_FULL, candidates, places_of
from playtest.play.sessions.seats import hashed, new_token
from playtest.play.sessions.services import create_session
from playtest.rehearsal.people.person import Person


@dataclass(frozen=True)
class Seat:
    """A person with a session, its code, and the cookie of a station; "" until the person has come."""

    person: Person
    session: int
    code: str
    station: str = ""


class Breakdown:
    """A station that stops working in the middle of play.

    `happened` is set then; the person continues at the station whose cookie is the result of `station`.
    """

    def __init__(self, after_actions: int) -> None:
        self.after_actions = after_actions
        self.happened = asyncio.Event()
        self.station: asyncio.Future[str] = asyncio.get_running_loop().create_future()


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


def give_back(cookies: Iterable[str]) -> None:
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


def check(study: Study) -> None:
    """Refuses studies that are not rehearsals, or in which nothing is left to play.

    Refusal: not_a_rehearsal, study_full.
    """
    _check_rehearsal(study)
    target = study.protocol.acceptance.people
    if all(candidate.people >= target for candidate in candidates(study)):
        raise Refusal(
            STUDY_FULL,
            f"Every environment of {study.name} has its target of {target}: nobody would find"
            " anything left to play. Raise the study's people per environment, or make another rehearsal.",
        )


def _check_rehearsal(study: Study) -> None:
    if not study.rehearsal:
        raise Refusal(
            "not_a_rehearsal",
            f"{study.name} is not a rehearsal, so simulated people must not play in it. Choose a rehearsal.",
        )


def seat(study: Study, people: Sequence[Person]) -> list[Seat]:
    """Creates sessions for the first people, as many as the study has places for, each at its own station.

    Refusal: not_a_rehearsal, study_closed, no_free_station.
    """
    _check_rehearsal(study)
    with transaction.atomic():
        locked_study(study.pk)
        served = people[: places_of(study).left]
        cookies = take_stations(len(served))
        return [_seat(study, person, cookie) for person, cookie in zip(served, cookies, strict=True)]


def _seat(study: Study, person: Person, station: str) -> Seat:
    session, code = create_session(study, new_participant(simulated=True), None, has_place=True)
    return Seat(person, session.pk, code, station)


def end_refused(seats: Sequence[Seat]) -> None:
    """Ends the sessions of people whom the welcome page refused."""
    ids = [seat.session for seat in seats]
    for session in Session.objects.filter(pk__in=ids, checked_in_at__isnull=True, ended_at__isnull=True):
        end_session(session, SessionEnd.NOTHING_LEFT)


def end_abandoned(seats: Sequence[Seat]) -> None:
    """Ends the sessions of people who walked out, as the sweep does; their time must be over."""
    left = Session.objects.filter(pk__in=[seat.session for seat in seats], ended_at__isnull=True)
    for session in left.select_related("study", "participant", "protocol"):
        end_session_if_over(session, now())
