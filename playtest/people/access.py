"""Who may open a staff page: views declare the right they need, roles grant it (`people.roles`)."""

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
    """A request that passed `requires`: someone is signed in."""

    user: Staff


def requires[**P](
    right: Right,
) -> Callable[
    [Callable[Concatenate[StaffRequest, P], HttpResponseBase]],
    Callable[Concatenate[HttpRequest, P], HttpResponseBase],
]:
    """A view for staff with this right: the anonymous are sent to sign in, others get 403 `right_missing`.

    Browsers keep no page of it: who sits down after somebody signed out cannot go back to what they saw.
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
            return _for_nobody_else(view(cast(StaffRequest, request), *args, **kwargs))

        return guarded

    return decorate


def _for_nobody_else(response: HttpResponseBase) -> HttpResponseBase:
    """Unless the view has said itself how long its answer may be kept, and where."""
    if "Cache-Control" not in response:
        page = response.get("Content-Type", "").startswith("text/html")
        patch_cache_control(response, private=True, **({"no_store": True} if page else {"no_cache": True}))
    return response
