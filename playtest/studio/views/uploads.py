"""Uploads into the sandbox: the form and its progress, the list, one upload with its changes, decisions."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.jobs.models import UNFINISHED
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.cookies import permit_upload
from playtest.people.downloads import attachment
from playtest.people.refusals import NotHere, refusal_told
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, Import, SightingKind, UploadedVersion, UploadStatus
from playtest.studio.queries import uploads as queries
from playtest.studio.queries.catalogue import pictured_levels
from playtest.studio.services import imports, upload_decisions
from playtest.studio.services.sandbox import MOST_WAITING
from playtest.studio.services.uploads import LARGEST_UPLOAD, MEGABYTE
from playtest.studio.shown import may_take_files, shows
from playtest.studio.tasks import do_import
from playtest.studio.views import jobs


@require_safe
@requires(Right.UPLOAD_VERSIONS)
def uploads(request: StaffRequest) -> HttpResponse:
    """The uploads that wait and those that are decided: one's own, or all for who approves them."""
    context = {
        "waiting": queries.waiting_uploads(request.user),
        "decided": queries.decided_uploads(request.user),
        "tried": queries.tried_uploads(request.user),
        "may_decide": request.user.may(Right.IMPORT_ENVIRONMENTS),
    }
    return render(request, "studio/uploads.html", context)


@require_http_methods(["GET", "POST"])
@requires(Right.UPLOAD_VERSIONS)
def new(request: StaffRequest) -> HttpResponse:
    """Uploads an archive, or the files of one environment; 409 with the refusal."""
    refusal, comment = None, request.POST.get("comment", "")
    if request.method == "POST":
        try:
            queue = Queue(do_import)
            files = request.FILES.getlist("files")
            made = imports.request_upload(files, queue, by=request.user, comment=comment)
        except RuleError as error:
            refusal = error
        else:
            warn_if_unreachable(request, queue)
            return redirect("studio:upload-job", made.pk)
    context = {
        "most": LARGEST_UPLOAD // MEGABYTE,
        "most_waiting": MOST_WAITING,
        "longest": upload_decisions.LONGEST_TEXT,
        "refusal": refusal,
        "comment": comment,
    }
    page = render(request, "studio/upload-new.html", context, status=409 if refusal else 200)
    permit_upload(page, LARGEST_UPLOAD)
    return page


@require_safe
@requires(Right.UPLOAD_VERSIONS)
def job(request: StaffRequest, pk: int) -> HttpResponse:
    """The progress of an upload, and what became of each environment in it."""
    found = _job(request, pk)
    mine = found.uploads.select_related("version__environment").defer("version__source")
    now = {one.version.environment.code: one.status for one in mine}
    for result in found.results:
        if result["status"] == "waits":  # when it was tried
            result["status"] = queries.RESULTS[UploadStatus(now.get(result["id"], UploadStatus.REPLACED))]
    return jobs.import_page(request, found, uploads=mine)


@require_POST
@requires(Right.UPLOAD_VERSIONS)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Cancels what is left of an upload."""
    imports.cancel(_job(request, pk).pk)
    return redirect("studio:upload-job", pk)


def _environment(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    return Environment.objects.filter(versions__uploads=pk)


@require_safe
@requires(Right.UPLOAD_VERSIONS)
@shows(SightingKind.SOURCE, _environment)
def upload(request: StaffRequest, pk: int) -> HttpResponse:
    """An upload with what it changes."""
    found = _find(request, pk)
    upload_decisions.mark_seen(found, request.user)
    version, before = found.version, queries.version_before(found)
    compared = before if may_take_files(request.user, version.environment) else None
    files = queries.changed_files(found, compared)
    gates = [] if found.decided_at else queries.gates_of(found)
    context = {
        "upload": found,
        "version": version,
        "environment": version.environment,
        "before": before,
        "compared": compared,
        "pictured": pictured_levels(before, version),
        "gates": gates,
        "open_needs": sum(not fact.met for fact in gates),
        "files": files,
        "unchanged": [file.name for file in files if not (file.is_changed or file.lines)],
        "recordings": version.recordings.defer("state_hashes", "milliseconds", "levels_completed").order_by(
            "kind", "name"
        ),
        "unfinished": found.job.status in UNFINISHED,
        "is_mine": found.uploaded_by_id == request.user.pk,
        "may_decide": request.user.may(Right.IMPORT_ENVIRONMENTS),
        "longest": upload_decisions.LONGEST_TEXT,
    }
    return render(request, "studio/upload.html", context)


@require_safe
@requires(Right.UPLOAD_VERSIONS)
@shows(SightingKind.SOURCE, _environment)
def source(request: StaffRequest, pk: int) -> HttpResponse:
    """The source of an upload as a file."""
    version = _find(request, pk).version
    name = f"{version.environment.code}-{version.digest[:8]}.py"
    return attachment(version.source, name, "text/plain; charset=utf-8")


@require_POST
@requires(Right.IMPORT_ENVIRONMENTS)
def approve(request: StaffRequest, pk: int) -> HttpResponse:
    """Makes an uploaded version the current one, with a `reason` for its designer."""
    code = Environment.objects.filter(versions__uploads=pk).values_list("code", flat=True).first()
    done, reason = f"This is the current version of {code} now.", request.POST.get("reason", "")
    return _decided(request, pk, lambda: upload_decisions.approve(pk, request.user, reason), done, reason)


@require_POST
@requires(Right.IMPORT_ENVIRONMENTS)
def decline(request: StaffRequest, pk: int) -> HttpResponse:
    """Declines an upload, with a `reason`."""
    reason = request.POST.get("reason", "")
    do = partial(upload_decisions.decline, pk, request.user, reason)
    return _decided(request, pk, do, "Declined.", reason)


@require_POST
@requires(Right.UPLOAD_VERSIONS)
def withdraw(request: StaffRequest, pk: int) -> HttpResponse:
    """Takes back one's own upload."""
    _find(request, pk)
    return _decided(request, pk, lambda: upload_decisions.withdraw(pk, request.user), "Withdrawn.")


def _decided(
    request: StaffRequest, pk: int, do: Callable[[], object], done: str, said: str = ""
) -> HttpResponse:
    """Back to the upload, or to the list where it is gone, with the refusal if there is one.

    What somebody `said` about one that is gone is shown there, to be said of the one that took its place.
    """
    with refusal_told(request, done):
        do()
    if UploadedVersion.objects.filter(pk=pk).exists():
        return redirect(f"{reverse('studio:upload', args=[pk])}#decision")
    if said.strip():
        messages.info(request, f"What you wrote: {said.strip()}")
    return redirect("studio:uploads")


def _find(request: StaffRequest, pk: int) -> UploadedVersion:
    rows = queries.uploads_for(request.user).select_related("version__environment__current", "before")
    if found := rows.filter(pk=pk).first():
        return found
    raise NotHere(
        "You may read no upload of this number. It may have been withdrawn, or a later upload of its"
        " environment has taken its place."
    )


def _job(request: StaffRequest, pk: int) -> Import:
    """An upload of one's own, or anybody's for who approves them."""
    rows = Import.objects.filter(into_sandbox=True).select_related("requested_by")
    if not request.user.may(Right.IMPORT_ENVIRONMENTS):
        rows = rows.filter(requested_by=request.user)
    return get_object_or_404(rows, pk=pk)
