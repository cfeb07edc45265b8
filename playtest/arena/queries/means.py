"""Mean scores over environments, each with one or several runs, and how sure they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from playtest.arena.models import Scorecard
from playtest.arena.queries.scores import CardScore, card_scores
from playtest.rules.score import Reading
from playtest.rules.score_intervals import Environment, ScoreInterval, mean_interval, why_none


@dataclass(frozen=True)
class MeanScore:
    """The mean in percent over environments of the mean over runs in each."""

    scores: tuple[Environment, ...]

    @property
    def environments(self) -> int:
        return len(self.scores)

    @property
    def runs(self) -> int:
        return sum(len(one.runs) for one in self.scores)

    @property
    def mean(self) -> float | None:
        return fmean(fmean(one.runs) for one in self.scores) if self.scores else None

    @cached_property
    def interval(self) -> ScoreInterval | None:
        """Over environments and within each over runs; over runs alone where environments are few."""
        return mean_interval(self.scores)

    @property
    def no_interval(self) -> str:
        """Why there is none."""
        return why_none(self.scores)


@dataclass(frozen=True)
class Repeats:
    """The closed competition cards of one key over the same sets: what one of them alone does not say."""

    cards: tuple[CardScore, ...]
    score: MeanScore

    @property
    def totals(self) -> list[float]:
        """The total of each card in percent, lowest first."""
        return sorted(card.total or 0.0 for card in self.cards)


def mean_over(scores: Iterable[tuple[int, float]]) -> MeanScore:
    """The mean of runs' scores, each given with its environment (primary key)."""
    runs: dict[int, list[float]] = {}
    for environment, score in scores:
        runs.setdefault(environment, []).append(score)
    return MeanScore(tuple(Environment(tuple(of_one)) for of_one in runs.values()))


def mean_of_plays(card: CardScore) -> MeanScore | None:
    """The mean over all plays of a card; None if no environment was played more than once."""
    if all(len(one.plays) < 2 for one in card.environments):
        return None
    plays = ((one, play.score) for one in card.environments for play in one.plays)
    unplayed = ((one, 0.0) for one in card.environments if not one.plays)
    return mean_over((one.version.environment_id, score) for one, score in (*plays, *unplayed))


def repeats(cards: Iterable[Scorecard], reading: Reading) -> Mapping[int, Repeats]:
    """By card, all closed competition cards of its key over its sets, if there are several."""
    cards = [card for card in cards if card.competition and card.closed_at is not None]
    keys = {card.key_id for card in cards}
    played = list(
        Scorecard.objects.filter(key__in=keys, competition=True, closed_at__isnull=False).order_by("pk")
    )
    scores = card_scores(played, reading)
    together: dict[tuple[int, frozenset[str]], list[CardScore]] = {}
    for one in played:
        together.setdefault(_kind(one), []).append(scores[one.pk])
    return {
        card.pk: Repeats(tuple(own), _over_cards(own))
        for card in cards
        if len(own := together.get(_kind(card), [])) > 1
    }


def _kind(card: Scorecard) -> tuple[int, frozenset[str]]:
    return card.key_id, frozenset(card.sets)


def _over_cards(cards: Sequence[CardScore]) -> MeanScore:
    return mean_over((one.version.environment_id, one.score) for card in cards for one in card.environments)
