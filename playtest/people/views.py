"""Signing in and out, the way to the first page, and the pages for errors."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from playtest.people.addresses import client_address
from playtest.people.forms import SignInForm
from playtest.people.limiter import Uncounted, allow
from playtest.people.models import Staff
from playtest.people.navigation import pages_for

TRIES = 100  # by everybody at one address together; a name is locked long before
WINDOW_SECONDS = 15 * 60


class SignIn(LoginView):
    """Two limits on guessing: axes locks a name at one address after a few wrong passwords, and one address
    may try so often whatever the names, which a room of colleagues behind one address does not reach.
    """

    template_name = "people/sign-in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _may_try(client_address(request)):
            return render(request, "people/locked-address.html", status=429)
        return super().post(request, *args, **kwargs)


def _may_try(address: str) -> bool:
    """True also while nothing can be counted: names are still locked, and staff have to get in then."""
    try:
        return allow(f"sign-in:{address}", TRIES, WINDOW_SECONDS)
    except Uncounted:
        return True


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """The first page the role may see."""
    pages = pages_for(request.user) if isinstance(request.user, Staff) else []
    if not pages:
        raise PermissionDenied("Your account has no role yet. Ask the lead to give you one.")
    return redirect(pages[0].address)


def not_understood(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400 `malformed_request`, without a look at who asks: what could not be read may be their cookie."""
    return HttpResponse(render_to_string("400.html"), status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 `right_missing`."""
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 `page_unknown`, in staff's look below /staff/, plain for participants."""
    template = "people/not-found.html" if request.path.startswith("/staff/") else "404.html"
    return render(request, template, status=404)
