"""Access: every view, socket and message declares for whom it is, and the declaration is what enforces it.

`people.access_table` reads the declarations from the application; /staff/roles/ shows them.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, Concatenate, cast

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control

from playtest.people import second_factor
from playtest.people.models import Staff
from playtest.people.roles import RIGHTS, Access, Audience, Right


class RightMissing(PermissionDenied):
    """403 `right_missing`: the page says which right is missing and which roles have it."""

    def __init__(self, right: Right) -> None:
        roles = ", ".join(role.label for role in RIGHTS if right in RIGHTS[role])
        super().__init__(f"Your role does not include: {right.label}. Roles with this right: {roles}.")


class StaffRequest(HttpRequest):
    """A request of a signed-in member of staff who has the required right."""

    user: Staff


def declares[T: Callable[..., Any]](access: Access) -> Callable[[T], T]:
    """Marks a view with the access that it, or the decorator that uses this, enforces."""

    def mark(view: T) -> T:
        view.access = access  # type: ignore[attr-defined]
        return view

    return mark


def declared_access(view: Any) -> Access | None:
    """What a view or consumer declares; None if it declares nothing."""
    return getattr(view, "access", None)


def may_open(staff: Staff, view: Any) -> bool:
    """Whether a view that staff may open at all is for this person."""
    access = declared_access(view)
    return not isinstance(access, Right) or staff.may(access)


def signed_in[**P](
    view: Callable[Concatenate[StaffRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Restricts a view to members of staff, whatever their role; others are sent to sign in."""
    return _restricted(view, Audience.SIGNED_IN, _to_sign_in)


def of_own_account[**P](
    view: Callable[Concatenate[StaffRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """As `signed_in`, and also for who has yet to set up a second factor."""
    return _restricted(view, Audience.SIGNED_IN, _to_first_step)


def _restricted[**P](
    view: Callable[Concatenate[StaffRequest, P], HttpResponseBase],
    access: Access,
    to_go_first: Callable[[HttpRequest], HttpResponse | None],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    @declares(access)
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if first := to_go_first(request):
            return first
        asked = cast(StaffRequest, request)
        if isinstance(access, Right) and not asked.user.may(access):
            raise RightMissing(access)
        return _with_private_caching(view(asked, *args, **kwargs))

    return guarded


def _to_first_step(request: HttpRequest) -> HttpResponse | None:
    """Where to enter name and password; None for who has."""
    return None if request.user.is_authenticated else redirect_to_login(request.get_full_path())


def _to_sign_in(request: HttpRequest) -> HttpResponse | None:
    """Where to go first: to the sign-in, or to set up the second factor; None if nothing is missing."""
    if not isinstance(request.user, Staff):
        return redirect_to_login(request.get_full_path())
    if second_factor.is_missing(request.user, request.session):
        return redirect("people:second-factor")
    return None


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

    return lambda view: _restricted(view, right, _to_sign_in)


def _with_private_caching(response: HttpResponseBase) -> HttpResponseBase:
    """Forbids shared caches, unless the view has set Cache-Control itself."""
    if "Cache-Control" not in response:
        page = response.get("Content-Type", "").startswith("text/html")
        patch_cache_control(response, private=True, **({"no_store": True} if page else {"no_cache": True}))
    return response


def staff_with_right(cookies: Mapping[str, str], right: Right) -> Staff | None:
    """The member of staff whose sign-in these cookies hold, if they have the right; otherwise None.

    Reads the database each time: it also notices who has signed out, or lost the role. Who has yet to set
    up a second factor has no right.
    """
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    if not key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    if not isinstance(user, Staff) or second_factor.is_missing(user, request.session):
        return None
    return user if user.may(right) else None
