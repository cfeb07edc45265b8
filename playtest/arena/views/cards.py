"""The list of scorecards, and the page of one with its notes."""

from collections.abc import Iterable
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.models import Scorecard
from playtest.arena.queries.means import mean_of_plays, repeats
from playtest.arena.queries.people import difference_to_people
from playtest.arena.queries.scores import CardScore, card_score, card_scores, default_reading
from playtest.arena.queries.usage import NO_USAGE
from playtest.arena.queries.used import usage_of_cards
from playtest.arena.services.card_notes import add_note
from playtest.arena.services.summaries import summarise_cards
from playtest.arena.views.forms import EntryForm, FilesForm, NoteForm
from playtest.arena.views.requests import base_url, card_or_404, reading_of
from playtest.insight.scope import EVERYONE
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.score import Variant

_CARDS_A_PAGE = 25


@require_safe
@requires(Right.READ_BOARDS)
def cards(request: StaffRequest) -> HttpResponse:
    """Every scorecard of agents, with its score, cost and state."""
    found = Scorecard.objects.select_related("key").order_by("-opened_at", "-pk")
    page = Paginator(found, _CARDS_A_PAGE).get_page(request.GET.get("page"))
    summarise_cards(page.object_list)
    scores = card_scores(page.object_list)
    usage = usage_of_cards([card.pk for card in page.object_list])
    rows = [(scores[card.pk], usage.get(card.pk, NO_USAGE)) for card in page.object_list]
    context = {"page": page, "rows": rows, "base_url": base_url(request)}
    return render(request, "arena/cards.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def card(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """One scorecard: its score by a chosen reading, each environment and level, and what the agent said."""
    return card_page(request, card_or_404(card_id))


@require_POST
@requires(Right.READ_BOARDS)
def note(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Adds a note to a scorecard."""
    try:
        add_note(card_or_404(card_id), request.POST.get("text", ""), request.user)
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    return redirect("arena:card", card_id)


def card_page(request: StaffRequest, found: Scorecard, refused: EntryForm | None = None) -> HttpResponse:
    """The page of a card; `refused` is the form by which it could not be entered on a board."""
    summarise_cards([found])
    score = card_score(found, reading_of(request, default_reading(found)))
    bring_people_up_to_date([score])
    entry = getattr(found, "entry", None)
    context = {
        "card": found,
        "score": score,
        "of_plays": mean_of_plays(score),
        "repeats": repeats([found], score.reading).get(found.pk),
        "difference": difference_to_people(score),
        "usage": usage_of_cards([found.pk]).get(found.pk, NO_USAGE),
        "variants": list(Variant),
        "entry": entry,
        "removal": getattr(entry, "removal", None),
        "declaration": getattr(entry, "declaration", None),
        "notes": found.notes.select_related("written_by"),
        "note_form": NoteForm(),
        "files_form": FilesForm(),
        "form": refused or EntryForm(),
        "may_enter": request.user.may(Right.MANAGE_KEYS),
    }
    return render(request, "arena/card.html", context, status=400 if refused else 200)


def bring_people_up_to_date(scores: Iterable[CardScore]) -> None:
    """Brings up to date the level results of the people with whom agents are compared."""
    environments = {one.version.environment_id for score in scores for one in score.environments}
    bring_up_to_date(EVERYONE.attempts.filter(environment__in=environments))
