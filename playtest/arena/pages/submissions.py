"""The board of static tasks with its figures: files of programs' answers, one task by task, their import."""

from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.arena.models import Board, SubmissionFile
from playtest.arena.pages.boards import Mark, against_cost
from playtest.arena.scores import boards
from playtest.arena.scores import submissions as scored
from playtest.arena.scores.submissions import FileStanding, TaskRow
from playtest.insight.figures import Figure, Row, figure_response, table
from playtest.insight.tables.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.cookies import permit_upload
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.studio.models import ReleaseSet
from playtest.studio.services.uploads import LARGEST_UPLOAD, MEGABYTE

_FILES_A_PAGE, _TASKS_A_PAGE = 25, 100


class SubmissionForm(forms.Form):
    """A file of a program's answers to static tasks. Its score is derived and no field of this form."""

    file = forms.FileField(
        label="File of answers",
        allow_empty_file=True,
        help_text='JSON: {task: [{"attempt_1": grid, "attempt_2": grid}]}, an item for each test input; '
        "also a list or a table of answers.",
    )
    program = forms.CharField(label="Name of the program", max_length=100)
    release_set = forms.ChoiceField(
        label="Set",
        required=False,
        choices=[("", "the one that its tasks are in"), *ReleaseSet.choices[1:]],
        help_text="It is scored over all tasks of the set: a task that the file leaves out is not solved.",
    )
    cost = forms.FloatField(
        label="Cost in $", required=False, min_value=0, help_text="Of all its answers, if known."
    )
    code_url = forms.CharField(label="Address of its public code", required=False, max_length=500)
    description = forms.CharField(
        label="How it works and how it was run",
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=10_000,
    )


_SCORES = (
    "program Program | kind Kind | set Set | tasks Tasks | answered Tasks answered"
    " | tasks_solved Tasks solved | tasks_solved_percent Tasks solved [%] | low_percent Lower bound [%]"
    " | high_percent Upper bound [%] | pairs Pairs | pairs_solved Pairs solved"
    " | partial_percent Partial credit [%] | tasks_people_tried Tasks that people tried"
    " | people_percent People: tasks solved [%] | people_partial_percent People: partial credit [%]"
    " | program_on_same_percent Program on the tasks that people tried [%]"
    " | cost Cost [$] | cost_a_task Cost a task [$] | digest Digest of the file | imported_at Imported"
)


def task_scores(found: Sequence[FileStanding]) -> Figure:
    """A row a file, the best first: shares in percent."""
    rows: list[Row] = [
        (
            one.file.program,
            "submission file",
            one.file.release_set,
            one.score.tasks,
            one.answered,
            one.score.solved_tasks,
            one.percent,
            100 * one.solved.low,
            100 * one.solved.high,
            one.score.pairs,
            one.score.solved_pairs,
            one.partial_percent,
            one.tested,
            *(
                None if share is None else 100 * share
                for share in (one.people, one.people_partial, one.on_same)
            ),
            one.file.cost,
            one.cost_a_task,
            one.file.digest,
            one.file.imported_at.isoformat(),
        )
        for one in found
    ]
    return table("scores", "Programs and people on static tasks", _SCORES, rows)


def task_costs(found: Sequence[FileStanding]) -> Figure:
    """The files by their cost and the tasks solved."""
    return against_cost(
        [
            Mark(
                one.file.program,
                one.file.get_release_set_display(),
                one.file.cost,
                one.percent,
                reverse("arena:submission", args=[one.file.pk]),
            )
            for one in found
        ],
        "label Program | group Set | x Cost [$] | y Tasks solved [%] | frontier On the frontier | href",
        "Tasks solved",
        "Each mark is a file of answers. Cost is what whoever brought the file says of all its tasks.",
    )


def tasks_of_file(rows: Sequence[TaskRow]) -> Figure:
    """A row a test input of each task: which answer solved it, and how many people solved the task."""
    written = (
        "task Task | version Version | test_input Test input | answered Answered | solved_at Solved by answer"
        " | people People | people_who_solved_the_task People who solved the task"
    )
    inputs: list[Row] = [
        (
            row.task.version.environment.code,
            row.task.version.digest,
            number,
            bool(row.task.right[number - 1]),
            solved,
            row.people.people if row.people else 0,
            row.people.solved if row.people else 0,
        )
        for row in rows
        for number, solved in enumerate(row.solved_at, start=1)
    ]
    return table("tasks", "Test inputs of each task", written, inputs)


@require_safe
@requires(Right.READ_BOARDS)
def board(request: StaffRequest) -> HttpResponse:
    """Programs' answers to the static tasks of a set with their scores, beside people on the same tasks."""
    counts = scored.counts_by_set()
    chosen = _chosen(request, counts)
    found = scored.standings(chosen)
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
        "removed": scored.removed_files(chosen),
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
    found = scored.standings(_chosen(request, scored.counts_by_set()))
    return figure_response(request, build(found), format, Protocols())


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_KEYS)
def new(request: StaffRequest) -> HttpResponse:
    """Imports a file of answers in the official form; 409 with the refusal."""
    form = SubmissionForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        fields = dict(form.cleaned_data)
        content = fields.pop("file").read()
        with refusal_in(form):
            made = scored.import_submission(content, by=request.user, **fields)
            messages.success(request, f"{made.program} is scored.")
            return redirect("arena:submission", made.pk)
    context = {"form": form, "most": LARGEST_UPLOAD // MEGABYTE}
    page = render(request, "arena/submission-new.html", context, status=409 if form.errors else 200)
    permit_upload(page, LARGEST_UPLOAD)
    return page


@require_safe
@requires(Right.READ_BOARDS)
def submission(request: StaffRequest, pk: int) -> HttpResponse:
    """A file of answers task by task: which answer solved each test input, and how many people did."""
    file = _find(pk)
    standing, rows = scored.standing_of(file)
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
    _, rows = scored.standing_of(_find(pk))
    return figure_response(request, tasks_of_file(rows), format, Protocols())


@require_POST
@requires(Right.MANAGE_KEYS)
def remove(request: StaffRequest, pk: int) -> HttpResponse:
    """Takes a file of answers off its board, with a reason."""
    file = _find(pk)
    with refusal_told(request):
        scored.remove_submission(file, request.user, request.POST.get("why", ""))
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
