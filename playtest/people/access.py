"""Access to staff pages: a view declares the right that it needs, and roles grant rights."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control

from playtest.people.models import Staff
from playtest.people.roles import Right


class StaffRequest(HttpRequest):
    """A request of a signed-in member of staff who has the required right."""

    user: Staff


def requires[**P](
    right: Right,
) -> Callable[
    [Callable[Concatenate[StaffRequest, P], HttpResponseBase]],
    Callable[Concatenate[HttpRequest, P], HttpResponseBase],
]:
    """Restricts a view to staff with this right.

    Others are sent to sign in, or get 403 `right_missing`. Browsers must not store its pages, so that nobody
    can go back to them after a colleague has signed out.
    """

    def decorate(
        view: Callable[Concatenate[StaffRequest, P], HttpResponseBase],
    ) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not request.user.may(right):
                raise PermissionDenied(f"Your role does not include: {right.label}.")
            return _with_private_caching(view(cast(StaffRequest, request), *args, **kwargs))

        return guarded

    return decorate


def _with_private_caching(response: HttpResponseBase) -> HttpResponseBase:
    """Forbids shared caches, unless the view has set Cache-Control itself."""
    if "Cache-Control" not in response:
        page = response.get("Content-Type", "").startswith("text/html")
        patch_cache_control(response, private=True, **({"no_store": True} if page else {"no_cache": True}))
    return response
