"""The boards: official and community, score against cost."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.forms import ValidationError
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.board_figures import cost_figure
from playtest.arena.models import Board, BoardEntry, Harness
from playtest.arena.queries import boards as queries
from playtest.arena.queries.boards import Standing, standings
from playtest.arena.queries.means import Repeats, repeats
from playtest.arena.queries.people import differences_to_people
from playtest.arena.queries.submissions import counts_by_set
from playtest.arena.services import boards as service
from playtest.arena.services.summaries import summarise_cards
from playtest.arena.views.cards import bring_people_up_to_date, card_page
from playtest.arena.views.forms import DeclarationForm, EntryForm, HarnessForm
from playtest.arena.views.requests import card_or_404, query_of, reading_of
from playtest.insight.figures.response import figure_response
from playtest.insight.results.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.score import Reading, Variant
from playtest.rules.score_intervals import Difference, Over
from playtest.rules.text import whole_number

_ENTRIES_A_PAGE = 25


@require_safe
@requires(Right.READ_BOARDS)
def boards(request: StaffRequest) -> HttpResponse:
    """A board with derived scores and their uncertainty, and the scores of both boards against cost."""
    reading = reading_of(request, Reading())
    counts = {board: queries.entries(board).count() for board in Board}
    board, harness = _chosen(request, counts)
    ranked = _standings(board, harness, reading)
    page = Paginator(ranked, _ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "reading": reading,
        "variants": list(Variant),
        "board": board,
        "tabs": [(one, counts[one]) for one in Board],
        "task_files": sum(counts_by_set().values()),
        "page": page,
        "rows": _rows(page, reading),
        "harness": harness,
        "harnesses": queries.harnesses(),
        "over_environments": Over.ENVIRONMENTS,
        "over_runs": Over.RUNS,
        "figure": cost_figure({board: ranked}),
        "figures_at": f"{reverse('arena:boards')}figures/",
        "query": f"board={board}&harness={harness.pk if harness else ''}&{query_of(reading)}",
        "waiting": queries.undeclared() if board == Board.OFFICIAL else [],
        "removed": queries.removed(board),
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
    board, harness = _chosen(request, {board: queries.entries(board).count() for board in Board})
    built = cost_figure({board: _standings(board, harness, reading_of(request, Reading()))})
    return figure_response(request, built, format, Protocols())


@require_POST
@requires(Right.MANAGE_KEYS)
def enter(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Enters a scorecard on a board, or shows its page with the refusal."""
    card, form = card_or_404(card_id), EntryForm(request.POST)
    if form.is_valid():
        try:
            entry = service.enter(card, form.cleaned_data.pop("board"), request.user, **form.cleaned_data)
        except Refusal as refusal:
            form.add_error(None, ValidationError(refusal.message, code=refusal.code))
        else:
            waits = " Another person has to declare how it was played." * (entry.board == Board.OFFICIAL)
            messages.success(request, f"{entry.agent} is on the {entry.get_board_display()} board.{waits}")
            return _to_board(entry.board)
    return card_page(request, card, form)


@require_POST
@requires(Right.MANAGE_KEYS)
def adopt_harness(request: StaffRequest) -> HttpResponse:
    """Adopts a harness in one version for the official board."""
    form = HarnessForm(request.POST)
    try:
        if not form.is_valid():
            raise Refusal("harness_missing", "Give the name of the harness and its version.")
        made = service.adopt_harness(**form.cleaned_data, staff=request.user)
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
        messages.success(request, f"{made} is adopted.")
    return _to_board(Board.OFFICIAL)


@require_POST
@requires(Right.MANAGE_KEYS)
def declare(request: StaffRequest, pk: int) -> HttpResponse:
    """Declares through which harness somebody else ran an official entry, and that it had no tools."""
    entry, form = get_object_or_404(BoardEntry, pk=pk), DeclarationForm(request.POST)
    try:
        if not form.is_valid():
            raise Refusal("harness_missing", "Choose the harness, and say what you looked at.")
        service.declare(entry, staff=request.user, **form.cleaned_data)
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
        messages.success(request, f"{entry.agent} has a rank on the official board.")
    return _to_board(entry.board)


@require_POST
@requires(Right.MANAGE_KEYS)
def remove(request: StaffRequest, pk: int) -> HttpResponse:
    """Removes an entry from its board with a reason."""
    entry = get_object_or_404(BoardEntry, pk=pk)
    try:
        service.remove(entry, request.user, request.POST.get("why", "")[:200])
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
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
    chosen = queries.harnesses().filter(pk=whole_number(request.GET.get("harness", "")) or 0).first()
    return board, chosen or queries.newest_ranked_harness()


def _standings(board: Board, harness: Harness | None, reading: Reading) -> list[Standing]:
    summarise_cards(entry.card for entry in queries.entries(board))
    return standings(board, reading, harness)


def _rows(
    page: Page[Standing], reading: Reading
) -> list[tuple[int, Standing, Repeats | None, Difference | None]]:
    """The rank, the standing, the agent's repeats and its difference to people, of each entry of a page."""
    shown = list(page)
    bring_people_up_to_date([one.score for one in shown])
    again = repeats([one.entry.card for one in shown], reading)
    people = differences_to_people([one.score for one in shown], with_intervals=False)
    return [
        (rank, one, again.get(one.entry.card_id), people[one.entry.card_id])
        for rank, one in enumerate(shown, start=page.start_index())
    ]
