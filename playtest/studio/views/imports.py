"""Imports of environments: the form, the progress of one, and its results."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.cookies import permit_upload
from playtest.people.refusals import refusal_told
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.studio.models import Import, ReleaseSet
from playtest.studio.queries.jobs import latest_imports
from playtest.studio.services import imports as services
from playtest.studio.services.shipped import proposals
from playtest.studio.services.tasks import MOST_TASKS
from playtest.studio.services.uploads import LARGEST_UPLOAD, MEGABYTE
from playtest.studio.tasks import do_import
from playtest.studio.views import jobs


@require_http_methods(["GET", "POST"])
@requires(Right.IMPORT_ENVIRONMENTS)
def import_page(request: StaffRequest) -> HttpResponse:
    """Programs or static tasks, in an archive or as files; 409 with the refusal."""
    refusal = None
    if request.method == "POST":
        try:
            queue = Queue(do_import)
            made = _requested(request, queue)
        except RuleError as error:
            refusal = error
        else:
            warn_if_unreachable(request, queue)
            return redirect("studio:import-job", made.pk)
    return _import_page(request, refusal)


def _import_page(request: StaffRequest, refusal: RuleError | None) -> HttpResponse:
    games = settings.GAMES_DIR
    context = {
        "shipped": proposals(games) if games.is_dir() else [],
        "most": LARGEST_UPLOAD // MEGABYTE,
        "most_tasks": MOST_TASKS,
        "most_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        "sets": ReleaseSet.choices,
        "refusal": refusal,
        "refused_kind": request.POST.get("kind", ""),
        "imports": latest_imports(),
    }
    page = render(request, "studio/import.html", context, status=409 if refusal else 200)
    permit_upload(page, LARGEST_UPLOAD)
    return page


@require_POST
@requires(Right.IMPORT_ENVIRONMENTS)
def load_shipped(request: StaffRequest) -> HttpResponse:
    """Imports the chosen ones of what comes with the product and is new or changed; 409 with the refusal."""
    chosen, kind = request.POST.getlist("code"), Kind.of(request.POST.get("kind"))
    queue = Queue(do_import)
    try:
        made = services.request_shipped(chosen, kind, settings.GAMES_DIR, queue, by=request.user)
    except RuleError as error:
        return _import_page(request, error)
    warn_if_unreachable(request, queue)
    return redirect("studio:import-job", made.pk)


@require_safe
@requires(Right.IMPORT_ENVIRONMENTS)
def import_job(request: StaffRequest, pk: int) -> HttpResponse:
    """The progress of one import, its results so far, and what asks before it replaces something."""
    found = _find(pk)
    asking = [one for one in found.results if one["status"] == services.ASKS]
    return jobs.import_page(request, found, asking=asking)


@require_POST
@requires(Right.IMPORT_ENVIRONMENTS)
def confirm(request: StaffRequest, pk: int) -> HttpResponse:
    """Imports the chosen ones of those that ask; back to the results with the refusal."""
    _find(pk)
    queue = Queue(do_import)
    with refusal_told(request):
        made = services.confirm(pk, request.POST.getlist("code"), queue, by=request.user)
        warn_if_unreachable(request, queue)
        return redirect("studio:import-job", made.pk)
    return redirect("studio:import-job", pk)


def _requested(request: StaffRequest, queue: Queue) -> Import:
    files = request.FILES.getlist("files")
    given = request.POST
    kind, release_set = Kind.of(given.get("kind")), given.get("release_set", ReleaseSet.NONE)
    return services.request_import(files, queue, by=request.user, kind=kind, release_set=release_set)


def _find(pk: int) -> Import:
    return get_object_or_404(Import.objects.select_related("requested_by"), pk=pk, into_sandbox=False)


cancel = jobs.cancel(_find, Right.IMPORT_ENVIRONMENTS, services.cancel, "studio:import-job")
