"""Pages of results show the demonstration as long as no real person has played."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from playtest.people.access import StaffRequest
from playtest.play.models import Attempt, Study
from playtest.play.sessions.reads import REAL


def shows_demonstration[**P](
    view: Callable[Concatenate[StaffRequest, P], HttpResponseBase],
) -> Callable[Concatenate[StaffRequest, P], HttpResponseBase]:
    """Sends a reader whose address names no study to the demonstration, while there are no real results.

    The address says from then on whose results the page shows, and so do its links, figures and files. An
    address that names no study never means a rehearsal for anything else: not for files, not for commands.
    """

    @wraps(view)
    def shown(request: StaffRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if "study" not in request.GET and (study := demonstration(kwargs.get("code"))):
            query = request.GET.copy()
            query["study"] = str(study)
            return redirect(f"{request.path}?{query.urlencode()}")
        return view(request, *args, **kwargs)

    return shown


def demonstration(code: Any = None) -> int | None:
    """The key of the first rehearsal that was played, on the environment with this code if one is given.

    None as soon as a real person has played anything.
    """
    played = Attempt.objects.filter(first_frame_at__isnull=False)
    if played.filter(REAL).exists():
        return None
    if code is not None:
        played = played.filter(environment__code=code)
    rehearsals = Study.objects.filter(rehearsal=True, sessions__attempts__in=played)
    return rehearsals.order_by("pk").values_list("pk", flat=True).first()
