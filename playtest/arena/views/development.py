"""The report of development against held-out sets."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.arena.queries.development import agents_in_competition, closed_cards_of
from playtest.arena.queries.development import development as scores
from playtest.arena.services.summaries import summarise_cards
from playtest.arena.views.requests import reading_of
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.score import Reading, Variant
from playtest.rules.score_intervals import Over

_AGENTS_A_PAGE = 25


@require_safe
@requires(Right.READ_BOARDS)
def development(request: StaffRequest) -> HttpResponse:
    """What agents score on the public set, against what they score on the held-out sets."""
    reading = reading_of(request, Reading())
    page = Paginator(agents_in_competition(), _AGENTS_A_PAGE).get_page(request.GET.get("page"))
    agents = list(page)
    summarise_cards(closed_cards_of(agents))
    context = {
        "reading": reading,
        "variants": list(Variant),
        "page": page,
        "rows": scores(agents, reading),
        "over_environments": Over.ENVIRONMENTS,
        "over_runs": Over.RUNS,
    }
    return render(request, "arena/development.html", context)
