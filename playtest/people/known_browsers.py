"""Browsers in which somebody has signed in before: their wrong passwords are counted apart.

Guessing at the same address cannot lock out the person whose browser this is. A browser is known for
one name. The cookie is no credential: it only gives tries of its own.
"""

import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE = "known-browser"
_FOLDER = "/staff/"
_LIFETIME_SECONDS = 180 * 24 * 60 * 60


def remember(response: HttpResponse, name: str) -> None:
    """Makes the browser known for this name."""
    response.set_cookie(
        COOKIE,
        signing.dumps([name, secrets.token_hex(8)], salt=COOKIE),
        max_age=_LIFETIME_SECONDS,
        path=_FOLDER,
        httponly=True,
        samesite="Strict",
        secure=settings.HTTPS,
    )


def known_browser(request: HttpRequest, name: str) -> str | None:
    """The browser's own mark if it is known for this name."""
    try:
        known, mark = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=_LIFETIME_SECONDS)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return str(mark) if known == name else None


def name_to_lock(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """What axes counts wrong passwords by, besides the address: a name, or a name in a known browser."""
    name = str((credentials or {}).get("username") or request.POST.get("username", ""))
    mark = known_browser(request, name)
    return name if mark is None else f"{name} in browser {mark}"
