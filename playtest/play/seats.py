"""Who sits at this browser: the `seat` cookie, set at check-in and void once staff hand out a new code."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from playtest.play.models import Session
from playtest.play.secrets import matches

COOKIE = "seat"
_LIFETIME_SECONDS = 24 * 60 * 60


def set_seat(response: HttpResponse, session: Session, token: str) -> None:
    response.set_cookie(
        COOKIE,
        f"{session.pk}.{token}",
        max_age=_LIFETIME_SECONDS,
        httponly=True,
        samesite="Strict",
        secure=settings.HTTPS,
    )


def clear_seat(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Strict")


def session_of_cookie(cookies: Mapping[str, str]) -> Session | None:
    """The session whose current seat token the cookie holds, ended or not; None for anything else."""
    number, _, token = cookies.get(COOKIE, "").partition(".")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    session = Session.objects.select_related("study", "participant").filter(pk=int(number)).first()
    return session if session and matches(token, session.seat_hash) else None


def seated_session(request: HttpRequest) -> Session | None:
    return session_of_cookie(request.COOKIES)
