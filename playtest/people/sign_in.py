"""Signing in: name and password, then the code of a second factor; and the one-time link for a password."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

from axes.signals import user_locked_out
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_otp.plugins.otp_static.models import StaticDevice

from playtest.people import second_factor
from playtest.people.access import declares
from playtest.people.accounts import Kind, record
from playtest.people.models import Staff
from playtest.people.rate_limits import allow, client_address, known_browser, remember
from playtest.people.roles import Audience

TRIES = 100  # more than a room of colleagues behind one address needs
WINDOW_SECONDS = 15 * 60
_SIGNED_IN = timedelta(seconds=settings.SESSION_COOKIE_AGE)
LAST_VISIT = "last_visit"
"""When this account signed in before, in seconds since 1970: what has come since is new at home."""
_BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInForm(AuthenticationForm):
    """Django's own check of name and password, with an error that says what to do."""

    error_messages = {
        "invalid_login": "This name and password do not match. Both are case-sensitive; try again.",
        "inactive": "This account is switched off. Ask the lead.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"


class SignIn(LoginView):
    """Sign-in with two limits on guessing.

    axes locks a name at one address after a few wrong passwords or codes. TRIES limits one address for all
    names. A browser in which this name has signed in before has limits of its own.
    """

    template_name = "people/sign-in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _may_try(request, request.POST.get("username", "")):
            return render(request, "people/locked-address.html", status=HTTPStatus.TOO_MANY_REQUESTS)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        staff = form.get_user()
        if second_factor.device_of(staff) is None:
            return enter(self.request, staff, self.get_success_url())
        second_factor.await_code(self.request, staff)
        return redirect(f"{reverse('people:second-step')}?{urlencode({'next': self.get_success_url()})}")


def enter(request: HttpRequest, staff: Staff, address: str) -> HttpResponse:
    """Signs in for a working day, however busy the session is, and leads to an address."""
    before = staff.last_login
    login(request, staff, backend=_BACKEND)
    request.session[LAST_VISIT] = before and before.timestamp()
    request.session.set_expiry(timezone.now() + _SIGNED_IN)
    response = redirect(address)
    remember(response, staff.get_username())
    return response


def _may_try(request: HttpRequest, name: str) -> bool:
    who = known_browser(request, name) or client_address(request)
    may = allow(f"sign-in:{who}", TRIES, WINDOW_SECONDS)
    if not may:
        user_locked_out.send(SignIn, request=request, username=name, ip_address=client_address(request))
    return may


class CodeForm(forms.Form):
    """A code of the authenticator app, or a recovery code."""

    code = forms.CharField(
        max_length=20,
        help_text="Six digits of your authenticator app. Without your phone: one of your recovery codes.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True}),
    )


WRONG_CODE = (
    "This code is wrong, or was used before. Take the next one that the app shows; after several wrong ones, "
    "wait a minute first."
)


@never_cache
@require_http_methods(["GET", "POST"])
@declares(Audience.ANYONE)
def second_step(request: HttpRequest) -> HttpResponse:
    """Asks whose password was right for a code of their second factor."""
    staff = second_factor.awaited(request.session)
    if staff is None or request.user.is_authenticated:
        return redirect("people:home")  # which leads to the sign-in
    form = CodeForm(request.POST or None)
    if request.method == "POST" and not _may_try(request, staff.get_username()):
        return render(request, "people/locked-address.html", status=HTTPStatus.TOO_MANY_REQUESTS)
    if form.is_valid():
        given = {"username": staff.get_username(), "second_factor_token": form.cleaned_data["code"]}
        found = authenticate(request, **given)
        if isinstance(found, Staff):
            if isinstance(found.otp_device, StaticDevice):
                record(found, found, Kind.RECOVERY)
            return enter(request, found, _next(request))
        form.add_error("code", forms.ValidationError(WRONG_CODE, "code_wrong"))
    return render(request, "people/second-step.html", {"form": form, "staff": staff})


def _next(request: HttpRequest) -> str:
    """The page that was asked for, if it is one of this server."""
    wanted = request.GET.get("next", "")
    here = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(wanted, allowed_hosts=here, require_https=request.is_secure())
    return wanted if safe else reverse("people:home")


class SetPassword(PasswordResetConfirmView):
    """Sets a password by a one-time link, which then no longer works."""

    template_name = "people/set-password.html"
    success_url = reverse_lazy("people:sign-in")

    def get_user(self, uidb64: str) -> Staff | None:
        staff = super().get_user(uidb64)
        return staff if isinstance(staff, Staff) and staff.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:
        """Of two who use the link at once one wins."""
        before = form.user
        with transaction.atomic():
            now = Staff.objects.select_for_update(no_key=True).get(pk=before.pk)
            self.validlink = now.is_active and now.password == before.password
            if not self.validlink:
                return self.render_to_response(self.get_context_data())
            form.user = self.user = now  # saved as a whole
            record(now, now, Kind.PASSWORD, "by link")
            done = super().form_valid(form)
        messages.success(self.request, "Your password is set. Sign in with it.")
        return done

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = HTTPStatus.OK if self.validlink else HTTPStatus.GONE
        return super().render_to_response(context, **kwargs | {"status": status})
