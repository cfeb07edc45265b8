"""Signing in and out, the way to the first page, and the pages for errors."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from playtest.people.forms import SignInForm
from playtest.people.models import Staff
from playtest.people.navigation import pages_for


class SignIn(LoginView):
    template_name = "people/sign-in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


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
