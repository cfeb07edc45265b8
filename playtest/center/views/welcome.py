"""The welcome page: a participant checks in with a code."""

import logging

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.center.stations import station_number
from playtest.people.addresses import client_address
from playtest.people.rate_limits import CounterUnavailable, allow
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.play.queries import Stage, stage
from playtest.play.seats import seated_session, set_seat
from playtest.play.services.sessions import check_in

logger = logging.getLogger(__name__)

TRIES = 60  # a whole room of stations may share one address
WINDOW_SECONDS = 60
LONGEST_CODE = 100


@require_http_methods(["GET", "POST"])
@never_cache
def welcome(request: HttpRequest) -> HttpResponse:
    """Asks for the code; a browser that has a seat is sent to its session."""
    session = seated_session(request)
    if session is not None and stage(session, now()) != Stage.OVER:
        return redirect("play:sitting")
    if request.method == "GET":
        return _page(request)
    try:
        session, token = _take_seat(request)
    except Refusal as refusal:
        return _page(request, refusal)
    response = redirect("play:sitting")
    set_seat(response, session, token)
    return response


def _take_seat(request: HttpRequest) -> tuple[Session, str]:
    if not _may_try(client_address(request)):
        raise Refusal(
            "too_many_tries",
            "Too many codes were tried here. Please wait a minute, or ask a member of staff.",
            status=429,
        )
    return check_in(request.POST.get("code", "")[:LONGEST_CODE], station_number(request))


def _may_try(address: str) -> bool:
    """Whether one more try is allowed. Refusal service_unavailable (503) if tries cannot be counted."""
    try:
        return allow(f"check-in:{address}", TRIES, WINDOW_SECONDS)
    except CounterUnavailable as error:
        logger.error("The tries of codes cannot be counted, so nobody can check in: %s", error)
        message = "Checking in does not work at the moment. Please tell a member of staff."
        raise Refusal("service_unavailable", message, status=503) from error


def _page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "refusal": refusal,
        "code": request.POST.get("code", "")[:LONGEST_CODE],
        "station": station_number(request),
    }
    return render(request, "center/welcome.html", context, status=refusal.status if refusal else 200)
