"""Shared by the pages of qualifications, explorations and imports."""

from collections.abc import Callable
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.evidence import Verdict
from playtest.rules.pipeline import Fact, Need
from playtest.studio.models import Exploration, Import, Qualification, Version
from playtest.studio.queries.evidence import NEEDED_FROM
from playtest.studio.queries.jobs import progress_of
from playtest.studio.queries.waivers import fact_of

type Find = Callable[..., Any]
"""The job that the parts of an address name, or 404; of imports also the request is asked."""
_RESULTS_A_PAGE = 200


def import_page(request: StaffRequest, found: Import, **more: Any) -> HttpResponse:
    """The progress of an import or upload, and the results so far: the rejected ones first."""
    page = "studio:upload-job" if found.into_sandbox else "studio:import-job"
    ordered = sorted(found.results, key=lambda result: bool(result["status"] != "rejected"))
    context = {
        "job": found,
        "progress": progress_of(found),
        "may_start": True,
        "page": Paginator(ordered, _RESULTS_A_PAGE).get_page(request.GET.get("page")),
        "cancel": reverse(f"{page}-cancel", args=[found.pk]),
    }
    return render(request, "studio/import-job.html", context | more)


def fact_of_level(version: Version, known: Verdict) -> Fact:
    """What the gate makes of a level of a version: by all evidence, and by what is waived."""
    fact = Fact(known.met or known.level < NEEDED_FROM, known.sentence)
    return fact_of(version.environment, Need.UNGUESSABLE, fact, version.pk)


type View = Callable[..., HttpResponseBase]


def of_environment[J: (Qualification, Exploration)](model: type[J]) -> Callable[[str, int], J]:
    """Finds one by its environment's `code` and its `pk`, without the source."""

    def find(code: str, pk: int) -> J:
        rows = model._default_manager.select_related("version__environment", "requested_by")
        return get_object_or_404(rows.defer("version__source"), pk=pk, version__environment__code=code)

    return find


def cancel(find: Find, right: Right, stop: Callable[[int], object], page: str) -> View:
    """A view that cancels a job and redirects to its `page`; its results so far remain."""

    @require_POST
    @requires(right)
    def view(request: StaffRequest, /, **names: Any) -> HttpResponse:
        """Cancels a job; its results so far remain."""
        stop(find(**names).pk)
        answer: HttpResponse = redirect(page, **names)
        return answer

    return view
