"""The boards, official and community, with scores against cost."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
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
from playtest.arena.pages import cards
from playtest.arena.runs.sums import summarise_cards
from playtest.arena.scores import boards as on_boards
from playtest.arena.scores.boards import Standing, standings
from playtest.arena.scores.comparisons import Repeats, differences_to_people, repeats
from playtest.arena.scores.submissions import counts_by_set
from playtest.insight.figures import Figure, Value, columns, figure_response
from playtest.insight.tables.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.inference.agents import Difference, Over
from playtest.rules.score import Reading, Variant, frontier
from playtest.rules.text import whole_number

_ENTRIES_A_PAGE = 10


class HarnessForm(forms.Form):
    """A harness in one version, through which all agents of the official board play."""

    name = forms.CharField(label="Name of the harness", max_length=100)
    version = forms.CharField(max_length=100, help_text="A release or a commit that everybody can find.")
    code_url = forms.CharField(label="Address of its code", required=False, max_length=500)


class DeclarationForm(forms.Form):
    """How an official entry was played, by somebody else than who ran it."""

    harness = forms.ModelChoiceField(Harness.objects.all())
    evidence = forms.CharField(
        label="What you looked at", widget=forms.Textarea(attrs={"rows": 2}), max_length=2_000
    )
    no_tools = forms.BooleanField(
        label="The agent had no tools: frames went in, actions came out",
        required=False,
        widget=forms.CheckboxInput(attrs={"required": True}),
    )


class Mark(NamedTuple):
    """What a figure of value against cost has of one entry or file; `cost` is None where it is not known."""

    label: str
    group: str
    cost: float | None
    value: float
    address: str
    more: tuple[Value, ...] = ()


def against_cost(marks: Sequence[Mark], written: str, y_label: str, caption: str) -> Figure:
    """A mark for each with a cost; the frontier has the best value up to each cost. Columns are `written`."""
    priced = [(one.cost, one.value, one) for one in marks if one.cost is not None]
    best, unknown = frontier(priced), len(marks) - len(priced)
    return Figure(
        name="cost",
        kind="scatter",
        title=f"{len(best)} of {len(priced)} on the frontier of {y_label.lower()} and cost",
        caption=f"{caption} The line is the frontier: the best up to each cost."
        + (f" Left out because no cost is known: {unknown}." if unknown else ""),
        columns=columns(written),
        rows=[(*one[:4], one in best, *one.more, one.address) for _, _, one in priced],
        empty="A mark for each one with a cost appears here.",
        options={"x_label": "Cost in $", "y_label": f"{y_label} (%)", "x_log": True},
    )


def cost_figure(found: Sequence[Standing]) -> Figure:
    """The entries of a board."""
    return against_cost(
        [
            Mark(
                one.entry.agent,
                one.entry.board,
                one.cost,
                one.score.total or 0.0,
                reverse("arena:card", args=[one.score.card.card_id]),
                (one.score.reading.name,),
            )
            for one in found
        ],
        "label Agent | group Board | x Cost [$] | y Score [%] | frontier On the frontier | reading Variant"
        " | href",
        "Score",
        "Each mark is an entry of this board. Cost is the sum of what its actions name; nothing is typed in.",
    )


@require_safe
@requires(Right.READ_BOARDS)
def boards(request: StaffRequest) -> HttpResponse:
    """A board with derived scores and their uncertainty, and the scores of both boards against cost."""
    counts = {board: on_boards.entries(board).count() for board in Board}
    board, harness = _chosen(request, counts)
    reading, ranked = _standings(request, board, harness)
    page = Paginator(ranked, _ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    rows = _rows(page, reading, ranked)
    context = {
        "reading": reading,
        "variants": list(Variant),
        "board": board,
        "board_label": f"{board.label.capitalize()} board",
        "tabs": [(one, counts[one]) for one in Board],
        "task_files": sum(counts_by_set().values()),
        "page": page,
        "rows": rows,
        "statistics": _statistics(rows),
        "harness": harness,
        "harnesses": on_boards.harnesses(),
        "over_environments": Over.ENVIRONMENTS,
        "over_runs": Over.RUNS,
        "figure": cost_figure(ranked),
        "figures_at": f"{reverse('arena:boards')}figures/",
        "query": f"board={board}&harness={harness.pk if harness else ''}&{cards.query_of(reading)}",
        "waiting": [
            (entry, DeclarationForm(auto_id=f"%s-{entry.pk}"))
            for entry in (on_boards.undeclared() if board == Board.OFFICIAL else ())
        ],
        "removed": on_boards.removed(board),
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
    built = cost_figure(_standings(request, board, harness)[1])
    return figure_response(request, built, format, Protocols())


@require_POST
@requires(Right.MANAGE_KEYS)
def enter(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Enters a scorecard on a board, or shows its page with the refusal."""
    card, form = cards.card_or_404(card_id), cards.EntryForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            entry = on_boards.enter(card, form.cleaned_data.pop("board"), request.user, **form.cleaned_data)
            waits = " Another person has to declare how it was played." * (entry.board == Board.OFFICIAL)
            messages.success(request, f"{entry.agent} is on the {entry.get_board_display()} board.{waits}")
            return _to_board(entry.board)
    return cards.card_page(request, card, form)


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


def _standings(
    request: StaffRequest, board: Board, harness: Harness | None
) -> tuple[Reading, list[Standing]]:
    """The reading that the address chooses, and the standings by it.

    Without a choice, and while nobody's counts are known for anything on the board, that is the simulated
    reference: a new installation has no other.
    """
    summarise_cards(entry.card for entry in on_boards.entries(board))
    reading = cards.reading_of(request, Reading())
    ranked = standings(board, reading, harness)
    scored = any(not one.problem for entry in ranked for one in entry.score.environments)
    if "variant" in request.GET or scored:
        return reading, ranked
    simulated = replace(reading, variant=Variant.SIMULATED_REFERENCE)
    return (simulated, standings(board, simulated, harness)) if ranked else (reading, ranked)


type _Row = tuple[int, Standing, Repeats | None, Difference | None]


def _statistics(rows: Sequence[_Row]) -> dict[str, bool]:
    """Which statistics the rows have, so that no column and no sentence stands for what nobody has."""
    return {
        "interval": any(one.score.mean.interval for _, one, _, _ in rows),
        "people": any(difference for *_, difference in rows),
        "again": any(again for _, _, again, _ in rows),
    }


def _rows(page: Page[Standing], reading: Reading, ranked: Sequence[Standing]) -> list[_Row]:
    """The rank, the standing, the agent's repeats and its difference to people, of each entry of a page."""
    shown = list(page)
    cards.bring_people_up_to_date([one.score for one in shown])
    known = {one.entry.card_id: one.score for one in ranked}
    again = repeats([one.entry.card for one in shown], reading, known)
    people = differences_to_people([one.score for one in shown])
    return [
        (rank, one, again.get(one.entry.card_id), people[one.entry.card_id])
        for rank, one in enumerate(shown, start=page.start_index())
    ]
