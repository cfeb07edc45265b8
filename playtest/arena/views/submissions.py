"""The board of static tasks: files of programs' answers, one of them task by task, and their import."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.arena.models import Board, SubmissionFile
from playtest.arena.queries import boards
from playtest.arena.queries import submissions as queries
from playtest.arena.services import submissions as service
from playtest.arena.submission_figures import task_costs, task_scores, tasks_of_file
from playtest.arena.views.forms import SubmissionForm
from playtest.insight.figures.response import figure_response
from playtest.insight.results.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.body_limits import permit_upload
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.studio.models import ReleaseSet
from playtest.studio.services.uploads import LARGEST_UPLOAD, MEGABYTE

_FILES_A_PAGE, _TASKS_A_PAGE = 25, 100


@require_safe
@requires(Right.READ_BOARDS)
def board(request: StaffRequest) -> HttpResponse:
    """Programs' answers to the static tasks of a set with their scores, beside people on the same tasks."""
    counts = queries.counts_by_set()
    chosen = _chosen(request, counts)
    found = queries.standings(chosen)
    page = Paginator(found, _FILES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "chosen": chosen,
        "tabs": [(one, boards.entries(one).count()) for one in Board],
        "count": sum(counts.values()),
        "sets": list(counts.items()),
        "page": page,
        "rows": list(enumerate(page, start=page.start_index())),
        "figure": task_costs(found),
        "figures_at": f"{reverse('arena:task-board')}figures/",
        "query": f"set={chosen}",
        "removed": queries.removed_files(chosen),
        "may_enter": request.user.may(Right.MANAGE_KEYS),
    }
    return render(request, "arena/task-board.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def figure(request: StaffRequest, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """The board of static tasks of a set as data: its table, or tasks solved against cost."""
    build = {"scores": task_scores, "cost": task_costs}.get(name)
    if build is None:
        raise Http404(f"The board of static tasks has no figure {name!r}.")
    found = queries.standings(_chosen(request, queries.counts_by_set()))
    return figure_response(request, build(found), format, Protocols())


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_KEYS)
def new(request: StaffRequest) -> HttpResponse:
    """Imports a file of answers in the official form; 409 with the refusal."""
    form, refusal = SubmissionForm(request.POST or None, request.FILES or None), None
    if form.is_valid():
        fields = dict(form.cleaned_data)
        content = fields.pop("file").read()
        try:
            made = service.import_submission(content, by=request.user, **fields)
        except Refusal as refused:
            refusal = refused
        else:
            messages.success(request, f"{made.program} is scored.")
            return redirect("arena:submission", made.pk)
    context = {"form": form, "refusal": refusal, "most": LARGEST_UPLOAD // MEGABYTE}
    page = render(request, "arena/submission-new.html", context, status=409 if refusal else 200)
    permit_upload(page, LARGEST_UPLOAD)
    return page


@require_safe
@requires(Right.READ_BOARDS)
def submission(request: StaffRequest, pk: int) -> HttpResponse:
    """A file of answers task by task: which answer solved each test input, and how many people did."""
    file = _find(pk)
    standing, rows = queries.standing_of(file)
    context = {
        "file": file,
        "one": standing,
        "page": Paginator(rows, _TASKS_A_PAGE).get_page(request.GET.get("page")),
        "may_enter": request.user.may(Right.MANAGE_KEYS),
    }
    return render(request, "arena/submission.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def tasks_file(request: StaffRequest, pk: int, format: str) -> HttpResponseBase:  # noqa: A002
    """The tasks of a file of answers as data."""
    _, rows = queries.standing_of(_find(pk))
    return figure_response(request, tasks_of_file(rows), format, Protocols())


@require_POST
@requires(Right.MANAGE_KEYS)
def remove(request: StaffRequest, pk: int) -> HttpResponse:
    """Takes a file of answers off its board, with a reason."""
    file = _find(pk)
    try:
        service.remove_submission(file, request.user, request.POST.get("why", ""))
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
        messages.success(request, f"{file.program} is off the board.")
    return redirect("arena:submission", pk)


def _find(pk: int) -> SubmissionFile:
    rows = SubmissionFile.objects.defer("text").select_related("imported_by", "removal__removed_by")
    return get_object_or_404(rows, pk=pk)


def _chosen(request: StaffRequest, counts: dict[ReleaseSet, int]) -> ReleaseSet:
    """The set in the address, else the first one with a file."""
    named = request.GET.get("set")
    first = next((one for one in counts if counts[one]), next(iter(counts)))
    return next((one for one in counts if one.value == named), first)
