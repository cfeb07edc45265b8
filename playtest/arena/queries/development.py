"""Agents' scores on the public set against those on the sets that nobody outside has seen."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from playtest.arena.models import ApiKey, Scorecard
from playtest.arena.queries.means import MeanScore, mean_over
from playtest.arena.queries.scores import CardScore, card_scores
from playtest.rules.score import Reading
from playtest.studio.models import ReleaseSet

_PUBLIC = (ReleaseSet.PUBLIC,)
_HELD_OUT = (ReleaseSet.SEMI_PRIVATE, ReleaseSet.PRIVATE)


@dataclass(frozen=True)
class Development:
    """An agent's score on the public set beside that on the held-out sets."""

    agent: str
    cards: int
    public: MeanScore
    held_out: MeanScore

    @property
    def both(self) -> tuple[MeanScore, MeanScore]:
        """The public and the held-out score."""
        return self.public, self.held_out

    @property
    def drop(self) -> float | None:
        """Percentage points by which the public score is higher; None unless both are known."""
        if self.public.mean is None or self.held_out.mean is None:
            return None
        return self.public.mean - self.held_out.mean


def agents_in_competition() -> QuerySet[ApiKey, str]:
    """The names of keys with a closed card in competition mode, in their order."""
    keys = ApiKey.objects.filter(cards__in=_closed_cards())
    return keys.order_by("name").values_list("name", flat=True).distinct()


def development(agents: Collection[str], reading: Reading) -> list[Development]:
    """The scores of these agents (names of keys), over their closed competition cards.

    A run counts for the set that its environment was in when it began, and an environment that a card did
    not play for the set that it is in today.
    """
    cards = list(closed_cards_of(agents))
    scores = card_scores(cards, reading)
    return [
        Development(agent, len(own), _over(own, _PUBLIC), _over(own, _HELD_OUT))
        for agent in sorted(agents)
        if (own := [scores[card.pk] for card in cards if card.key.name == agent])
    ]


def closed_cards_of(agents: Collection[str]) -> QuerySet[Scorecard]:
    """The closed competition cards of these agents."""
    return _closed_cards().filter(key__name__in=agents).select_related("key")


def _closed_cards() -> QuerySet[Scorecard]:
    return Scorecard.objects.filter(competition=True, closed_at__isnull=False)


def _over(cards: Sequence[CardScore], sets: Sequence[str]) -> MeanScore:
    """The mean over the environments of these sets, each with all its runs."""
    return mean_over(
        (one.version.environment_id, one.score)
        for card in cards
        for one in card.environments
        if one.release_set in sets
    )
