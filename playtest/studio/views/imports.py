"""Imports of environments: the form, the progress of one, and its results."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.body_limits import permit_upload
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.models import Import
from playtest.studio.queries.jobs import latest_imports, progress_of
from playtest.studio.services import imports as services
from playtest.studio.services.uploads import LARGEST_UPLOAD, MEGABYTE
from playtest.studio.tasks.imports import do_import
from playtest.studio.views import jobs


@require_http_methods(["GET", "POST"])
@requires(Right.IMPORT_ENVIRONMENTS)
def import_page(request: StaffRequest) -> HttpResponse:
    """An archive, or the files of one environment; 409 with the refusal when nothing can be made of it."""
    refusal = None
    if request.method == "POST":
        try:
            queue = Queue(do_import)
            made = services.request_import(request.FILES.getlist("files"), queue, by=request.user)
        except RuleError as error:
            refusal = error
        else:
            warn_if_unreachable(request, queue)
            return redirect("studio:import-job", made.pk)
    context = {"most": LARGEST_UPLOAD // MEGABYTE, "refusal": refusal, "imports": latest_imports()}
    page = render(request, "studio/import.html", context, status=409 if refusal else 200)
    permit_upload(page, LARGEST_UPLOAD)
    return page


@require_safe
@requires(Right.IMPORT_ENVIRONMENTS)
def import_job(request: StaffRequest, pk: int) -> HttpResponse:
    """The progress of one import, and the result of each environment so far."""
    found = _find(pk)
    context = {"job": found, "progress": progress_of(found), "may_start": True}
    return render(request, "studio/import-job.html", context)


def _find(pk: int) -> Import:
    return get_object_or_404(Import.objects.select_related("requested_by"), pk=pk, into_sandbox=False)


progress = jobs.progress(_find, Right.IMPORT_ENVIRONMENTS)
cancel = jobs.cancel(_find, Right.IMPORT_ENVIRONMENTS, services.cancel, "studio:import-job")
