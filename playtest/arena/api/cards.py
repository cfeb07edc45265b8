"""Scorecards: open, use, read and close them."""

from http import HTTPStatus
from typing import Any

from channels.db import database_sync_to_async

from playtest.arena.api import http
from playtest.arena.api.acting import card_unknown, close, close_if_due, find_card, require_open
from playtest.arena.api.http import SERVER, ApiError, Reply, Request, json_reply, not_found
from playtest.arena.models import ApiKey, CloseReason, Scorecard
from playtest.arena.runs.cards import open_card, use_card
from playtest.arena.runs.custody import disclose, told_of
from playtest.arena.scores.official_card import card_of_game, environment_scorecard, environments_of
from playtest.play.clock import now
from playtest.play.errors import Refusal


async def open_scorecard(request: Request, key: ApiKey) -> Reply:
    """Opens a scorecard."""
    data = request.fields
    tags = http.texts(data, "tags")
    if "human" not in tags and "agent" not in tags:
        tags = [*tags, "agent"]
    try:
        card = await database_sync_to_async(open_card)(
            key,
            competition=http.flag(data, "competition_mode"),
            strict=http.flag(data, "strict"),
            source_url=http.text(data, "source_url") or "",
            tags=tags,
            opaque=http.opaque(data),
            card_id=http.repeatable_id(f"key {key.pk}", http.request_key(request.headers)),
        )
    except Refusal as refusal:
        raise ApiError(HTTPStatus(refusal.status), SERVER, refusal.message) from refusal
    return json_reply({"card_id": str(card.card_id)})


async def close_scorecard(request: Request, key: ApiKey) -> Reply:
    """Closes a scorecard and answers its scores, again for one that is closed."""
    card = await _required(http.required_text(request.fields, "card_id"), key)
    await close(card, CloseReason.BY_AGENT)
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


async def _required(card_id: str, key: ApiKey) -> Scorecard:
    card = await find_card(card_id, key)
    if card is None:
        raise not_found(card_unknown(card_id))
    return card


def _told(card: Scorecard, game_id: str = "") -> dict[str, Any]:
    """The card as JSON, as far as it may be told; that the scores of a closed one were is counted.

    ApiError 403: the scores of an open card that are told at its end.
    """
    may_tell = told_of([card])[card.pk]
    if not may_tell.score:
        mode = "in competition mode" if card.competition else "open, with environments that are not public"
        message = f"cannot get scorecard that is {mode}: close it first"
        raise ApiError(HTTPStatus.FORBIDDEN, SERVER, message)
    environments = environments_of(card)
    whole = may_tell.whole
    if card.closed_at is not None:
        disclose(card)
    if game_id:
        return card_of_game(environments if whole else [], game_id)
    return environment_scorecard(card, environments, whole=whole)
