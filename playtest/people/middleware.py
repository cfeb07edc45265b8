"""What comes in is text that a database can hold, so that no page need ask."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict

from playtest.people.views import not_understood
from playtest.rules.text import storable


class StorableText:
    """Refuses (400 `malformed_request`) an address, cookie, query or form with text that no database takes.

    Stands behind the check of forms, which reads them first. JSON is read by `JsonBody` of review.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = [request.path, *request.COOKIES.values(), *_texts(request.GET)]
        return self._get_response(request) if all(map(storable, given)) else not_understood(request)

    def process_view(self, request: HttpRequest, view: object, args: Any, kwargs: Any) -> HttpResponse | None:
        return None if all(map(storable, _texts(request.POST))) else not_understood(request)


def _texts(fields: QueryDict) -> Iterator[str]:
    """Names and values, every one of a name with several."""
    return chain.from_iterable((name, *values) for name, values in fields.lists())
