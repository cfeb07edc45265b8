"""Declares which views show what is inside an environment, and records who saw it.

The declaration is what records, as `people.access.requires` is what restricts: a view that shows frames,
recordings, notes or sources has `@shows(...)` directly above it, below `@requires(...)`. Pages and actions
that only an environment with a program has are found here too.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import render

from playtest.people.access import StaffRequest
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.studio.models import HELD_OUT, Environment, SightingKind
from playtest.studio.services.sightings import note_sightings

type Shown = Callable[..., QuerySet[Environment]]
"""The environments that a request shows: called as the view is."""


def shows[**P, R: HttpResponseBase](
    kind: SightingKind, environments: Shown
) -> Callable[[Callable[Concatenate[StaffRequest, P], R]], Callable[Concatenate[StaffRequest, P], R]]:
    """Records that the member of staff saw these environments, before the answer leaves; not of refusals."""

    def decorate(
        view: Callable[Concatenate[StaffRequest, P], R],
    ) -> Callable[Concatenate[StaffRequest, P], R]:
        @wraps(view)
        def recording(request: StaffRequest, /, *args: P.args, **kwargs: P.kwargs) -> R:
            response = view(request, *args, **kwargs)
            if response.status_code == HTTPStatus.OK:
                found = environments(request, *args, **kwargs).values_list("pk", flat=True)
                note_sightings(found, kind, request.user)
            return response

        recording.shows = kind  # type: ignore[attr-defined]
        return recording

    return decorate


def environment_of_address(
    request: StaffRequest, code: str, *_: object, **__: object
) -> QuerySet[Environment]:
    """The environment that an address names by its code."""
    return Environment.objects.filter(code=code)


def of_programs[**P, R: HttpResponseBase](
    view: Callable[Concatenate[StaffRequest, P], R],
) -> Callable[Concatenate[StaffRequest, P], HttpResponseBase]:
    """Answers 409 `not_of_tasks` where the `code` of the address is of a static task. Below `@requires`."""

    @wraps(view)
    def refusing(request: StaffRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        code = str(kwargs["code"])
        if Environment.objects.tasks().filter(code=code).exists():
            return render(request, "studio/not-of-tasks.html", {"code": code}, status=HTTPStatus.CONFLICT)
        return view(request, *args, **kwargs)

    return refusing


def may_read_source(reader: Staff, environment: Environment) -> bool:
    """Whether somebody may read what an environment keeps to itself: a task's solutions, a held-out source.

    That is who imports and approves sources, and who owns it and uploads them (decision 182).
    """
    owns = environment.owner_id == reader.pk and reader.may(Right.UPLOAD_VERSIONS)
    return owns or reader.may(Right.IMPORT_ENVIRONMENTS)


def may_take_files(reader: Staff, environment: Environment) -> bool:
    """Whether somebody may take files to change them: of a held-out set, who may read the source."""
    if environment.release_set in HELD_OUT:
        return may_read_source(reader, environment)
    return reader.may(Right.UPLOAD_VERSIONS)
