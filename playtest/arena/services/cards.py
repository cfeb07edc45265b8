"""Opens, uses and closes scorecards."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from playtest.arena.models import ApiKey, CloseReason, Scorecard
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.play.sessions.attempts import end_attempt
from playtest.rules.attempt import Outcome

IDLE = timedelta(minutes=15)
LONGEST_OPEN = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an agent gives when it opens a card. `card_id` makes a repeated request open it once."""

    competition: bool = False
    strict: bool = False
    source_url: str = ""
    tags: Sequence[str] = ()
    opaque: Any = None
    card_id: uuid.UUID | None = None


def open_card(key: ApiKey, wanted: Wanted) -> Scorecard:
    """Open a card for the sets of a key. Refusal card_open (409), while its competition card is open."""
    if wanted.card_id and (known := Scorecard.objects.filter(key=key, card_id=wanted.card_id).first()):
        return known
    close_due(key)
    moment = now()
    try:
        with transaction.atomic():
            ApiKey.objects.select_for_update(no_key=True).get(pk=key.pk)
            running = Scorecard.objects.filter(key=key, competition=True, closed_at=None).first()
            if running is not None:
                raise _card_open(running)
            return Scorecard.objects.create(
                card_id=wanted.card_id or uuid.uuid4(),
                key=key,
                sets=key.sets,
                competition=wanted.competition,
                strict=wanted.strict,
                source_url=wanted.source_url,
                tags=list(wanted.tags),
                opaque=wanted.opaque,
                opened_at=moment,
                used_at=moment,
            )
    except IntegrityError:  # the same request, at the same moment, at another process
        if wanted.card_id is None:
            raise
        return Scorecard.objects.get(key=key, card_id=wanted.card_id)


def use_card(card_id: int, at: datetime) -> None:
    """Note that an open card was used."""
    Scorecard.objects.filter(pk=card_id, closed_at=None, used_at__lt=at).update(used_at=at)


def close_card(card_id: int, reason: CloseReason) -> bool:
    """Close a card now and end its runs (CARD_CLOSED); False if it was closed already."""
    with transaction.atomic():
        card = Scorecard.objects.select_for_update().get(pk=card_id)
        if card.closed_at is not None:
            return False
        moment = now()
        playing = Attempt.objects.filter(play__run__card=card, ended_at=None)
        for attempt in playing.order_by("pk").values_list("pk", flat=True):
            end_attempt(attempt, Outcome.CARD_CLOSED, moment)
        card.closed_at, card.close_reason = moment, reason
        card.save(update_fields=["closed_at", "close_reason"])
    return True


def why_due(card: Scorecard, moment: datetime) -> CloseReason | None:
    """Why an open card has to be closed at this moment, if it has."""
    if moment - card.opened_at >= LONGEST_OPEN:
        return CloseReason.TOO_OLD
    return CloseReason.IDLE if moment - card.used_at >= IDLE else None


def close_due(key: ApiKey | None = None) -> int:
    """Close every card, or every one of a key, that is idle or too old; how many."""
    found = Scorecard.objects.filter(closed_at=None)
    if key is not None:
        found = found.filter(key=key)
    moment, closed = now(), 0
    for card in found:
        if reason := why_due(card, moment):
            closed += close_card(card.pk, reason)
    return closed


def _card_open(card: Scorecard) -> Refusal:
    message = f"Close the competition card {card.card_id} first: a key has one open card in competition mode."
    return Refusal("card_open", message)
