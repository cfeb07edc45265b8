"""The page after sign-in: what waits for this person, and what each room adds for their role."""

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, signed_in
from playtest.people.navigation import pages_for, waits_for
from playtest.people.roles import Role


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
