"""Sessions of simulated people: creating and ending them."""

from collections.abc import Sequence

from django.db import transaction
from django.http import HttpResponse

from playtest.center import stations
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.queries import candidates
from playtest.play.services.limits import end_session_if_over
from playtest.play.services.remaining import STUDY_FULL
from playtest.play.services.sessions import create_session, end_session
from playtest.rehearsal.people import Person
from playtest.rehearsal.session import Seat


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
    """Creates a session for each person, at stations 1, 2, ...; none if the study is full.

    Refusal: not_a_rehearsal, study_closed.
    """
    _check_rehearsal(study)
    try:
        with transaction.atomic():
            return [_seat(study, person, station) for station, person in enumerate(people, start=1)]
    except Refusal as refusal:
        if refusal.code != STUDY_FULL:
            raise
        return []


def _seat(study: Study, person: Person, station: int) -> Seat:
    session, code = create_session(study, new_participant(simulated=True), None)
    return Seat(person, session.pk, code, _station_cookie(station))


def _station_cookie(number: int) -> str:
    """The cookie of the browser at this station."""
    response = HttpResponse()
    stations.set_station(response, number)
    return response.cookies[stations.COOKIE].value


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
