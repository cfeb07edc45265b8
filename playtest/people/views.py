"""The home, the roles, the handbook, and error pages."""

from datetime import UTC, datetime

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.http import require_POST, require_safe

from playtest.people import access_table
from playtest.people.access import StaffRequest, signed_in
from playtest.people.languages import COOKIE, offered
from playtest.people.models import Staff
from playtest.people.navigation import new_for, pages_for, waits_for
from playtest.people.participants import links_read_once
from playtest.people.refusals import NotHere
from playtest.people.roles import RIGHTS, Right, Role
from playtest.people.sign_in import LAST_VISIT

HANDBOOK = settings.BASE_DIR / "docs" / "center.md"


@require_POST
@signed_in
def dismiss_example(request: StaffRequest) -> HttpResponse:
    """This person's home no longer shows the demonstration."""
    Staff.objects.filter(pk=request.user.pk).update(example_dismissed=True)
    return redirect("people:home")


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
        reason = str(exception) if isinstance(exception, NotHere) else ""
        return render(request, "people/not-found.html", {"reason": reason}, status=404)
    return _error_page(request, "404.html", 404)


@require_safe
@signed_in
def home(request: StaffRequest) -> HttpResponse:
    """What waits, what is new since the last visit, and the parts `home-ROLE`; of administrators a lead's."""
    if not pages_for(request.user):
        raise PermissionDenied("Your account has no role yet. Ask the lead to give you one.")
    role = Role(request.user.role or Role.LEAD)
    last = request.session.get(LAST_VISIT)
    since = datetime.fromtimestamp(last, UTC) if last else None
    with links_read_once():
        waits = waits_for(request.user)
        context = {
            "role": role,
            "waits": waits,
            "total": sum(found.number for _, found in waits),
            "since": since,
            "news": new_for(request.user, since) if since else [],
            "part": f"home-{role}",
        }
        return render(request, "people/home.html", context)
