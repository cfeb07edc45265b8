"""Cookies that no script reads and no other site sends; one permits this browser to upload files.

The server checks how large a body may be before it reads it, where it has no access to the database. So that
cookie is signed and holds the limit itself.
"""

from collections.abc import Mapping
from functools import partial

from django.conf import settings
from django.core import signing
from django.http import HttpResponse, parse_cookie


def set_own_cookie(
    response: HttpResponse, name: str, value: str, *, seconds: int | None = None, path: str = "/"
) -> None:
    """Stores one in the browser for so many seconds; None: as long as the browser is open."""
    own = partial(response.set_cookie, secure=settings.HTTPS, httponly=True, samesite="Strict")
    own(name, value, max_age=seconds, path=path)


COOKIE = "large-body"
_FOLDER = "/staff/"
_LIFETIME_SECONDS = 12 * 60 * 60


def permit_upload(response: HttpResponse, most: int) -> None:
    """Permits this browser to send files of `most` bytes in all to staff pages."""
    value = signing.dumps(most, salt=COOKIE)
    set_own_cookie(response, COOKIE, value, seconds=_LIFETIME_SECONDS, path=_FOLDER)


def largest_body(path: bytes, headers: Mapping[bytes, str]) -> int:
    """The most bytes of a body for this path and these headers (names in lower case)."""
    small: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    given = parse_cookie(headers.get(b"cookie", "")).get(COOKIE)
    if given is None or not path.startswith(_FOLDER.encode()):
        return small
    try:
        return small + int(signing.loads(given, salt=COOKIE, max_age=_LIFETIME_SECONDS))
    except (signing.BadSignature, ValueError):
        return small
