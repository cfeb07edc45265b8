"""The boards: official and community, score against cost, and public against held-out scores."""

from uuid import UUID

from django.contrib import messages
from django.forms import ValidationError
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.board_figures import cost_figure
from playtest.arena.models import Board, BoardEntry
from playtest.arena.queries.boards import Standing, development, standings
from playtest.arena.services import boards as service
from playtest.arena.views.cards import card_page
from playtest.arena.views.forms import EntryForm
from playtest.arena.views.requests import card_or_404, query_of, reading_of
from playtest.insight.figures.response import figure_response
from playtest.insight.results.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.score import Reading, Variant


@require_safe
@requires(Right.READ_BOARDS)
def boards(request: StaffRequest) -> HttpResponse:
    """Both boards with derived scores, score against cost, and public against held-out scores."""
    reading = reading_of(request, Reading())
    found = _standings(reading)
    context = {
        "reading": reading,
        "variants": list(Variant),
        "boards": [(board, found[board]) for board in Board],
        "figure": cost_figure(found),
        "figures_at": f"{reverse('arena:boards')}figures/",
        "query": query_of(reading),
        "development": development(reading),
        "removed": BoardEntry.objects.filter(removed_at__isnull=False)
        .select_related("card")
        .order_by("-removed_at"),
        "may_enter": request.user.may(Right.MANAGE_KEYS),
    }
    return render(request, "arena/boards.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def figure(request: StaffRequest, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """Score against cost as data."""
    if name != "cost":
        raise Http404(f"The boards have no figure {name!r}.")
    built = cost_figure(_standings(reading_of(request, Reading())))
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
            messages.success(request, f"{entry.agent} is on the {entry.get_board_display()} board.")
            return redirect("arena:boards")
    return card_page(request, card, form)


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
    return redirect("arena:boards")


def _standings(reading: Reading) -> dict[Board, list[Standing]]:
    return {board: standings(board, reading) for board in Board}
