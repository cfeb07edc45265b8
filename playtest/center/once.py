"""A form that is sent again does nothing again: each carries a token, and what came of it is remembered."""

import secrets

from django.http import HttpRequest

FIELD = "once"
_KEPT = "sent_forms"
_MOST_KEPT = 50


def token() -> str:
    """For a form's hidden field `once`; a form without one is never taken for a repetition."""
    return secrets.token_urlsafe(12)


def came_of(request: HttpRequest) -> int | None:
    """The id of what this very form made when it was sent before."""
    found: int | None = request.session.get(_KEPT, {}).get(request.POST.get(FIELD))
    return found


def remember(request: HttpRequest, pk: int) -> None:
    """This form made `pk`. A person's oldest forms are forgotten."""
    if sent := request.POST.get(FIELD):
        kept = [*request.session.get(_KEPT, {}).items(), (sent, pk)]
        request.session[_KEPT] = dict(kept[-_MOST_KEPT:])
