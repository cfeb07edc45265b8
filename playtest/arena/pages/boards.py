"""The boards, official and community, with scores against cost."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.models import Board, BoardEntry, Harness
from playtest.arena.pages.cards import (
    EntryForm,
    bring_people_up_to_date,
    card_or_404,
    card_page,
    query_of,
    reading_of,
)
from playtest.arena.runs.sums import summarise_cards
from playtest.arena.scores import boards as on_boards
from playtest.arena.scores.boards import Standing, frontier, standings
from playtest.arena.scores.comparisons import Repeats, differences_to_people, repeats
from playtest.arena.scores.submissions import counts_by_set
from playtest.insight.figures import HREF, Column, Figure, figure_response
from playtest.insight.tables.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.inference.agents import Difference, Over
from playtest.rules.score import Reading, Variant
from playtest.rules.text import whole_number

_ENTRIES_A_PAGE = 25


class HarnessForm(forms.Form):
    """A harness in one version, through which all agents of the official board play."""

    name = forms.CharField(label="Name of the harness", max_length=100)
    version = forms.CharField(max_length=100, help_text="A release or a commit that everybody can find.")
    code_url = forms.CharField(label="Address of its code", required=False, max_length=500)


class DeclarationForm(forms.Form):
    """How an official entry was played, by somebody else than who ran it."""

    harness = forms.ModelChoiceField(Harness.objects.all())
    no_tools = forms.BooleanField(
        label="The agent had no tools: frames went in, actions came out", required=False
    )
    evidence = forms.CharField(
        label="What you looked at", widget=forms.Textarea(attrs={"rows": 2}), max_length=2_000
    )


def cost_figure(found: Mapping[Board, Sequence[Standing]]) -> Figure:
    """A mark for each entry by its cost and score; the frontier has the best score up to each cost."""
    entered = [(board, one) for board, entries in found.items() for one in entries]
    everything = [(board, one) for board, one in entered if one.cost is not None]
    best = {one.entry.pk for one in frontier(one for _, one in everything)}
    unknown = len(entered) - len(everything)
    return Figure(
        name="cost",
        kind="scatter",
        title=_title(len(everything), len(best)),
        caption=(
            "Each mark is an entry of this board. Cost is the sum of what its actions name; nothing is typed "
            "in. The line is the frontier: the best score up to each cost."
            + (f" Left out because no action names a cost: {unknown}." if unknown else "")
        ),
        columns=(
            Column("label", "Agent"),
            Column("group", "Board"),
            Column("x", "Cost", "$"),
            Column("y", "Score", "%"),
            Column("frontier", "On the frontier"),
            Column("reading", "Variant"),
            HREF,
        ),
        rows=[
            (
                one.entry.agent,
                board.value,
                one.cost,
                one.score.total,
                one.entry.pk in best,
                one.score.reading.name,
                reverse("arena:card", args=[one.score.card.card_id]),
            )
            for board, one in everything
        ],
        empty="A mark for each entry whose actions name a cost appears here.",
        options={"x_label": "Cost in $", "y_label": "Score (%)", "x_log": True},
    )


def _title(entries: int, best: int) -> str:
    if not best:
        return "Score against cost"
    return f"{best} of {entries} entries on the frontier of score and cost"


@require_safe
@requires(Right.READ_BOARDS)
def boards(request: StaffRequest) -> HttpResponse:
    """A board with derived scores and their uncertainty, and the scores of both boards against cost."""
    reading = reading_of(request, Reading())
    counts = {board: on_boards.entries(board).count() for board in Board}
    board, harness = _chosen(request, counts)
    ranked = _standings(board, harness, reading)
    page = Paginator(ranked, _ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "reading": reading,
        "variants": list(Variant),
        "board": board,
        "board_label": f"{board.label.capitalize()} board",
        "tabs": [(one, counts[one]) for one in Board],
        "task_files": sum(counts_by_set().values()),
        "page": page,
        "rows": _rows(page, reading),
        "harness": harness,
        "harnesses": on_boards.harnesses(),
        "over_environments": Over.ENVIRONMENTS,
        "over_runs": Over.RUNS,
        "figure": cost_figure({board: ranked}),
        "figures_at": f"{reverse('arena:boards')}figures/",
        "query": f"board={board}&harness={harness.pk if harness else ''}&{query_of(reading)}",
        "waiting": on_boards.undeclared() if board == Board.OFFICIAL else [],
        "removed": on_boards.removed(board),
        "declaration": DeclarationForm(),
        "harness_form": HarnessForm(),
        "may_enter": request.user.may(Right.MANAGE_KEYS),
    }
    return render(request, "arena/boards.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def figure(request: StaffRequest, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """Score against cost as data."""
    if name != "cost":
        raise Http404(f"The boards have no figure {name!r}.")
    board, harness = _chosen(request, {board: on_boards.entries(board).count() for board in Board})
    built = cost_figure({board: _standings(board, harness, reading_of(request, Reading()))})
    return figure_response(request, built, format, Protocols())


@require_POST
@requires(Right.MANAGE_KEYS)
def enter(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Enters a scorecard on a board, or shows its page with the refusal."""
    card, form = card_or_404(card_id), EntryForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            entry = on_boards.enter(card, form.cleaned_data.pop("board"), request.user, **form.cleaned_data)
            waits = " Another person has to declare how it was played." * (entry.board == Board.OFFICIAL)
            messages.success(request, f"{entry.agent} is on the {entry.get_board_display()} board.{waits}")
            return _to_board(entry.board)
    return card_page(request, card, form)


@require_POST
@requires(Right.MANAGE_KEYS)
def adopt_harness(request: StaffRequest) -> HttpResponse:
    """Adopts a harness in one version for the official board."""
    form = HarnessForm(request.POST)
    with refusal_told(request):
        if not form.is_valid():
            raise Refusal("harness_missing", "Give the name of the harness and its version.")
        made = on_boards.adopt_harness(**form.cleaned_data, staff=request.user)
        messages.success(request, f"{made} is adopted.")
    return _to_board(Board.OFFICIAL)


@require_POST
@requires(Right.MANAGE_KEYS)
def declare(request: StaffRequest, pk: int) -> HttpResponse:
    """Declares through which harness somebody else ran an official entry, and that it had no tools."""
    entry, form = get_object_or_404(BoardEntry, pk=pk), DeclarationForm(request.POST)
    with refusal_told(request):
        if not form.is_valid():
            raise Refusal("harness_missing", "Choose the harness, and say what you looked at.")
        on_boards.declare(entry, staff=request.user, **form.cleaned_data)
        messages.success(request, f"{entry.agent} has a rank on the official board.")
    return _to_board(entry.board)


@require_POST
@requires(Right.MANAGE_KEYS)
def remove(request: StaffRequest, pk: int) -> HttpResponse:
    """Removes an entry from its board with a reason."""
    entry = get_object_or_404(BoardEntry, pk=pk)
    with refusal_told(request):
        on_boards.remove(entry, request.user, request.POST.get("why", "")[:200])
        messages.success(request, f"{entry.agent} is no longer on the {entry.get_board_display()} board.")
    return _to_board(entry.board)


def _to_board(board: str) -> HttpResponse:
    return redirect(f"{reverse('arena:boards')}?board={board}")


def _chosen(request: StaffRequest, counts: dict[Board, int]) -> tuple[Board, Harness | None]:
    """The board in the address, else the first one with entries, else the official one; and its harness.

    That is the one in the address, else the newest with a ranked entry: only its entries are comparable.
    """
    board = next((board for board in Board if counts[board]), Board.OFFICIAL)
    if request.GET.get("board") in Board:
        board = Board(request.GET["board"])
    if board != Board.OFFICIAL:
        return board, None
    chosen = on_boards.harnesses().filter(pk=whole_number(request.GET.get("harness", "")) or 0).first()
    return board, chosen or on_boards.newest_ranked_harness()


def _standings(board: Board, harness: Harness | None, reading: Reading) -> list[Standing]:
    summarise_cards(entry.card for entry in on_boards.entries(board))
    return standings(board, reading, harness)


def _rows(
    page: Page[Standing], reading: Reading
) -> list[tuple[int, Standing, Repeats | None, Difference | None]]:
    """The rank, the standing, the agent's repeats and its difference to people, of each entry of a page."""
    shown = list(page)
    bring_people_up_to_date([one.score for one in shown])
    again = repeats([one.entry.card for one in shown], reading)
    people = differences_to_people([one.score for one in shown])
    return [
        (rank, one, again.get(one.entry.card_id), people[one.entry.card_id])
        for rank, one in enumerate(shown, start=page.start_index())
    ]
