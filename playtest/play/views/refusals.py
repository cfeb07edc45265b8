"""How pages show a refusal: as a message after a redirect, or as an error of the form that was sent."""

from collections.abc import Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from playtest.play.errors import Refusal


def tell_refusal(request: HttpRequest, refusal: Refusal) -> None:
    """The next page says why it was refused."""
    messages.error(request, f"{refusal.message} ({refusal.code})")


@contextmanager
def refusal_told(request: HttpRequest) -> Iterator[None]:
    """Ends its block at a refusal, which the next page tells."""
    try:
        yield
    except Refusal as refusal:
        tell_refusal(request, refusal)


@contextmanager
def refusal_in(form: forms.Form, field: str | None = None) -> Iterator[None]:
    """Ends its block at a refusal, which becomes an error of the form, of a field or of the whole."""
    try:
        yield
    except Refusal as refusal:
        form.add_error(field, forms.ValidationError(refusal.message, code=refusal.code))
