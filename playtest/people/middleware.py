"""Refuses input that a database cannot store, so that views need not check it."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict

from playtest.people.views import not_understood
from playtest.rules.text import storable


class StorableText:
    """Answers 400 `malformed_request` to an address, cookie, query or form with text that cannot be stored.

    It comes after the CSRF check, which reads forms first. JSON is checked by `JsonBody` of review.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = [request.path, *request.COOKIES.values(), *_texts(request.GET)]
        return self._get_response(request) if all(map(storable, given)) else not_understood(request)

    def process_view(self, request: HttpRequest, view: object, args: Any, kwargs: Any) -> HttpResponse | None:
        return None if all(map(storable, _texts(request.POST))) else not_understood(request)


def _texts(fields: QueryDict) -> Iterator[str]:
    """All names and values."""
    return chain.from_iterable((name, *values) for name, values in fields.lists())
