"""Scores of plays and scorecards against baselines; each names its reading and its baselines."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from statistics import fmean
from typing import Any, NamedTuple

from django.core.cache import cache

from playtest.arena.models import Play, Run, Scorecard
from playtest.arena.runs.cards import unplayed
from playtest.arena.runs.custody import Draw, draws_of
from playtest.arena.runs.sums import PlayCounts, counts_and_usage
from playtest.arena.runs.usage import NO_USAGE, Usage
from playtest.arena.scores.baselines import Baseline, Source, compared_with
from playtest.people.release import computed
from playtest.rules import score as rules
from playtest.rules.custody import hides_budget
from playtest.rules.inference.agents import Environment, ScoreInterval, mean_interval, why_none
from playtest.studio.models import Version


@dataclass(frozen=True, slots=True)
class LevelScore:
    """One level of a play. `score` in percent is None without a baseline; `ended`: after the budget's end."""

    level: int
    actions: int
    resets: int
    completed: bool
    baseline: int | None
    score: float | None
    ended: bool = False


def counts_of(baseline: Baseline, variant: rules.Variant) -> tuple[tuple[int, ...], str]:
    """The actions that levels are scored against, empty when something is missing, and what is missing."""
    if baseline.source == Source.NONE:
        none = Source.SIMULATED if variant == rules.Variant.SIMULATED_REFERENCE else "baseline"
        return (), f"no {none}"
    if variant != rules.Variant.SECOND_BEST:
        return baseline.actions, ""
    if baseline.source != Source.RELEASE:
        return (), "no release, so the second best person is not known"
    known = tuple(actions for actions in baseline.second_best if actions is not None)
    if len(known) < len(baseline.actions):
        return (), "fewer than two people completed a level"
    return known, ""


def score_counts(
    counts: PlayCounts, levels: int, baseline: Baseline, compared: Sequence[int], reading: rules.Reading
) -> tuple[tuple[LevelScore, ...], float]:
    """All levels of a play with their scores, and the environment's score in percent."""
    taken = [counts.level(number) for number in range(1, levels + 1)]
    if not compared:
        return tuple(
            LevelScore(one.level, one.actions, one.resets, one.completed, baseline.of(one.level), None)
            for one in taken
        ), 0.0
    last = rules.over_budget([one.actions for one in taken], baseline.actions) if reading.budget else None
    scored, runs = [], []
    for one, against in zip(taken, compared, strict=True):
        ended = last is not None and one.level >= last
        # A level whose only actions were undos would have none when undo is not counted.
        run = rules.LevelRun(one.completed and not ended, max(one.actions, int(one.completed)), against)
        runs.append(run)
        score = rules.level_score(run, reading.variant)
        scored.append(LevelScore(one.level, one.actions, one.resets, one.completed, against, score, ended))
    return tuple(scored), rules.environment_score(runs, reading.variant)


@dataclass(frozen=True)
class PlayScore:
    """A play with its score in percent; 0 without a baseline."""

    play: Play
    counts: PlayCounts
    levels: tuple[LevelScore, ...]
    score: float


class Result(NamedTuple):
    """What the plays of a version on a card come to: the score of the best one in percent, the actions of all
    of them, and the release set in which its run began."""

    score: float
    actions: int
    release_set: str


@dataclass(frozen=True)
class EnvironmentScore:
    """A version on a card. `result` is None if it was not played; `plays` are read for its own page.

    `problem`: why it has no baseline.
    """

    version: Version
    baseline: Baseline
    problem: str
    result: Result | None = None
    plays: tuple[PlayScore, ...] = ()

    @cached_property
    def best(self) -> PlayScore | None:
        """The play that counts."""
        return best_of(self.plays)

    @property
    def played(self) -> bool:
        return self.result is not None

    @property
    def score(self) -> float:
        """In percent; 0 if it was not played or has no baseline."""
        return self.result.score if self.result else 0.0

    @property
    def code(self) -> str:
        return self.version.environment.code

    @property
    def release_set(self) -> str:
        """The set in which its run began; of an environment that was not played, the one of today."""
        return self.result.release_set if self.result else self.version.environment.release_set

    @property
    def actions(self) -> int:
        """All actions of all plays."""
        return self.result.actions if self.result else 0


def best_of(plays: Sequence[PlayScore]) -> PlayScore | None:
    """The highest score, as in arc_agi; then most levels, then one with an action, then the first.

    The official toolkit begins an environment when it makes it, and most agents reset it before they act.
    """

    def merit(play: PlayScore) -> tuple[float, int, bool]:
        return play.score, play.counts.levels_completed, play.counts.actions > 0

    return max(plays, key=merit, default=None)


@dataclass(frozen=True)
class MeanScore:
    """The mean in percent over environments of the mean over runs in each, and how sure it is."""

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
        """Over environments, or over runs where environments are few."""
        return mean_interval(self.scores)

    @property
    def no_interval(self) -> str:
        """Why there is none."""
        return why_none(self.scores)


@dataclass(frozen=True)
class CardScore:
    """A card read in one way. In competition mode all environments of its sets are on it.

    Those that `draw` seals are left out. `usage` is that of all its plays.
    """

    card: Scorecard
    reading: rules.Reading
    environments: tuple[EnvironmentScore, ...]
    usage: Usage
    draw: Draw | None = None

    @cached_property
    def total(self) -> float | None:
        """The mean over environments in percent; None when there are none."""
        return rules.total_score(one.score for one in self.environments)

    @cached_property
    def mean(self) -> MeanScore:
        """The total with its uncertainty, one score an environment."""
        return MeanScore(tuple(Environment((one.score,)) for one in self.environments))

    @property
    def played(self) -> int:
        return sum(one.played for one in self.environments)

    @property
    def actions(self) -> int:
        return sum(one.actions for one in self.environments)

    @property
    def without_baseline(self) -> dict[str, list[str]]:
        """What is missing, with the environments (codes) that count as 0 for it."""
        found: dict[str, list[str]] = {}
        for one in self.environments:
            if one.problem:
                found.setdefault(one.problem, []).append(one.code)
        return found

    @property
    def sources(self) -> str:
        """How many environments have their baseline where: "metadata (40), none (4)"."""
        found = Counter(one.baseline.source.value for one in self.environments)
        return ", ".join(f"{source} ({count})" for source, count in found.most_common())

    @property
    def baselines(self) -> str:
        """Where the baselines are from: "ws72 release 2, tz85 metadata"."""
        return ", ".join(f"{one.code} {one.baseline.name}" for one in self.environments)


def default_reading(card: Scorecard) -> rules.Reading:
    """The toolkit's; cut off at the budget in competition mode, and in private sets, where no play ends."""
    return rules.Reading(budget=card.competition or any(map(hides_budget, card.sets)))


def card_score(card: Scorecard, reading: rules.Reading | None = None) -> CardScore:
    """The score of one card with its plays, by its default reading if none is given."""
    return card_scores([card], reading, with_plays=True)[card.pk]


def card_scores(
    cards: Iterable[Scorecard], reading: rules.Reading | None = None, *, with_plays: bool = False
) -> dict[int, CardScore]:
    """The scores of cards by primary key, in a few queries for all of them.

    Without plays, what closed cards come to is remembered, for as long as their baselines are the same.
    """
    cards, default = list(cards), reading or rules.Reading()
    readings = {card.pk: reading or default_reading(card) for card in cards}
    keys = {} if with_plays else {card.pk: _key(card, readings[card.pk]) for card in cards if card.closed_at}
    stored: dict[str, _Remembered] = cache.get_many(keys.values())
    remembered = {pk: stored[key] for pk, key in keys.items() if key in stored}
    played = {pk: list(results) for pk, (_, _, results) in remembered.items()}
    played |= _versions_by_card([card for card in cards if card.pk not in remembered])
    versions = (
        Version.objects.select_related("environment").defer("source").in_bulk(set().union(*played.values()))
    )
    begun = {(card, versions[pk].environment_id) for card, of in played.items() for pk in of}
    not_played, draws = unplayed(cards, begun), draws_of(cards)
    versions |= {one.pk: one for missing in not_played.values() for one in missing}
    baselines = compared_with(versions.values(), default)
    bare = {
        pk: EnvironmentScore(one, baselines[pk], counts_of(baselines[pk], default.variant)[1])
        for pk, one in versions.items()
    }
    names = {pk: repr(one) for pk, one in baselines.items()}
    against = {card: _digest(names[pk] for pk in sorted(of)) for card, of in played.items()}
    found = {pk: _recalled(one, bare) for pk, one in remembered.items() if one[0] == against[pk]}
    new = _scored([card for card in cards if card.pk not in found], bare, readings)
    read = {keys[pk]: _to_remember(against[pk], *one) for pk, one in new.items() if pk in keys}
    cache.set_many(read, _CACHE_SECONDS)
    found |= new
    scores = {}
    for card in cards:
        draw, (environments, usage) = draws.get(card.pk), found[card.pk]
        whole = [*environments, *(bare[one.pk] for one in not_played.get(card.pk, ()))]
        shown = [one for one in whole if draw is None or one.code not in draw.sealed]
        shown.sort(key=lambda one: (one.code, one.version.pk))
        scores[card.pk] = CardScore(card, readings[card.pk], tuple(shown), usage, draw)
    return scores


_CACHE_SECONDS = 24 * 60 * 60
type _Remembered = tuple[str, tuple[int, ...], dict[int, tuple[Any, ...]]]
"""Of a card: the digest of its baselines, the numbers of its usage, the fields of `Result` by version."""
type _Scored = tuple[list[EnvironmentScore], Usage]
"""What was played on a card, and what that used."""


def _key(card: Scorecard, reading: rules.Reading) -> str:
    return computed(f"card-score:{card.card_id}:{reading.variant}:{reading.undo_counts}:{reading.budget}")


def _digest(names: Iterable[str]) -> str:
    return blake2b("".join(names).encode(), digest_size=12).hexdigest()


def _to_remember(against: str, environments: list[EnvironmentScore], usage: Usage) -> _Remembered:
    results = {one.version.pk: tuple(one.result) for one in environments if one.result}
    return against, usage.numbers, results


def _recalled(remembered: _Remembered, bare: Mapping[int, EnvironmentScore]) -> _Scored:
    _, usage, results = remembered
    known = ((bare[pk], Result(*result)) for pk, result in results.items())
    return [EnvironmentScore(one.version, one.baseline, one.problem, of) for one, of in known], Usage(*usage)


def _scored(
    cards: list[Scorecard], bare: Mapping[int, EnvironmentScore], readings: Mapping[int, rules.Reading]
) -> dict[int, _Scored]:
    """What these cards come to, by primary key, from the sums of their plays."""
    plays = _plays(cards, bare)
    undo_counts = all(one.undo_counts for one in readings.values())
    attempts = [play.attempt_id for of_card in plays.values() for of in of_card.values() for play in of]
    summed = counts_and_usage(attempts, undo_counts=undo_counts)
    found = {}
    for card in cards:
        environments, usage = list[EnvironmentScore](), NO_USAGE
        for version, of in plays[card.pk].items():
            counts = [(play, summed[play.attempt_id][0]) for play in of]
            environments.append(_with_plays(bare[version], counts, readings[card.pk]))
            usage = sum((summed[play.attempt_id][1] for play in of), usage)
        found[card.pk] = environments, usage
    return found


def _with_plays(
    bare: EnvironmentScore, plays: Iterable[tuple[Play, PlayCounts]], reading: rules.Reading
) -> EnvironmentScore:
    """A version with its plays scored against its baseline."""
    version, baseline = bare.version, bare.baseline
    compared, problem = counts_of(baseline, reading.variant)
    scored = tuple(
        PlayScore(play, counts, *score_counts(counts, version.levels, baseline, compared, reading))
        for play, counts in plays
    )
    best = best_of(scored)
    actions, release_set = sum(one.counts.actions for one in scored), scored[0].play.run.release_set
    result = Result(best.score if best else 0.0, actions, release_set)
    return EnvironmentScore(version, baseline, problem, result, scored)


def _versions_by_card(cards: list[Scorecard]) -> dict[int, list[int]]:
    """The versions that were played on each card (primary keys)."""
    found: dict[int, list[int]] = {card.pk: [] for card in cards}
    runs = (
        Run.objects.filter(card__in=cards)
        .order_by("version_id")
        .values_list("card_id", "version_id")
        .distinct()
    )
    for card, version in runs:
        found[card].append(version)
    return found


def _plays(cards: list[Scorecard], bare: Mapping[int, EnvironmentScore]) -> dict[int, dict[int, list[Play]]]:
    """The plays by card and version, in the order in which they were begun."""
    found: dict[int, dict[int, list[Play]]] = {card.pk: {} for card in cards}
    plays = Play.objects.filter(run__card__in=cards).select_related("run")
    for play in plays.order_by("run__started_at", "run_id", "number"):
        play.run.version = version = bare[play.run.version_id].version
        play.run.environment = version.environment
        found[play.run.card_id].setdefault(play.run.version_id, []).append(play)
    return found
