"""Taking environments in: the upload, its progress, and what became of each environment."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.large_bodies import permit_upload
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.models import Upload
from playtest.studio.queries.jobs import progress_of, uploads
from playtest.studio.services import imports as services
from playtest.studio.services.uploads import LARGEST_UPLOAD, MEGABYTE
from playtest.studio.tasks.imports import do_import
from playtest.studio.views import jobs


@require_http_methods(["GET", "POST"])
@requires(Right.UPLOAD_ENVIRONMENTS)
def import_page(request: StaffRequest) -> HttpResponse:
    """An archive, or the files of one environment; 409 with the refusal when nothing can be made of it."""
    refusal = None
    if request.method == "POST":
        try:
            made = services.request_import(request.FILES.getlist("files"), do_import.delay, by=request.user)
        except RuleError as error:
            refusal = error
        else:
            return redirect("studio:upload", made.pk)
    context = {"most": LARGEST_UPLOAD // MEGABYTE, "refusal": refusal, "uploads": uploads()}
    page = render(request, "studio/import.html", context, status=409 if refusal else 200)
    permit_upload(page, LARGEST_UPLOAD)
    return page


@require_safe
@requires(Right.UPLOAD_ENVIRONMENTS)
def upload(request: StaffRequest, pk: int) -> HttpResponse:
    """How far it is, and what became of each environment so far."""
    found = _find(pk)
    context = {
        "upload": found,
        "progress": progress_of(found),
        "may_run": True,
    }
    return render(request, "studio/upload.html", context)


def _find(pk: int) -> Upload:
    return get_object_or_404(Upload.objects.select_related("requested_by"), pk=pk)


progress = jobs.progress(_find, Right.UPLOAD_ENVIRONMENTS)
cancel = jobs.cancel(_find, Right.UPLOAD_ENVIRONMENTS, services.cancel, "studio:upload")
