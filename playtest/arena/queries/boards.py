"""What stands on the boards, the frontier of score and cost, and public against held-out scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from playtest.arena.models import BoardEntry, Scorecard
from playtest.arena.queries.scores import CardScore, card_scores
from playtest.arena.queries.usage import NO_USAGE, Usage, usage_of_cards
from playtest.rules.score import Reading
from playtest.rules.score_intervals import Environment, ScoreInterval, mean_interval
from playtest.studio.models import ReleaseSet


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


@dataclass(frozen=True)
class SetScore:
    """An agent's mean score in percent over the environments of some sets, with its interval."""

    environments: int
    mean: float | None
    interval: ScoreInterval | None


@dataclass(frozen=True)
class Development:
    """An agent's score on the public set beside that on the sets that nobody outside has seen."""

    agent: str
    cards: int
    public: SetScore
    held_out: SetScore

    @property
    def drop(self) -> float | None:
        """Percentage points by which the public score is higher; None unless both are known."""
        if self.public.mean is None or self.held_out.mean is None:
            return None
        return self.public.mean - self.held_out.mean


def standings(board: str, reading: Reading) -> list[Standing]:
    """The entries of a board, the best score first; removed ones are left out."""
    entries = list(
        BoardEntry.objects.filter(board=board, removed_at__isnull=True).select_related("card__key")
    )
    cards = [entry.card for entry in entries]
    scores, usage = card_scores(cards, reading), usage_of_cards([card.pk for card in cards])
    found = [Standing(entry, scores[entry.card_id], usage.get(entry.card_id, NO_USAGE)) for entry in entries]
    return sorted(found, key=lambda one: (-(one.score.total or 0), one.entry.entered_at))


def frontier(found: Iterable[Standing]) -> list[Standing]:
    """Those that no other one beats in score at the same or a lower cost, the cheapest first."""
    best, unbeaten = -1.0, list[Standing]()
    known = [one for one in found if one.cost is not None]
    for one in sorted(known, key=lambda one: (one.cost or 0, -(one.score.total or 0))):
        if (one.score.total or 0) > best:
            best = one.score.total or 0
            unbeaten.append(one)
    return unbeaten


def development(reading: Reading) -> list[Development]:
    """Each agent's (key name's) scores on public and held-out sets, over closed competition cards."""
    cards = list(Scorecard.objects.filter(competition=True, closed_at__isnull=False).select_related("key"))
    scores = card_scores(cards, reading)
    by_agent: dict[str, list[CardScore]] = {}
    for card in cards:
        by_agent.setdefault(card.key.name, []).append(scores[card.pk])
    return [
        Development(
            agent,
            len(own),
            _over(own, (ReleaseSet.PUBLIC,)),
            _over(own, (ReleaseSet.SEMI_PRIVATE, ReleaseSet.PRIVATE)),
        )
        for agent, own in sorted(by_agent.items())
    ]


def _over(cards: Sequence[CardScore], sets: Sequence[str]) -> SetScore:
    """The mean over the environments of these sets, each with all its runs."""
    runs: dict[int, list[float]] = {}
    for card in cards:
        for one in card.environments:
            if one.version.environment.release_set in sets:
                runs.setdefault(one.version.environment_id, []).append(one.score)
    environments = [Environment(tuple(scores)) for scores in runs.values()]
    mean = fmean(fmean(one.runs) for one in environments) if environments else None
    return SetScore(len(environments), mean, mean_interval(environments))
