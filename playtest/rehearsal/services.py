"""Sessions of simulated people: creating and ending them."""

from collections.abc import Sequence

from django.db import transaction

from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.limits import end_session_if_over
from playtest.play.sessions.locks import locked_study
from playtest.play.sessions.quota import STUDY_FULL, candidates, places_of
from playtest.play.sessions.services import create_session, end_session
from playtest.rehearsal.people import Person
from playtest.rehearsal.seat import Seat
from playtest.rehearsal.stations import give_back, take_stations


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


def leave_stations(seats: Sequence[Seat]) -> None:
    """Makes the stations of a group free for another rehearsal."""
    give_back([seat.station for seat in seats])
