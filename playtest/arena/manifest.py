"""What the arena adds to staff pages, their search and the table of access, and its append-only tables."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from playtest.arena.api.application import ROUTES
from playtest.arena.api.http import SOCKET_PATH
from playtest.arena.models import ApiKey, Scorecard
from playtest.arena.pages.replay import environment_link, run_facts, run_notes, run_usage
from playtest.arena.pages.report_facts import FACTS
from playtest.arena.runs.exports import make_runs
from playtest.arena.runs.sums import agent_names, rebuild_summaries
from playtest.arena.scores.boards import undeclared
from playtest.people.append_only import Protected, RefusedInsert, differs, same
from playtest.people.manifests import Entry, Manifest, Part, Waits, waiting
from playtest.people.models import Staff
from playtest.people.roles import Audience, Right
from playtest.people.search import MOST_READ, Found, Kind, Match, Query, match_of
from playtest.review.home import exports_to_repeat
from playtest.review.models import RUN_KINDS

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


def declarations_to_make(staff: Staff) -> Waits:
    """How many agents on the official board wait for another person than who ran them."""
    number = undeclared().exclude(entered_by=staff).count() if staff.may(Right.MANAGE_KEYS) else 0
    return waiting(number, "agent", "for a declaration of how it played", "?board=official")


def cards_closed_since(_: Staff, since: datetime) -> int:
    """How many scorecards were closed."""
    return Scorecard.objects.filter(closed_at__gt=since).count()


def _card(card_id: object) -> str:
    return f"Scorecard {str(card_id)[:8]}"


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
        yield Found(_card(one.card_id), reverse("arena:card", args=[one.card_id]), detail, match)


def _keys(query: Query, staff: Staff) -> Iterator[Found]:
    """By words of the name, and by number after the word."""
    wanted = Q(name__icontains=query.text)
    if query.kind == "key":
        wanted |= Q(pk=query.number)
    for one in ApiKey.objects.filter(wanted).order_by("-pk")[:MOST_READ]:
        match = Match.ID if one.pk == query.number else match_of(one.name, query)
        detail = "revoked" if one.revoked_at else "valid"
        yield Found(f"Key {one.name}", reverse("arena:key", args=[one.pk]), detail, match)


def _api() -> Iterator[Entry]:
    """The addresses of the API, for agents with a key, or for anyone where it asks for none."""

    for route in ROUTES:
        access = Audience.KEY if route.needs_key else Audience.ANYONE
        yield Entry(f"{route.method} {route.address}", route.address, route.summary, access)
    does = "Carries out requests and actions over one connection."
    yield Entry("agents' socket", SOCKET_PATH, does, Audience.KEY, ("request", "action"))


MANIFEST = Manifest(
    titles={
        "arena:card": _card,
        "arena:environment": "{code}",
        "arena:task-board": "Static tasks",
        "arena:submission": "Answers {pk}",
        "arena:submission-new": "New answers",
        "arena:key": "Key {pk}",
        "arena:drop": "Watch a recording",
        "arena:dropped": "A recording",
        "arena:key-new": "New key",
        "arena:reference-agents": "Reference agents",
    },
    kinds=(
        Kind("scorecard", "Scorecards", Right.READ_BOARDS, _cards),
        Kind("key", "Keys", Right.MANAGE_KEYS, _keys),
    ),
    parts=(
        Part("run", "arena/run-facts.html", run_facts),
        Part("run-side", "arena/run-notes.html", run_notes),
        Part("run-below", "arena/run-usage.html", run_usage),
        Part("environment", "arena/environment-link.html", environment_link),
        Part("home-engineer", "arena/home-cards.html", newest_cards),
    ),
    protected=(
        Protected("arena_disclosure", unique=(same("card_id", "release_set"),)),
        Protected("arena_harness", unique=(same("name", "version"),)),
        Protected("arena_boardentry", unique=(same("card_id"),)),
        Protected(
            "arena_declaration",
            unique=(same("entry_id"),),
            refused_inserts=(
                RefusedInsert(
                    "own_declaration",
                    "EXISTS (SELECT 1 FROM arena_boardentry WHERE id = NEW.entry_id"
                    " AND (board <> 'official' OR entered_by_id = NEW.declared_by_id))",
                    "another person than who ran it declares an entry of the official board",
                ),
            ),
        ),
        Protected("arena_removal", unique=(same("entry_id"),)),
        Protected("arena_submissionfile", unique=(same("digest", "release_set"),)),
        Protected("arena_scoredtask", unique=(same("file_id", "version_id"),)),
        Protected("arena_submissionremoval", unique=(same("file_id"),)),
        Protected("arena_cardnote"),
        Protected("arena_ownerchange"),
        Protected("arena_holdout"),
        Protected("arena_finalreading", unique=(same("holdout_id"),)),
        Protected("arena_keychange"),
        Protected(
            "arena_apikey", unique=(same("key_hash"),), changed=differs("id", "key_hash", "created_at")
        ),
        Protected(
            "arena_scorecard",
            unique=(same("card_id"),),
            changed=f"{differs('id', 'card_id', 'key_id', 'competition', 'strict')}"
            f" OR (OLD.closed_at IS NOT NULL AND ({differs('closed_at', 'close_reason')}))",
            columns=(
                *("card_id", "key_id", "sets", "competition", "strict", "source_url", "tags", "opaque"),
                *("opened_at", "closed_at", "close_reason"),
            ),
        ),
        Protected(
            "arena_run",
            unique=(same("guid"),),
            changed=differs("id", "card_id", "guid", "environment_id", "version_id", "started_at"),
        ),
        Protected("arena_play", unique=(same("run_id", "number"), same("attempt_id"))),
    ),
    waiting_at_home=(
        ("arena:boards", declarations_to_make),
        ("arena:exports", partial(exports_to_repeat, RUN_KINDS)),
    ),
    new_at_home=(("arena:cards", "scorecard closed", "scorecards closed", cards_closed_since),),
    addresses=_api,
    agent_names=(agent_names,),
    exports=dict.fromkeys(RUN_KINDS, make_runs),
    report=FACTS,
    rebuilds=(rebuild_summaries,),
)
