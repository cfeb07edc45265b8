"""Reads from a request the version of an environment and the scope."""

from django.http import Http404

from playtest.insight.scope import Scope, scope_of
from playtest.people.access import StaffRequest
from playtest.play.errors import Refusal
from playtest.studio.models import Environment, Version


def find_version(environment_id: str, digest_prefix: str = "") -> Version:
    """The environment's current version, or the one whose digest begins so.

    Refusal 404: environment_unknown, version_unknown, version_ambiguous.
    """
    environment = Environment.objects.select_related("current").filter(code=environment_id).first()
    if environment is None or environment.current is None:
        raise Refusal("environment_unknown", f"There is no environment {environment_id!r} here.", status=404)
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


def version_or_404(request: StaffRequest, code: str, parameter: str = "version") -> Version:
    """The version whose digest begins with this parameter, or the current version."""
    try:
        return find_version(code, request.GET.get(parameter, ""))
    except Refusal as refusal:
        raise Http404(refusal.message) from refusal


def scope_or_404(request: StaffRequest) -> Scope:
    """The scope in the address."""
    try:
        return scope_of(request.GET)
    except Refusal as refusal:
        raise Http404(refusal.message) from refusal
