"""Refuses input that a database cannot store, so that views need not check it."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from django.db.models import BigIntegerField
from django.http import Http404, HttpRequest, HttpResponse, QueryDict

from playtest.people.views import not_found, not_understood
from playtest.rules.text import storable


class StorableText:
    """Answers 400 `malformed_request` to an address, cookie, query or form with text that cannot be stored.

    404 `page_unknown` to a number in an address that no column can hold. It comes after the CSRF check, which
    reads forms first. JSON is checked by `JsonBody` of review.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = [request.path, *request.COOKIES.values(), *_texts(request.GET)]
        return self._get_response(request) if all(map(storable, given)) else not_understood(request)

    def process_view(self, request: HttpRequest, view: object, args: Any, kwargs: Any) -> HttpResponse | None:
        if any(isinstance(value, int) and value > BigIntegerField.MAX_BIGINT for value in kwargs.values()):
            return not_found(request, Http404())
        return None if all(map(storable, _texts(request.POST))) else not_understood(request)


def _texts(fields: QueryDict) -> Iterator[str]:
    """All names and values."""
    return chain.from_iterable((name, *values) for name, values in fields.lists())
