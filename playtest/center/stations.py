"""A browser's station number: a signed cookie that staff set once on each machine."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE = "station"
MOST_STATIONS = 999
_LIFETIME_SECONDS = 400 * 24 * 60 * 60  # browsers keep no cookie longer


def station_number(request: HttpRequest) -> int | None:
    """This browser's station number; None if staff have not set one or the signature is wrong."""
    number = request.get_signed_cookie(COOKIE, default="", salt=COOKIE)
    return int(number) if number else None


def set_station(response: HttpResponse, number: int) -> None:
    response.set_signed_cookie(
        COOKIE,
        str(number),
        salt=COOKIE,
        max_age=_LIFETIME_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )


def clear_station(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
