"""What addresses of the arena's pages choose: how scores are read, and which card."""

from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest

from playtest.arena.models import Scorecard
from playtest.rules.score import Reading, Variant


def reading_of(request: HttpRequest, default: Reading) -> Reading:
    """The reading that `variant`, `undo` and `budget` choose; what is missing or unknown is the default's."""
    chosen = request.GET
    return Reading(
        Variant(chosen["variant"]) if chosen.get("variant") in Variant else default.variant,
        {"no": False, "yes": True}.get(chosen.get("undo", ""), default.undo_counts),
        {"no": False, "yes": True}.get(chosen.get("budget", ""), default.budget),
    )


def query_of(reading: Reading) -> str:
    """The reading as the query of an address."""
    return urlencode(
        {
            "variant": reading.variant.value,
            "undo": "yes" if reading.undo_counts else "no",
            "budget": "yes" if reading.budget else "no",
        }
    )


def card_or_404(card_id: UUID) -> Scorecard:
    """The card with this id."""
    related = ("key", "entry__removal", "entry__declaration__harness", "entry__declaration__declared_by")
    found = Scorecard.objects.select_related(*related).filter(card_id=card_id).first()
    if found is None:
        raise Http404("There is no such scorecard.")
    return found


def base_url(request: HttpRequest) -> str:
    """The address of this server as the reader's browser reached it, without a slash at the end."""
    return request.build_absolute_uri("/").rstrip("/")
