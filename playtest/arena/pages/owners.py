"""Pages for the owner of an API key, at the address that harnesses print, and for whom a card is shared with.

They say what the API may tell of a card, and nothing of people, of other keys, or of staff.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import rotate_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.api.http import is_local
from playtest.arena.models import ApiKey, Play, Scorecard
from playtest.arena.pages.cards import bring_people_up_to_date, list_context, reading_context, reading_of
from playtest.arena.pages.replay import notes_document
from playtest.arena.runs.custody import disclose, run_may_disclose, told_of
from playtest.arena.runs.keys import LOCAL, LONGEST_SECRET, key_of
from playtest.arena.runs.owners import LONGEST_MARK, card_of_link, change_card
from playtest.arena.scores.baselines import Source
from playtest.arena.scores.card_scores import default_reading
from playtest.arena.scores.comparisons import difference_to_people
from playtest.arena.scores.run_analyses import analyse_card
from playtest.people.access import declares
from playtest.people.rate_limits import allow, client_address, take_back
from playtest.people.refusals import refusal_told
from playtest.people.roles import Audience
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.journal_document import journal_document
from playtest.review.views.json_api import refusals_as_json
from playtest.rules.custody import Fact
from playtest.rules.score import Reading, Variant

COOKIE, _FOLDER = "arena-key", "/scorecards"
LIFETIME_SECONDS = 12 * 60 * 60
TRIES, WINDOW_SECONDS = 10, 60
"""Of wrong keys at one address."""


@dataclass(frozen=True)
class Reader:
    """Who reads a card: the owner of its key, or, with no `owner`, somebody with this `link`."""

    card: Scorecard
    owner: ApiKey | None
    link: str = ""

    def address(self, page: str, *more: object) -> str:
        name, first = ("own", self.card.card_id) if self.owner else ("shared", self.link)
        return reverse(f"arena:{name}-{page}", args=[first, *more])

    def replay(self, play: Play) -> str:
        """Where they watch a play; "" where its set is not public."""
        may_watch = run_may_disclose(play.run, Fact.RECORDING)
        return self.address("replay", play.run.guid, play.number) if may_watch else ""


def _key(request: HttpRequest) -> ApiKey | None:
    """The key that was entered in this browser; else, on the machine itself, that of agents without one.

    The cookie names the key and opens these pages alone. A revoked key opens nothing.
    """
    valid = ApiKey.objects.filter(revoked_at=None)
    try:
        pk, begins = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=LIFETIME_SECONDS)
        return valid.filter(pk=pk, key_hash__startswith=begins).first()
    except (signing.BadSignature, TypeError, ValueError):
        scope = {"client": (request.META.get("REMOTE_ADDR", ""), 0)}
        local = is_local(scope, {name.lower(): value for name, value in request.headers.items()})
        return valid.filter(name=LOCAL).order_by("-pk").first() if local else None


def _ask(
    request: HttpRequest, card_id: object = "", key: ApiKey | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    """The form for a key. `key` is one that did not open this card; whether it is here is not told."""
    context = {"card_id": card_id, "key": key, "refusal": refusal, "longest": LONGEST_SECRET}
    return render(request, "arena/owner/enter.html", context, status=404 if key else 403)


@sensitive_post_parameters("key")
@never_cache
@require_POST
@declares(Audience.ANYONE)
def enter(request: HttpRequest) -> HttpResponse:
    """Opens the pages of an API key in this browser, for half a day."""
    card_id = _uuid(request.POST.get("card", ""))
    try:
        key = _entered(request, request.POST.get("key", "").strip()[:LONGEST_SECRET])
    except Refusal as refusal:
        return _ask(request, card_id or "", refusal=refusal)
    response = redirect("arena:own-card", card_id) if card_id else redirect("arena:own-cards")
    response.set_cookie(
        COOKIE,
        signing.dumps([key.pk, key.key_hash[:16]], salt=COOKIE),
        max_age=LIFETIME_SECONDS,
        path=_FOLDER,
        httponly=True,
        samesite="Lax",  # people follow these links from logs and chats; forms have a token besides
        secure=settings.HTTPS,
    )
    rotate_token(request)
    return response


def _entered(request: HttpRequest, secret: str) -> ApiKey:
    """The key with this secret; only wrong ones stay counted. Refusal: too_many_tries, key_unknown."""
    source = f"owner-key:{client_address(request)}"
    if not allow(source, TRIES, WINDOW_SECONDS):
        raise Refusal("too_many_tries", "Too many keys were tried here: wait a minute.")
    if (key := key_of(secret)) is None:
        raise Refusal("key_unknown", "No key in use has this value.")
    take_back(source)
    return key


@require_POST
@declares(Audience.ANYONE)
def leave(request: HttpRequest) -> HttpResponse:
    """Closes the pages of a key in this browser."""
    response = redirect("arena:own-cards")
    response.delete_cookie(COOKIE, path=_FOLDER, samesite="Lax")
    return response


def of_key[**P](
    view: Callable[Concatenate[HttpRequest, ApiKey, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Restricts a view to who has entered a key; others get the form for one."""

    @declares(Audience.KEY)
    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        key = _key(request)
        return view(request, key, *args, **kwargs) if key else _ask(request)

    return guarded


def of_card(
    view: Callable[Concatenate[HttpRequest, Reader, ...], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Restricts a view of a card to the owner of its key, or at another address to who has its link."""

    @declares(Audience.KEY)
    @never_cache
    @wraps(view)
    def guarded(
        request: HttpRequest, /, card_id: UUID | None = None, link: str = "", **kwargs: Any
    ) -> HttpResponseBase:
        key = None if link else _key(request)
        card = card_of_link(link) if link else _own(key, card_id)
        if card is None and link:
            raise Http404("This link shows no scorecard: it was taken back, or is not complete.")
        return view(request, Reader(card, key, link), **kwargs) if card else _ask(request, card_id, key)

    return guarded


def _own(key: ApiKey | None, card_id: UUID | None) -> Scorecard | None:
    """The card with this id, if this key opened it."""
    if key is None or card_id is None:
        return None
    return Scorecard.objects.select_related("key").filter(key=key, card_id=card_id).first()


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@require_safe
@of_key
def cards(request: HttpRequest, key: ApiKey) -> HttpResponse:
    """The scorecards of the key that was entered, found by tag, state and words."""
    context = list_context(request, key.cards.all())
    _note_told(score.card for score, _, told in context["rows"] if told.score)
    return render(request, "arena/owner/cards.html", context | {"owner": key})


@require_safe
@of_card
def card(request: HttpRequest, reader: Reader) -> HttpResponse:
    """One scorecard of the key that was entered: score, environments, replays; its mark and link."""
    told = told_of([reader.card])[reader.card.pk]
    default = default_reading(reader.card)
    reading = reading_of(request, default) if told.whole else default
    context = reading_context(reader.card, reading, reader.replay) | {"told": told.score, "whole": told.whole}
    score, link = context["score"], context["says"].link
    if told.score:
        _note_told([reader.card])
    played = [one for one in score.environments if one.played]
    if told.score and told.whole:
        released = all(one.baseline.source == Source.RELEASE for one in played)
        if released:
            bring_people_up_to_date([score])
            context["difference"] = difference_to_people(score)
        context["analysis"] = analyse_card(score, context["replay"], with_people=released)
    context |= {
        "owner": reader.owner,
        "link": request.build_absolute_uri(reverse("arena:shared-card", args=[link])) if link else "",
        "longest_mark": LONGEST_MARK,
    }
    return render(request, "arena/owner/card.html", context)


def _note_told(found: Iterable[Scorecard]) -> None:
    """Counts the scores of these cards as told to their key, of those that are closed."""
    closed = [card.pk for card in found if card.closed_at is not None]
    for card in Scorecard.objects.filter(pk__in=closed, disclosures=None):
        disclose(card)


def _play(reader: Reader, guid: UUID, number: int) -> Attempt:
    """Raises Http404 also where the set is not public."""
    plays = Play.objects.select_related("run__environment", "attempt__version", "attempt__environment")
    found = get_object_or_404(plays, run__card=reader.card, run__guid=guid, number=number)
    if not run_may_disclose(found.run, Fact.RECORDING):
        raise Http404("Runs of sets that are not public are not shown.")
    return found.attempt


@require_safe
@of_card
def replay(request: HttpRequest, reader: Reader, guid: UUID, number: int) -> HttpResponse:
    """The replay of a play in a public set, with what the agent said."""
    context = {"attempt": _play(reader, guid, number), "number": number, "owner": reader.owner}
    context |= {name: reader.address(name, guid, number) for name in ("journal", "notes")}
    return render(request, "arena/owner/replay.html", context | {"back": reader.address("card")})


@require_safe
@of_card
@refusals_as_json
def journal(request: HttpRequest, reader: Reader, guid: UUID, number: int) -> JsonResponse:
    """The journal of a play for its replay, without what is known of people and of staff."""
    return JsonResponse(journal_document(_play(reader, guid, number)) | {"fewest": [], "events": []})


@require_safe
@of_card
@refusals_as_json
def notes(request: HttpRequest, reader: Reader, guid: UUID, number: int) -> JsonResponse:
    """What came with the actions of a play, as staff's page of a run has it."""
    return JsonResponse(notes_document(_play(reader, guid, number), request.GET.get("block", "0")))


@require_POST
@of_card
def change(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Marks, withdraws, restores or shares a scorecard, or takes its link back."""
    with refusal_told(request, "Stored."):
        change_card(reader.card, request.POST.get("change", ""), request.POST.get("text", ""))
    return redirect("arena:own-card", reader.card.card_id)


@require_safe
@of_key
def compare(request: HttpRequest, key: ApiKey) -> HttpResponse:
    """Two scorecards of the key that was entered, environment by environment."""
    found = [card for text in request.GET.getlist("card")[:2] if (card := _own(key, _uuid(text)))]
    if len({card.pk for card in found}) != 2:
        messages.error(request, "Choose two scorecards to compare. (two_cards_needed)")
        return redirect("arena:own-cards")
    told = told_of(found)
    reading = reading_of(request, Reading(budget=any(default_reading(card).budget for card in found)))
    whole = all(one.whole for one in told.values())  # else each has one score: that which its page tells
    sides = [
        reading_context(card, reading if whole else default_reading(card), lambda _: "")
        | {"told": told[card.pk].score}
        for card in found
    ]
    _note_told(card for card in found if told[card.pk].score)
    first, second = ({one.code: one for one in side["score"].environments} for side in sides)
    pairs = [
        (code, [one, other], other.score - one.score if one and other else None)
        for code in sorted({*first, *second})
        for one, other in [(first.get(code), second.get(code))]
    ]
    context = {
        "owner": key,
        "cards": found,
        "sides": sides,
        "pairs": pairs if whole and all(one.score for one in told.values()) else [],
        "reading": reading,
        "variants": list(Variant),
    }
    return render(request, "arena/owner/compare.html", context)
