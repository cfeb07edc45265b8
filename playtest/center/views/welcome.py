"""The welcome page: a participant checks in with a code."""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.center.stations.devices import renew_device, station_here
from playtest.center.stations.models import Station
from playtest.center.stations.seating import check_in, take_seat
from playtest.people.access import declares
from playtest.people.addresses import client_address
from playtest.people.rate_limits import allow, take_back
from playtest.people.roles import Audience
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.play.sessions import seats
from playtest.play.sessions.page_content import incentive_before_the_code
from playtest.play.sessions.reads import Stage, stage
from playtest.play.sessions.seats import clear_seat, seated_session, set_seat

TRIES = 60  # a whole room of stations may share one address
WINDOW_SECONDS = 60
LONGEST_CODE = 100
_LEFT_BEHIND = '"cache", "storage"'
"""Cleared at a station before each person. Cookies are not: the device's would go, too."""


@declares(Audience.ANYONE)
@require_http_methods(["GET", "POST"])
@never_cache
def welcome(request: HttpRequest) -> HttpResponse:
    """Asks for the code; a browser whose session is open, or whose station's is, is sent to it."""
    session = seated_session(request)
    if session is not None and stage(session, now()) != Stage.OVER:
        return redirect("play:sitting")
    station = station_here(request)
    if request.method == "GET":
        seat = take_seat(station) if station else None
        return _seated(request, *seat) if seat else _page(request, station)
    try:
        return _seated(request, *_check_in(request, station))
    except Refusal as refusal:
        return _page(request, station, refusal)


def _check_in(request: HttpRequest, station: Station | None) -> tuple[Session, str]:
    """Only what was refused stays counted, so any number of people may check in at one address.

    A station has tries of its own: guesses elsewhere at its address never keep it from checking in.
    """
    source = client_address(request) if station is None else f"station-{station.number}"
    key = f"check-in:{source}"
    count_try(key)
    seated = check_in(request.POST.get("code", "")[:LONGEST_CODE], station)
    take_back(key)
    return seated


def count_try(key: str) -> None:
    """Count one try of a code. Refusal: too_many_tries (429)."""
    if not allow(key, TRIES, WINDOW_SECONDS):
        raise Refusal(
            "too_many_tries",
            "Too many codes were tried here. Please wait a minute, or ask a member of staff.",
            status=429,
        )


def _seated(request: HttpRequest, session: Session, token: str) -> HttpResponse:
    response = redirect("play:sitting")
    set_seat(response, session, token)
    rotate_token(request)  # no two people at a station have the same
    return response


def _page(request: HttpRequest, station: Station | None, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "refusal": refusal,
        "code": request.POST.get("code", "")[:LONGEST_CODE],
        "station": station,
        "incentive": incentive_before_the_code(),
    }
    response = render(request, "center/welcome.html", context, status=refusal.status if refusal else 200)
    if seats.COOKIE in request.COOKIES:
        clear_seat(response)  # of a session that is over
    if station is not None:
        renew_device(request, response)
        response["Clear-Site-Data"] = _LEFT_BEHIND
    return response
