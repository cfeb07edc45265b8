"""The `station` cookie: the device token that ties a browser to a station."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from playtest.center.stations.models import Station
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
