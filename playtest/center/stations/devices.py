"""A station's browser: the cookie with its device token, and the notice that something changed for it."""

import logging
from collections.abc import Mapping

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from playtest.center.stations.models import Station
from playtest.play.sessions.notifications import UNREACHABLE
from playtest.play.sessions.seats import matches
from playtest.rules.text import whole_number

COOKIE = "station"
_LIFETIME_SECONDS = 400 * 24 * 60 * 60  # browsers keep no cookie longer


def cookie_value(station: Station, token: str) -> str:
    return f"{station.number}.{token}"


def set_device(response: HttpResponse, value: str) -> None:
    """Stores the cookie's value in the browser, for another 400 days."""
    response.set_cookie(
        COOKIE,
        value,
        max_age=_LIFETIME_SECONDS,
        httponly=True,
        samesite="Strict",
        secure=settings.HTTPS,
    )


def renew_device(request: HttpRequest, response: HttpResponse) -> None:
    """Stores the cookie that came with the request for another 400 days."""
    set_device(response, request.COOKIES[COOKIE])


def station_of_cookie(cookies: Mapping[str, str]) -> Station | None:
    """The station whose current device token the cookie holds; None if there is none or it is retired."""
    text, _, token = cookies.get(COOKIE, "").partition(".")
    if (number := whole_number(text)) is None:
        return None
    station = Station.objects.filter(number=number, retired_at=None).first()
    return station if station is not None and matches(token, station.token_hash) else None


def station_here(request: HttpRequest) -> Station | None:
    """The station that this browser is registered as."""
    return station_of_cookie(request.COOKIES)


logger = logging.getLogger(__name__)

CHANGED = "station.changed"


def group_of(number: int) -> str:
    """The name of the channel layer's group for the pages of a station."""
    return f"station-{number}"


def notify_after_commit(number: int) -> None:
    """Make the station's page load again, once the running transaction is committed."""
    transaction.on_commit(lambda: _send(number))


def _send(number: int) -> None:
    layer = get_channel_layer()
    assert layer is not None, "settings always name a channel layer"
    try:
        async_to_sync(layer.group_send)(group_of(number), {"type": CHANGED})
    except UNREACHABLE as error:  # the change is made: the page sees it when it connects again
        logger.error("the page of a station was not notified that it changed: %s", error)
