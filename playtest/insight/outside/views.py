"""The page on which data from elsewhere are imported, and that of one import."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import StudyImport
from playtest.insight.outside import jobs
from playtest.insight.outside.check import SourceCheck
from playtest.insight.outside.importing import Imported, summary
from playtest.insight.scope import Scope
from playtest.insight.tasks import import_study
from playtest.jobs.models import UNFINISHED
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Study

_MOST = 50


class ImportForm(forms.Form):
    """What to import, and what is said of it on every page."""

    path = forms.ChoiceField(label="Folder or zip")
    name = forms.CharField(
        label="Name of the study", max_length=100, required=False, help_text="By default that of the file."
    )
    source = forms.CharField(label="Source", max_length=500, required=False)
    licence = forms.CharField(label="Licence", max_length=200, required=False)
    undo_counts = forms.TypedChoiceField(
        label="Undo",
        choices=[
            ("", "As in most last lines of the recordings"),
            ("counted", "Counted as an action"),
            ("left-out", "Left out of every count"),
        ],
        coerce=lambda chosen: chosen == "counted",
        empty_value=None,
        required=False,
        help_text="A data package keeps what its protocol says.",
    )

    def __init__(self, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        choices = self.fields["path"]
        assert isinstance(choices, forms.ChoiceField)
        choices.choices = [(name, name) for name in jobs.offered()]


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.MANAGE_STUDIES)
def imports(request: StaffRequest) -> HttpResponse:
    """Offers what is in the import folder, and lists the imports, newest first."""
    form = ImportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        queue = Queue(import_study)
        try:
            made = jobs.request_import(enqueue=queue, by=request.user, **form.cleaned_data)
        except Refusal as refusal:
            form.add_error(None, forms.ValidationError(refusal.message, code=refusal.code))
        else:
            warn_if_unreachable(request, queue)
            return redirect("insight:study-import", made.pk)
    context = {
        "form": form,
        "offered": jobs.offered(),
        "folder": settings.IMPORT_DIR,
        "imports": StudyImport.objects.select_related("study", "requested_by").order_by("-pk")[:_MOST],
    }
    return render(request, "insight/outside/imports.html", context, status=409 if form.errors else 200)


@require_safe
@requires(Right.MANAGE_STUDIES)
def import_job(request: StaffRequest, pk: int) -> HttpResponse:
    """The progress of one import, and what came of it."""
    job = get_object_or_404(StudyImport.objects.select_related("study", "requested_by"), pk=pk)
    progress = _progress(job)
    ended = job.study if not progress["unfinished"] else None
    made = summary(Imported(ended, [], tuple(job.differences))) if ended else None
    return render(request, "insight/outside/import.html", {"job": job, "progress": progress, "summary": made})


def _progress(job: StudyImport) -> dict[str, Any]:
    """As `studio.queries.jobs.progress_of`."""
    text = "The import waits for a worker."
    if job.total:
        text = f"{job.done:,} of {job.total:,} file{'s' if job.total > 1 else ''} read."
    elif job.started_at:
        text = "The import has begun: the files are being listed."
    share = min(job.done / job.total, 1.0) if job.total else None
    return {"unfinished": job.status in UNFINISHED, "share": share, "text": text}


@require_safe
@requires(Right.READ_BASELINES)
def source(request: StaffRequest, pk: int) -> HttpResponse:
    """What the source of a study from outside counts, beside what we count, with ratings beside ours."""
    study = get_object_or_404(Study, pk=pk, outside__isnull=False)
    bring_up_to_date(Scope(study).attempts)
    check = SourceCheck(study)
    given = [one for one in check.levels if one.metadata is not None]
    context = {
        "study": study,
        "scope": check.scope,
        "check": check,
        "given": sorted(given, key=lambda one: (not one.completers, not one.differs)),
        "completed": len(given) - (uncompleted := sum(not one.completers for one in given)),
        "uncompleted": uncompleted,
        "equal": sum(not one.differs for one in given),
        "agree": check.with_counts - check.that_differ,
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
    }
    return render(request, "insight/outside/source.html", context)


@require_POST
@requires(Right.MANAGE_STUDIES)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Cancels an import; what is imported stays."""
    jobs.cancel(get_object_or_404(StudyImport, pk=pk).pk)
    return redirect("insight:study-import", pk)
