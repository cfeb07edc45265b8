"""The search, as a page and as JSON for the dialog that every page has."""

from dataclasses import asdict

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, signed_in
from playtest.people.search import search


@require_safe
@signed_in
def page(request: StaffRequest) -> HttpResponse:
    """What was found for `q`, by kind."""
    typed = request.GET.get("q", "").strip()
    groups = search(typed, request.user)
    context = {"typed": typed, "groups": groups, "count": sum(len(group.found) for group in groups)}
    return render(request, "people/search.html", context)


@require_safe
@signed_in
def found(request: StaffRequest) -> JsonResponse:
    """The same as JSON: `{"groups": [{"plural", "has_more", "found": [...]}]}`, each found as `Found`."""
    groups = search(request.GET.get("q", ""), request.user)
    return JsonResponse({"groups": [asdict(group) for group in groups]})
