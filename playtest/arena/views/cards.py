"""The list of scorecards, and the page of one."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.arena.models import Scorecard
from playtest.arena.queries.people import difference_to_people
from playtest.arena.queries.scores import card_score, card_scores, default_reading
from playtest.arena.queries.usage import NO_USAGE, usage_of_cards
from playtest.arena.views.forms import EntryForm
from playtest.arena.views.requests import card_or_404, reading_of
from playtest.insight.scope import EVERYONE
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.score import Variant

_CARDS_A_PAGE = 25


@require_safe
@requires(Right.READ_BOARDS)
def cards(request: StaffRequest) -> HttpResponse:
    """Every scorecard of agents, with its score, cost and state."""
    found = Scorecard.objects.select_related("key").order_by("-opened_at", "-pk")
    page = Paginator(found, _CARDS_A_PAGE).get_page(request.GET.get("page"))
    scores = card_scores(page.object_list)
    usage = usage_of_cards([card.pk for card in page.object_list])
    rows = [(scores[card.pk], usage.get(card.pk, NO_USAGE)) for card in page.object_list]
    return render(request, "arena/cards.html", {"page": page, "rows": rows})


@require_safe
@requires(Right.READ_BOARDS)
def card(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """One scorecard: its score by a chosen reading, each environment and level, and what the agent said."""
    return card_page(request, card_or_404(card_id))


def card_page(request: StaffRequest, found: Scorecard, refused: EntryForm | None = None) -> HttpResponse:
    """The page of a card; `refused` is the form by which it could not be entered on a board."""
    score = card_score(found, reading_of(request, default_reading(found)))
    environments = [one.version.environment for one in score.environments]
    bring_up_to_date(EVERYONE.attempts.filter(environment__in=environments))
    context = {
        "card": found,
        "score": score,
        "difference": difference_to_people(score),
        "usage": usage_of_cards([found.pk]).get(found.pk, NO_USAGE),
        "variants": list(Variant),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
        "entry": getattr(found, "entry", None),
        "form": refused or EntryForm(),
        "may_enter": request.user.may(Right.MANAGE_KEYS),
    }
    return render(request, "arena/card.html", context, status=400 if refused else 200)
