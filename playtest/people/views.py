"""Sign-in, the home, the roles, the handbook, and error pages."""

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.http import require_safe

from playtest.people import access_table
from playtest.people.access import StaffRequest, signed_in
from playtest.people.languages import COOKIE, offered
from playtest.people.navigation import pages_for, waits_for
from playtest.people.rate_limits import allow, client_address, known_browser, remember
from playtest.people.roles import RIGHTS, Right, Role


class SignInForm(AuthenticationForm):
    """Django's own check of name and password, with an error that says what to do."""

    error_messages = {
        "invalid_login": "This name and password do not match. Both are case-sensitive; try again.",
        "inactive": "This account is switched off. Ask the lead.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"


HANDBOOK = settings.BASE_DIR / "docs" / "center.md"
TRIES = 100  # more than a room of colleagues behind one address needs
WINDOW_SECONDS = 15 * 60


class SignIn(LoginView):
    """Sign-in with two limits on guessing.

    axes locks a name at one address after a few wrong passwords. TRIES limits one address for all names. A
    browser in which this name has signed in before has limits of its own.
    """

    template_name = "people/sign-in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        name = request.POST.get("username", "")
        key = f"sign-in:{known_browser(request, name) or client_address(request)}"
        if not allow(key, TRIES, WINDOW_SECONDS):
            return render(request, "people/locked-address.html", status=429)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        remember(response, form.get_user().get_username())
        return response


@require_safe
@signed_in
def roles(request: StaffRequest) -> HttpResponse:
    """What each role may see and do, as the application enforces it."""
    context = {
        "roles": list(Role),
        "rights": [(right, [right in RIGHTS[role] for role in Role]) for right in Right],
        "groups": access_table.groups(),
    }
    return render(request, "people/roles.html", context)


@require_safe
@signed_in
def handbook(request: StaffRequest) -> HttpResponse:
    """The handbook of the testing center (docs/center.md), to read and to print."""
    return render(request, "people/handbook.html", {"text": HANDBOOK.read_text()})


def not_understood(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400 `malformed_request`. It does not read the session: its cookie may be what is malformed."""
    return _error_page(request, "400.html", 400)


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 `form_expired`: a form without its token, or of another site."""
    return _error_page(request, "403_csrf.html", 403)


def went_wrong(request: HttpRequest) -> HttpResponse:
    """500 `server_error`. It needs neither the database nor anybody's session."""
    return _error_page(request, "500.html", 500)


def _error_page(request: HttpRequest, template: str, status: int) -> HttpResponse:
    """A page in the language of the session in this browser, of which a cookie tells."""
    with translation.override(offered(request.COOKIES.get(COOKIE)) or settings.LANGUAGE_CODE):
        return HttpResponse(render_to_string(template), status=status)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 `right_missing`."""
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 `page_unknown`: a staff page below /staff/, else a page for participants."""
    if request.path.startswith("/staff/"):
        return render(request, "people/not-found.html", status=404)
    return _error_page(request, "404.html", 404)


@require_safe
@signed_in
def home(request: StaffRequest) -> HttpResponse:
    """What waits, by page, and the parts `home-ROLE` of higher rooms."""
    if not pages_for(request.user):
        raise PermissionDenied("Your account has no role yet. Ask the lead to give you one.")
    context = {
        "role": Role(request.user.role),
        "waits": waits_for(request.user),
        "part": f"home-{request.user.role}",
    }
    return render(request, "people/home.html", context)
