"""What may be told of a card, on which board it may stand, and which scores were told, by sets.

A run belongs to the set that its environment was in when the run began. Staff can move the environment while
it is played or later; what may be told then follows the stricter of the two sets. Each score that is told is
a hint about the environments behind it, so it is counted.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from playtest.arena.models import Board, BoardEntry, Disclosure, Holdout, Run, Scorecard
from playtest.arena.runs.cards import unplayed
from playtest.arena.runs.owners import owner_says
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.rules.custody import PRIVATE, PUBLIC, SEMI_PRIVATE, Fact, all_may_disclose, stricter
from playtest.rules.run_analysis import Part


@dataclass(frozen=True)
class Told:
    """What may be told of a card, by its sets: of each run, the stricter one of then and now.

    In competition mode also the sets of the card, all of whose environments are scored.
    """

    card: Scorecard
    sets: frozenset[str]

    def may_disclose(self, fact: Fact) -> bool:
        return all_may_disclose(self.sets, fact)

    @property
    def score(self) -> bool:
        """Whether its score may be told now; of a competition, and of what is not public, at its end."""
        hidden = self.card.competition or not self.may_disclose(Fact.SCORE_OF_OPEN_CARD)
        return self.card.closed_at is not None or not hidden

    @property
    def whole(self) -> bool:
        """Whether more may be told than its total: scores of environments and levels, and its replays."""
        return self.may_disclose(Fact.SCORE_BY_ENVIRONMENT)


def told_of(cards: Iterable[Scorecard]) -> dict[int, Told]:
    """What may be told of each card, by primary key, in one query."""
    found = {card.pk: card for card in cards}
    sets = {pk: set(card.sets if card.competition else ()) for pk, card in found.items()}
    columns = ("card__pk", "release_set", "environment__release_set")
    runs = Run.objects.filter(card__in=found).values_list(*columns)
    for card, began, today in runs.distinct():
        sets[card].add(stricter(began, today))
    return {pk: Told(card, frozenset(sets[pk])) for pk, card in found.items()}


def run_may_disclose(run: Run, fact: Fact) -> bool:
    """Whether this fact may be told about a run and its environment."""
    return all_may_disclose([stricter(run.release_set, run.environment.release_set)], fact)


@dataclass(frozen=True)
class Draw:
    """The newest division of a key's environments, and the codes that a card of the key does not show.

    Those are the final part, until it is read on that card. A card on a board is published as a whole.
    """

    holdout: Holdout
    sealed: frozenset[str]


def draws_of(cards: Iterable[Scorecard]) -> dict[int, Draw]:
    """By primary key, of those cards whose key's environments are divided."""
    found = {card.pk: card for card in cards}
    related = ("drawn_by", "final_reading__card", "final_reading__read_by")
    drawn = Holdout.objects.filter(key__in={card.key_id for card in found.values()}).order_by("pk")
    newest = {one.key_id: one for one in drawn.select_related(*related)}
    if not newest:
        return {}
    whole: set[Any] = set(
        BoardEntry.objects.filter(card__in=found, removal=None).values_list("card", flat=True)
    )
    whole |= {one.final_reading.card_id for one in newest.values() if hasattr(one, "final_reading")}
    return {
        pk: Draw(newest[card.key_id], frozenset(() if pk in whole else newest[card.key_id].parts[Part.FINAL]))
        for pk, card in found.items()
        if card.key_id in newest
    }


def refusal_of_entry(board: str, card: Scorecard) -> Refusal | None:
    """Why a card may not stand on a board; None if it may.

    Codes: card_open, card_withdrawn, card_without_runs, card_not_in_competition, final_unread; for the
    official board also public_set_on_official_board and withdrawn_from_sets. A run counts as public if its
    environment is public now or was when the run began: both are known to everybody when the score is
    published.
    """
    if card.closed_at is None:
        return Refusal("card_open", "Close this scorecard first: its score can still change.")
    if owner_says([card.pk])[card.pk].withdrawn:
        return Refusal("card_withdrawn", "The owner of its key has withdrawn this scorecard.")
    runs = _sets_of_runs(card)
    if not runs:
        return Refusal("card_without_runs", "Nothing was played on this scorecard.")
    if not card.competition:
        message = "Only scorecards in competition mode can stand on a board: each environment is played once."
        return Refusal("card_not_in_competition", message)
    if (draw := draws_of([card]).get(card.pk)) and draw.sealed:
        message = "A board shows all environments: read the final part of this key's on this card first."
        return Refusal("final_unread", message)
    if board != Board.OFFICIAL:
        return None
    sets = {one for pair in runs for one in pair} | set(card.sets)
    if PUBLIC in sets:
        message = "The official board takes scores over semi-private and private sets only."
        return Refusal("public_set_on_official_board", f"{message} This scorecard has a public environment.")
    if sets - {PRIVATE, SEMI_PRIVATE}:
        message = "An environment of this scorecard is in no set any more. Its score belongs to no set."
        return Refusal("withdrawn_from_sets", message)
    return None


def _sets_of_runs(card: Scorecard) -> set[tuple[str, str]]:
    """The set of each run when it began, and its environment's now."""
    return set(card.runs.values_list("release_set", "environment__release_set"))


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
