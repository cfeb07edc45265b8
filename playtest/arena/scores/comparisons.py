"""Mean scores with their uncertainty, people's own scores, and public against held-out sets."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl
from django.db.models import QuerySet

from playtest.arena.models import ApiKey, Scorecard
from playtest.arena.runs.sums import LevelCount, PlayCounts
from playtest.arena.scores.baselines import Baseline
from playtest.arena.scores.card_scores import CardScore, MeanScore, card_scores, counts_of, score_counts
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.results import IS_CUT_SHORT, attempts, levels
from playtest.rules.inference.agents import Difference, Environment, difference
from playtest.rules.results import counted_actions
from playtest.rules.score import Reading
from playtest.studio.models import HELD_OUT, ReleaseSet, Version

_PUBLIC = (ReleaseSet.PUBLIC,)


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


def repeats(
    cards: Iterable[Scorecard], reading: Reading, known: Mapping[int, CardScore]
) -> Mapping[int, Repeats]:
    """By card, all closed competition cards of its key over its sets, if there are several.

    `known` are scores by this reading, by card, that need not be computed again.
    """
    cards = [card for card in cards if card.competition and card.closed_at is not None]
    keys = {card.key_id for card in cards}
    played = list(
        Scorecard.objects.filter(key__in=keys, competition=True, closed_at__isnull=False).order_by("pk")
    )
    scores = {**known, **card_scores((one for one in played if one.pk not in known), reading)}
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


@dataclass(frozen=True)
class PersonScore:
    """One attempt that counts, of a real person who is not excluded; the score is None without a baseline."""

    attempt_id: int
    participant: str
    counts: PlayCounts
    score: float | None


def people_who_count(versions: Collection[Version]) -> pl.DataFrame:
    """The attempts of people with whom agents are compared: neither excluded in part nor cut short."""
    return attempts(EVERYONE, [version.environment for version in versions]).filter(
        pl.col("counted"),
        pl.col("excluded_from").is_null(),
        ~IS_CUT_SHORT,
        pl.col("version").is_in([version.pk for version in versions]),
    )


def people_scores(
    versions: Collection[Version], baselines: Mapping[int, Baseline], reading: Reading
) -> dict[int, list[PersonScore]]:
    """The scores of the people who tested each version, by its primary key. No budget ends a person's play.

    Attempts that are excluded in part or were cut short are left out. Level results have to be up to date.
    """
    reading = replace(reading, budget=False)
    found: dict[int, list[PersonScore]] = {version.pk: [] for version in versions}
    if not versions:
        return found
    tested = people_who_count(versions)
    rows = tested.select("attempt", "version", "participant").rows()
    counts = _counts(tested, undo_counts=reading.undo_counts)
    how_many = {version.pk: version.levels for version in versions}
    for attempt, version, participant in rows:
        compared, _ = counts_of(baselines[version], reading.variant)
        _, score = score_counts(counts[attempt], how_many[version], baselines[version], compared, reading)
        found[version].append(PersonScore(attempt, participant, counts[attempt], score if compared else None))
    return found


_COUNTS = ("level", "actions", "undos", "resets", "completed")


def _counts(tested: pl.DataFrame, *, undo_counts: bool) -> dict[int, PlayCounts]:
    """The counts of each attempt, of stored level results."""
    found = dict.fromkeys(tested["attempt"].to_list(), PlayCounts())
    reached = levels(tested, EVERYONE).sort("attempt", "level")
    for (attempt, *_), rows in reached.group_by("attempt", maintain_order=True):
        counts = [
            LevelCount(level, counted_actions(actions, undos, undo_counts=undo_counts), resets, completed)
            for level, actions, undos, resets, completed in rows.select(_COUNTS).iter_rows()
        ]
        found[int(str(attempt))] = PlayCounts(
            actions=sum(one.actions for one in counts),
            resets=sum(one.resets for one in counts),
            levels_completed=sum(one.completed for one in counts),
            levels=tuple(counts),
        )
    return found


def difference_to_people(card: CardScore) -> Difference | None:
    """How the card's score differs from the people's, over the environments that both played."""
    return differences_to_people([card])[card.card.pk]


def differences_to_people(cards: Sequence[CardScore]) -> dict[int, Difference | None]:
    """The same of several cards that are read in one way, by primary key."""
    played = {
        card.card.pk: [one for one in card.environments if one.played and not one.problem] for card in cards
    }
    versions = {one.version.pk: one for of_card in played.values() for one in of_card}
    people = people_scores(
        [one.version for one in versions.values()],
        {pk: one.baseline for pk, one in versions.items()},
        cards[0].reading if cards else Reading(),
    )
    known = {
        pk: {one.participant: one.score for one in of if one.score is not None} for pk, of in people.items()
    }
    return {
        card: difference([Environment((one.score,), known[one.version.pk]) for one in of_card])
        for card, of_card in played.items()
    }


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


def development_of(agents: Collection[str], reading: Reading) -> list[Development]:
    """The scores of these agents (names of keys), over their closed competition cards.

    A run counts for the set that its environment was in when it began, and an environment that a card did
    not play for the set that it is in today.
    """
    cards = list(closed_cards_of(agents))
    scores = card_scores(cards, reading)
    return [
        Development(agent, len(own), _over(own, _PUBLIC), _over(own, HELD_OUT))
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
