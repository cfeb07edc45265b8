"""Checked JSON requests and JSON responses; a refusal is a response with a code and a sentence."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http import HttpRequest, JsonResponse

from playtest.people.access import StaffRequest
from playtest.play.errors import Refusal
from playtest.rules.text import storable


def refusals_as_json[**P](
    view: Callable[Concatenate[StaffRequest, P], JsonResponse],
) -> Callable[Concatenate[StaffRequest, P], JsonResponse]:
    """Turns a view's refusals into responses `{"code", "message"}` with their status."""

    @wraps(view)
    def view_or_refusal(request: StaffRequest, /, *args: P.args, **kwargs: P.kwargs) -> JsonResponse:
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            answer = {"code": refusal.code, "message": refusal.message}
            return JsonResponse(answer, status=refusal.status)

    return view_or_refusal


def text_of(value: str) -> str:
    """Text that every database can store. Refusal 400: malformed_request."""
    if not storable(value):
        raise _malformed()
    return value


class JsonBody:
    """A request's JSON object, field by field. Refusal 400: malformed_request; 415: json_required."""

    def __init__(self, request: HttpRequest) -> None:
        if request.content_type != "application/json":  # a form's body was read already, for its token
            raise Refusal("json_required", "This takes JSON only: load the page again.", status=415)
        try:
            self._fields = json.loads(request.body)
        except (ValueError, RecursionError) as error:
            raise _malformed() from error
        if not isinstance(self._fields, dict):
            raise _malformed()

    def text(self, name: str, default: str | None = None) -> str:
        value: str = self._get(name, str, default)
        return text_of(value)

    def whole(self, name: str, default: int | None = None) -> int:
        """A whole number from 0 that every database can store."""
        value: int = self._get(name, int, default)
        if not 0 <= value < 2**31:
            raise _malformed()
        return value

    def number(self, name: str) -> float:
        value = self._get(name, (int, float), None)
        if not 0 <= value < 2**31:
            raise _malformed()
        return float(value)

    def texts(self, name: str) -> list[str]:
        values: list[str] = self._get(name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise _malformed()
        return [text_of(value) for value in values]

    def _get(self, name: str, kind: type | tuple[type, ...], default: Any) -> Any:
        value = self._fields.get(name, default)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise _malformed()
        return value


def _malformed() -> Refusal:
    return Refusal("malformed_request", "The request makes no sense: load the page again.", status=400)
