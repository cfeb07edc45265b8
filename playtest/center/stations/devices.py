"""A station's browser: the cookie with its device token, and the notice that something changed for it."""

from collections.abc import Mapping

from django.db import transaction
from django.http import HttpRequest, HttpResponse

from playtest.center.stations.models import Station
from playtest.people.cookies import set_own_cookie
from playtest.play.sessions import notifications
from playtest.play.sessions.seats import matches
from playtest.rules.text import whole_number

COOKIE = "station"
_LIFETIME_SECONDS = 400 * 24 * 60 * 60  # browsers keep no cookie longer


def cookie_value(station: Station, token: str) -> str:
    return f"{station.number}.{token}"


def set_device(response: HttpResponse, value: str) -> None:
    """Stores the cookie's value in the browser, for another 400 days."""
    set_own_cookie(response, COOKIE, value, seconds=_LIFETIME_SECONDS)


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


CHANGED = "station.changed"


def group_of(number: int) -> str:
    """The name of the channel layer's group for the pages of a station."""
    return f"station-{number}"


def notify_after_commit(number: int) -> None:
    """Make the station's page load again, once the running transaction is committed."""
    transaction.on_commit(lambda: notifications.send([group_of(number)], {"type": CHANGED}))
