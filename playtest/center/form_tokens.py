"""One-time tokens of forms: a form that is sent twice has its effect once, and leads to the same result."""

import secrets

from django.http import HttpRequest

FIELD = "form_token"
_STORED = "form_results"
_MOST_STORED = 50


def new_token() -> str:
    """For a form's hidden field `form_token`."""
    return secrets.token_urlsafe(12)


def earlier_result(request: HttpRequest) -> int | None:
    """The id that this form led to when it was sent before; None if it was not, or has no token."""
    found: int | None = request.session.get(_STORED, {}).get(request.POST.get(FIELD))
    return found


def store_result(request: HttpRequest, pk: int) -> None:
    """Stores what this form led to, in place of the oldest one when a person has many."""
    if token := request.POST.get(FIELD):
        results = [*request.session.get(_STORED, {}).items(), (token, pk)]
        request.session[_STORED] = dict(results[-_MOST_STORED:])
