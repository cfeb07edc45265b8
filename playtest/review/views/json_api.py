"""Checked JSON requests, refusals as JSON, and the attempt of an address for readers who may see it."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, JsonResponse

from playtest.people.access import RightMissing, StaffRequest
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.queries.attempts import attempts_and_runs
from playtest.rules.attempt import PlayedBy
from playtest.rules.text import storable
from playtest.studio.models import Environment


def refusals_as_json[R: HttpRequest, **P](
    view: Callable[Concatenate[R, P], JsonResponse],
) -> Callable[Concatenate[R, P], JsonResponse]:
    """Turns a view's refusals into responses `{"code", "message"}` with their status."""

    @wraps(view)
    def view_or_refusal(request: R, /, *args: P.args, **kwargs: P.kwargs) -> JsonResponse:
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


_NEEDED = {
    PlayedBy.PERSON: Right.WATCH_ATTEMPTS,
    PlayedBy.AGENT: Right.READ_BOARDS,
    PlayedBy.STAFF: Right.PLAY_INTERNALLY,
}


def find_attempt(request: StaffRequest, pk: int) -> Attempt:
    """The attempt: a person's for who may watch attempts, an agent's run for who may read boards, an
    internal play for who may play themselves.

    Raises RightMissing, also where there is none for who may not watch attempts, so that numbers say nothing
    of people; else Http404.
    """
    found = attempts_and_runs().filter(pk=pk).first()
    needed = _NEEDED[found.played_by if found else PlayedBy.PERSON]
    if not request.user.may(needed):
        raise RightMissing(needed)
    if found is None:
        raise Http404("There is no such attempt.")
    return found


def environment_of_attempt(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    """What a page of the attempt shows (`studio.shown.shows`)."""
    return Environment.objects.filter(attempts=pk)
