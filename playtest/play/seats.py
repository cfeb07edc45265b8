"""The `seat` cookie, which ties a browser to a session until staff give out a new code."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from playtest.play.admission import is_served
from playtest.play.models import Session
from playtest.play.tokens import matches
from playtest.rules.text import whole_number

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
    """The session whose current seat token the cookie holds, ended or not; otherwise None.

    None also where this process does not serve the session's study.
    """
    number, _, token = cookies.get(COOKIE, "").partition(".")
    if (pk := whole_number(number)) is None:
        return None
    session = Session.objects.select_related("study", "participant", "protocol").filter(pk=pk).first()
    if session is None or not matches(token, session.seat_hash):
        return None
    return session if is_served(session.study) else None


def seated_session(request: HttpRequest) -> Session | None:
    return session_of_cookie(request.COOKIES)
