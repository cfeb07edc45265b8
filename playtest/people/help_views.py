"""Help: the terms of the product, and the keys of its pages."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, signed_in
from playtest.people.glossary import sections, terms_of_pages


@require_safe
@signed_in
def page(request: StaffRequest) -> HttpResponse:
    """All terms of the glossary, and where to read more."""
    return render(request, "people/help.html", {"sections": sections()})


@require_safe
@signed_in
def terms(request: StaffRequest) -> HttpResponse:
    """The terms as JSON, of which the help shows those that stand on a page."""
    found = [{"term": one.term, "meaning": one.meaning} for one in terms_of_pages()]
    return JsonResponse({"terms": found})
