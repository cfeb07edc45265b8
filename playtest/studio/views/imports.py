"""The page that takes environments in, and what became of each."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.services.uploads import LARGEST_UPLOAD, MEGABYTE, import_upload


@require_http_methods(["GET", "POST"])
@requires(Right.UPLOAD_ENVIRONMENTS)
def import_page(request: StaffRequest) -> HttpResponse:
    """An archive, or the files of one environment; 409 with the refusal when nothing can be made of it."""
    context: dict[str, Any] = {"most": LARGEST_UPLOAD // MEGABYTE}
    if request.method == "POST":
        try:
            context["results"] = import_upload(request.FILES.getlist("files"))
        except RuleError as error:
            return render(request, "studio/import.html", context | {"refusal": error}, status=409)
    return render(request, "studio/import.html", context)
