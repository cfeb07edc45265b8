"""Where tours begin."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, signed_in
from playtest.people.tour import links_to, steps_of, tour_named


@require_safe
@signed_in
def begin(request: StaffRequest, name: str) -> HttpResponse:
    """Redirects to the first page of a tour."""
    tour = tour_named(name, request.user)
    if tour is None:
        raise Http404("There is no such tour for your role.")
    links = links_to(tour, steps_of(tour, request.user))
    if not links:
        messages.warning(request, "This tour has nothing to show before somebody has played.")
        return redirect("people:home")
    return redirect(links[0].address)
