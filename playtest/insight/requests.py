"""Reads version and scope from a request; shows the demonstration while there are no real results."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from playtest.insight.scope import Scope, scope_of
from playtest.people.access import StaffRequest
from playtest.people.refusals import refusal_as_404
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions.reads import REAL
from playtest.studio.models import Environment, Version


def find_version(environment_id: str, digest_prefix: str = "") -> Version:
    """The environment's current version, or the one whose digest begins so.

    Refusal 404: environment_unknown, version_unknown, version_ambiguous.
    """
    environment = Environment.objects.select_related("current").filter(code=environment_id).first()
    if environment is None or environment.current is None:
        raise Refusal("environment_unknown", f"There is no environment {environment_id!r} here.", status=404)
    environment.current.environment = environment
    if not digest_prefix:
        return environment.current
    found = list(environment.versions.filter(digest__startswith=digest_prefix)[:2])
    if not found:
        message = f"No version of {environment_id} has a digest that begins with {digest_prefix!r}."
        raise Refusal("version_unknown", message, status=404)
    if len(found) > 1:
        message = (
            f"Several versions of {environment_id} begin with {digest_prefix!r}: give more of the digest."
        )
        raise Refusal("version_ambiguous", message, status=404)
    return found[0]


@refusal_as_404()
def version_or_404(request: StaffRequest, code: str, parameter: str = "version") -> Version:
    """The version whose digest begins with this parameter, or the current version."""
    return find_version(code, request.GET.get(parameter, ""))


@refusal_as_404()
def scope_or_404(request: StaffRequest) -> Scope:
    """The scope in the address."""
    return scope_of(request.GET)


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
