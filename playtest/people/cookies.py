"""Cookies that no script reads and no other site sends."""

from functools import partial

from django.conf import settings
from django.http import HttpResponse


def set_own_cookie(
    response: HttpResponse, name: str, value: str, *, seconds: int | None = None, path: str = "/"
) -> None:
    """Stores one in the browser for so many seconds; None: as long as the browser is open."""
    own = partial(response.set_cookie, secure=settings.HTTPS, httponly=True, samesite="Strict")
    own(name, value, max_age=seconds, path=path)
