"""How large a request's body may be: small for everybody, large for who was given a pass for uploads.

The server asks before it takes a body in, where nobody can look into the database. So the pass is a cookie
that needs only its signature.
"""

from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.http import HttpResponse, parse_cookie

COOKIE = "large-body"
_FOLDER = "/staff/"
_LIFETIME_SECONDS = 12 * 60 * 60


def permit_upload(response: HttpResponse, most: int) -> None:
    """Let this browser send staff pages files of `most` bytes altogether."""
    response.set_cookie(
        COOKIE,
        signing.dumps(most, salt=COOKIE),
        max_age=_LIFETIME_SECONDS,
        path=_FOLDER,
        httponly=True,
        samesite="Strict",
        secure=settings.HTTPS,
    )


def largest_body(path: bytes, headers: Mapping[bytes, str]) -> int:
    """Bytes that a request to `path` may have behind these headers, their names in lower case."""
    small: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    given = parse_cookie(headers.get(b"cookie", "")).get(COOKIE)
    if given is None or not path.startswith(_FOLDER.encode()):
        return small
    try:
        return small + int(signing.loads(given, salt=COOKIE, max_age=_LIFETIME_SECONDS))
    except (signing.BadSignature, ValueError):
        return small
