"""Pages and actions that only an environment with a program has: a static task has none of them."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate

from django.http.response import HttpResponseBase
from django.shortcuts import render

from playtest.people.access import StaffRequest
from playtest.studio.models import Environment


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
