"""What stands on the boards, and the frontier of score and cost."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from playtest.arena.models import Board, BoardEntry, Harness
from playtest.arena.queries.scores import CardScore, card_scores
from playtest.arena.queries.usage import NO_USAGE, Usage
from playtest.arena.queries.used import usage_of_cards
from playtest.rules import frontier as rule
from playtest.rules.score import Reading

_DECLARED = ~Q(board=Board.OFFICIAL) | Q(declaration__isnull=False)


@dataclass(frozen=True)
class Standing:
    """An entry with its score and cost as they are today."""

    entry: BoardEntry
    score: CardScore
    usage: Usage

    @property
    def cost(self) -> float | None:
        """In US dollars, over all environments of the card."""
        return self.usage.cost

    @property
    def harness(self) -> Harness | None:
        """Through which it was played; None on the community board."""
        return self.entry.declaration.harness if self.entry.board == Board.OFFICIAL else None


def entries(board: str) -> QuerySet[BoardEntry]:
    """The entries with a rank: those that were not removed and, on the official board, are declared."""
    found = BoardEntry.objects.filter(_DECLARED, board=board, removal__isnull=True)
    return found.select_related("card__key", "entered_by", "declaration__harness", "declaration__declared_by")


def undeclared() -> QuerySet[BoardEntry]:
    """Official entries that wait for a second person, oldest first."""
    found = BoardEntry.objects.filter(board=Board.OFFICIAL, declaration__isnull=True, removal__isnull=True)
    return found.select_related("card__key", "entered_by").order_by("entered_at", "pk")


def removed(board: str) -> QuerySet[BoardEntry]:
    """The entries that left a board, the last one first."""
    found = BoardEntry.objects.filter(board=board, removal__isnull=False)
    return found.select_related("card", "removal").order_by("-removal__removed_at", "-pk")


def harnesses() -> QuerySet[Harness]:
    """Every adopted harness, newest first, with how many `ranked` entries were played through it."""
    ranked = Count("declarations", filter=Q(declarations__entry__removal__isnull=True))
    return Harness.objects.annotate(ranked=ranked).order_by("-adopted_at", "-pk")


def newest_ranked_harness() -> Harness | None:
    """The newest one through which a ranked entry was played."""
    ranked = harnesses().filter(declarations__isnull=False, declarations__entry__removal__isnull=True)
    return ranked.first()


def standings(board: str, reading: Reading, harness: Harness | None = None) -> list[Standing]:
    """The ranked entries of a board, the best score first; of one harness if it is given."""
    found = entries(board)
    if harness is not None:
        found = found.filter(declaration__harness=harness)
    cards = [entry.card for entry in found]
    if not cards:
        return []
    scores, usage = card_scores(cards, reading), usage_of_cards([card.pk for card in cards])
    standing = [Standing(one, scores[one.card_id], usage.get(one.card_id, NO_USAGE)) for one in found]
    return sorted(standing, key=lambda one: (-(one.score.total or 0), one.entry.entered_at))


def frontier(found: Iterable[Standing]) -> list[Standing]:
    """Those that no other one beats in score at the same or a lower cost, the cheapest first."""
    return rule.frontier((one.cost, one.score.total or 0, one) for one in found if one.cost is not None)
