"""Scorecards: open, use, read and close them."""

import uuid
from http import HTTPStatus
from typing import Any

from channels.db import database_sync_to_async

from playtest.arena.api import http
from playtest.arena.api.http import SERVER, ApiError, Reply, Request, invalid, json_reply, not_found
from playtest.arena.api.live_runs import live_runs
from playtest.arena.models import ApiKey, CloseReason, Scorecard
from playtest.arena.runs.cards import Wanted, close_card, open_card, use_card, why_due
from playtest.arena.runs.custody import card_may_disclose, disclose
from playtest.arena.scores.official_card import card_of_game, environment_scorecard, environments_of
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.rules.custody import Fact


async def open_scorecard(request: Request, key: ApiKey) -> Reply:
    """Opens a scorecard."""
    data = request.fields
    tags = http.texts(data, "tags")
    if "human" not in tags and "agent" not in tags:
        tags = [*tags, "agent"]
    request_key = http.request_key(request.headers)
    wanted = Wanted(
        competition=http.flag(data, "competition_mode"),
        strict=http.flag(data, "strict"),
        source_url=http.text(data, "source_url") or "",
        tags=tags,
        opaque=http.opaque(data),
        card_id=http.repeatable_id(f"key {key.pk}", request_key),
    )
    try:
        card = await database_sync_to_async(open_card)(key, wanted)
    except Refusal as refusal:
        raise ApiError(HTTPStatus(refusal.status), SERVER, refusal.message) from refusal
    return json_reply({"card_id": str(card.card_id)})


async def close_scorecard(request: Request, key: ApiKey) -> Reply:
    """Closes a scorecard and answers its scores, again for one that is closed."""
    card = await _required(http.required_text(request.fields, "card_id"), key)
    await _close(card, CloseReason.BY_AGENT)
    return json_reply(await database_sync_to_async(_told)(card))


async def read_scorecard(request: Request, key: ApiKey, card_id: str, game_id: str = "") -> Reply:
    """Answers a scorecard, or its counts of one environment."""
    card = await _required(card_id, key)
    await close_if_due(card)
    return json_reply(await database_sync_to_async(_told)(card, game_id))


async def keep_scorecard(request: Request, key: ApiKey) -> Reply:
    """Notes that a scorecard is in use: it stays open for another 15 minutes."""
    card = await _required(http.required_text(request.fields, "card_id"), key)
    await require_open(card)
    await database_sync_to_async(use_card)(card.pk, now())
    return json_reply({"card_id": str(card.card_id)})


async def find_card(card_id: str, key: ApiKey) -> Scorecard | None:
    """A key's card; None if there is none with this id, or it is another key's."""
    try:
        value = uuid.UUID(card_id)
    except ValueError:
        return None
    return await Scorecard.objects.filter(card_id=value, key=key).afirst()


async def close_if_due(card: Scorecard) -> bool:
    """Close an open card that was idle or open for too long; whether it is closed now."""
    if card.closed_at is not None or why_due(card, now()) is None:
        return False
    await card.arefresh_from_db()  # it may have been used in another process
    if not is_closed(card) and (reason := why_due(card, now())):
        await _close(card, reason)
    return is_closed(card)


async def require_open(card: Scorecard) -> None:
    """ApiError 400, if the card is closed or has to be."""
    if card.closed_at is not None or await close_if_due(card):
        raise closed(card)


def is_closed(card: Scorecard) -> bool:
    return card.closed_at is not None


def closed(card: Scorecard) -> ApiError:
    """The answer to an action on a closed card."""
    why = f" ({card.get_close_reason_display()})" if card.close_reason else ""
    return invalid(f"The card {card.card_id} is closed{why}: open another one.", SERVER)


async def _close(card: Scorecard, reason: CloseReason) -> None:
    if card.closed_at is None:
        await database_sync_to_async(close_card)(card.pk, reason)
        await card.arefresh_from_db()
    live_runs.forget_card(card.pk)


async def _required(card_id: str, key: ApiKey) -> Scorecard:
    card = await find_card(card_id, key)
    if card is None:
        raise not_found(f"card_id `{card_id}` not found")
    return card


def _told(card: Scorecard, game_id: str = "") -> dict[str, Any]:
    """The card as JSON, as far as it may be told; that the scores of a closed one were is counted.

    ApiError 403: the scores of an open card that are told at its end.
    """
    if card.closed_at is None and (card.competition or not card_may_disclose(card, Fact.SCORE_OF_OPEN_CARD)):
        mode = "in competition mode" if card.competition else "open, with environments that are not public"
        message = f"cannot get scorecard that is {mode}: close it first"
        raise ApiError(HTTPStatus.FORBIDDEN, SERVER, message)
    environments = environments_of(card)
    whole = card_may_disclose(card, Fact.SCORE_BY_ENVIRONMENT)
    if card.closed_at is not None:
        disclose(card)
    if game_id:
        return card_of_game(environments if whole else [], game_id)
    return environment_scorecard(card, environments, whole=whole)
