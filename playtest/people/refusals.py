"""How pages show a refusal: in a message after a redirect, as an error of the form that was sent, as 404."""

from collections.abc import Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest

from playtest.rules.errors import RuleError


def tell_refusal(request: HttpRequest, refusal: RuleError) -> None:
    """The next page says why it was refused."""
    messages.error(request, f"{refusal.message} ({refusal.code})")


@contextmanager
def refusal_told(request: HttpRequest, done: str = "") -> Iterator[None]:
    """Ends its block at a refusal, which the next page tells; else that page says what was `done`."""
    try:
        yield
    except RuleError as refusal:
        tell_refusal(request, refusal)
    else:
        if done:
            messages.success(request, done)


@contextmanager
def refusal_in(form: forms.Form, field: str | None = None) -> Iterator[None]:
    """Ends its block at a refusal, which becomes an error of the form, of a field or of the whole."""
    try:
        yield
    except RuleError as refusal:
        form.add_error(field, forms.ValidationError(refusal.message, code=refusal.code))


class NotHere(Http404):
    """404 with a sentence that says to staff why nothing is there."""


@contextmanager
def refusal_as_404() -> Iterator[None]:
    """Answers 404 with the sentence of a refusal."""
    try:
        yield
    except RuleError as refusal:
        raise NotHere(refusal.message) from refusal
