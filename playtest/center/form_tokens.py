"""One-time tokens of forms: a form that is sent twice has its effect once, and leads to the same result."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from django.contrib.sessions.models import Session as BrowserSession
from django.db import transaction
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
        _store(request, token, pk)


@contextmanager
def once(request: HttpRequest, pk: int) -> Iterator[bool]:
    """Runs its block in one transaction, and says whether this form is sent for the first time.

    Forms of one page may share a token: with other fields it is another form. Of two that arrive together one
    waits for the other. A block that raises leaves the form unsent.
    """
    token = _digest(request) if request.POST.get(FIELD) else ""
    with transaction.atomic():
        key = request.session.session_key
        list(BrowserSession.objects.select_for_update().filter(session_key=key))  # the second one waits
        request.session[_STORED] = request.session.load().get(_STORED, {})
        first = token not in request.session[_STORED]
        yield first
        if first and token:
            _store(request, token, pk)
            request.session.save()


def _digest(request: HttpRequest) -> str:
    """Identifies a form by its address and all its fields."""
    fields = sorted((name, values) for name, values in request.POST.lists())
    return sha256(repr((request.path, fields)).encode()).hexdigest()


def _store(request: HttpRequest, token: str, pk: int) -> None:
    results = [*request.session.get(_STORED, {}).items(), (token, pk)]
    request.session[_STORED] = dict(results[-_MOST_STORED:])
