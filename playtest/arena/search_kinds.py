"""What the search finds of the arena: scorecards and API keys."""

from collections.abc import Iterator
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from playtest.arena.models import ApiKey, Scorecard
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.people.search import MOST_READ, Found, Match, Query, add_kind, match_of

_UUID_DIGITS = 32


def make_searchable() -> None:
    """Declares the kinds."""
    add_kind("scorecard", "Scorecards", Right.READ_BOARDS, _cards)
    add_kind("key", "Keys", Right.MANAGE_KEYS, _keys)


def _cards(query: Query, staff: Staff) -> Iterator[Found]:
    """By the beginning of their id, and by the name of their key."""
    wanted, digits = Q(key__name__icontains=query.text), query.hexadecimal
    if digits and len(digits) <= _UUID_DIGITS:  # a range, because databases store these ids differently
        first, last = (UUID(digits.ljust(_UUID_DIGITS, end)) for end in "0f")
        wanted |= Q(card_id__gte=first, card_id__lte=last)
    for one in Scorecard.objects.filter(wanted).select_related("key").order_by("-pk")[:MOST_READ]:
        begins = bool(digits) and one.card_id.hex.startswith(digits)
        match = Match.BEGINNING if begins else Match.WITHIN
        detail = f"{one.key.name}, {'closed' if one.closed_at else 'open'}"
        yield Found(
            f"Scorecard {str(one.card_id)[:8]}", reverse("arena:card", args=[one.card_id]), detail, match
        )


def _keys(query: Query, staff: Staff) -> Iterator[Found]:
    """By words of the name, and by number after the word."""
    wanted = Q(name__icontains=query.text)
    if query.kind == "key":
        wanted |= Q(pk=query.number)
    for one in ApiKey.objects.filter(wanted).order_by("-pk")[:MOST_READ]:
        match = Match.ID if one.pk == query.number else match_of(one.name, query)
        detail = "revoked" if one.revoked_at else "valid"
        yield Found(f"Key {one.name}", reverse("arena:key", args=[one.pk]), detail, match)
