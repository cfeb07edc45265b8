"""What the arena adds to pages of other rooms: a part of homes, titles above pages, kinds of search."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from playtest.arena.models import ApiKey, Scorecard
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.people.search import MOST_READ, Found, Match, Query, add_kind, match_of
from playtest.people.trail import add_titles

_MOST = 5
_UUID_DIGITS = 32


def newest_cards(staff: Staff | None, request: object) -> dict[str, Any]:
    """The newest scorecards, how many are open, and how many keys are valid."""
    return {
        "request": request,
        "user": staff,
        "cards": list(Scorecard.objects.select_related("key")[:_MOST]),
        "open": Scorecard.objects.filter(closed_at__isnull=True).count(),
        "keys": ApiKey.objects.filter(revoked_at__isnull=True).count(),
        "may_manage": staff is not None and staff.may(Right.MANAGE_KEYS),
    }


def name_pages() -> None:
    add_titles(
        {
            "arena:card": _card,
            "arena:environment": "{code}",
            "arena:task-board": "Static tasks",
            "arena:submission": "Answers {pk}",
            "arena:submission-new": "New answers",
            "arena:key": "Key {pk}",
            "arena:key-new": "New key",
        }
    )


def _card(card_id: object) -> str:
    return f"Scorecard {str(card_id)[:8]}"


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
