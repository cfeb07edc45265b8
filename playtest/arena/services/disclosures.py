"""Counts the scores that left: each is a hint about the environments behind it."""

from collections import Counter

from django.db import transaction

from playtest.arena.models import Disclosure, Scorecard
from playtest.arena.queries.environments import unplayed
from playtest.play.clock import now
from playtest.play.errors import Refusal


def disclose(card: Scorecard) -> None:
    """Counts the score of a closed card as told, once for each release set that it is about.

    To be called before the score is told to its key or shown on a board; only the first call has an effect.
    A score is about the environments that were played, in the set that each was in when its run began; in
    competition mode about all environments of the card's sets. Refusal: card_open.
    """
    if card.closed_at is None:
        raise Refusal("card_open", "Close this scorecard first: its score can still change.")
    if card.disclosures.exists():
        return
    with transaction.atomic():
        Scorecard.objects.select_for_update().get(pk=card.pk)  # a second request waits
        if not card.disclosures.exists():
            moment = now()
            Disclosure.objects.bulk_create(
                Disclosure(card=card, release_set=release_set, environments=count, at=moment)
                for release_set, count in sorted(_environments_by_set(card).items())
            )


def _environments_by_set(card: Scorecard) -> Counter[str]:
    """How many environments of each set the card's score is about."""
    scored = {one.environment_id: one.environment.release_set for one in unplayed([card]).get(card.pk, ())}
    scored |= dict(card.runs.order_by("-pk").values_list("environment", "release_set"))
    return Counter(scored.values())
