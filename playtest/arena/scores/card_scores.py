"""Scores of plays and scorecards against baselines; each names its reading and its baselines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from playtest.arena.models import Play, Scorecard
from playtest.arena.runs.cards import unplayed
from playtest.arena.runs.custody import Draw, draws_of
from playtest.arena.runs.sums import PlayCounts, play_counts
from playtest.arena.scores.baselines import Baseline, Source, compared_with
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


@dataclass(frozen=True)
class EnvironmentScore:
    """A version on a card; `plays` is empty if it was not played. `problem`: why it has no baseline."""

    version: Version
    baseline: Baseline
    problem: str
    plays: tuple[PlayScore, ...]

    @cached_property
    def best(self) -> PlayScore | None:
        """The play that counts: the highest score, as in arc_agi; then most levels, then the first."""
        return max(self.plays, key=lambda play: (play.score, play.counts.levels_completed), default=None)

    @property
    def score(self) -> float:
        """In percent; 0 if it was not played or has no baseline."""
        return self.best.score if self.best else 0.0

    @property
    def code(self) -> str:
        return self.version.environment.code

    @property
    def release_set(self) -> str:
        """The set in which its run began; of an environment that was not played, the one of today."""
        return self.plays[0].play.run.release_set if self.plays else self.version.environment.release_set

    @property
    def actions(self) -> int:
        """All actions of all plays."""
        return sum(play.counts.actions for play in self.plays)


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

    Those that `draw` seals are left out.
    """

    card: Scorecard
    reading: rules.Reading
    environments: tuple[EnvironmentScore, ...]
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
        return sum(bool(one.plays) for one in self.environments)

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
    """The score of one card, by its default reading if none is given."""
    return card_scores([card], reading)[card.pk]


def card_scores(cards: Iterable[Scorecard], reading: rules.Reading | None = None) -> dict[int, CardScore]:
    """The scores of cards by primary key, in a few queries for all of them."""
    cards = list(cards)
    played = _plays(cards)
    not_played = unplayed(cards)
    draws = draws_of(cards)
    versions = {version: plays[0].run.version for (_, version), plays in played.items()}
    versions |= {one.pk: one for of in not_played.values() for one in of}
    baselines = compared_with(versions.values(), reading or rules.Reading())
    counts = play_counts(
        (play.attempt_id for plays in played.values() for play in plays),
        undo_counts=reading is None or reading.undo_counts,
    )
    found = {}
    for card in cards:
        how = reading or default_reading(card)
        own = {version: plays for (of, version), plays in played.items() if of == card.pk}
        own |= {version.pk: [] for version in not_played.get(card.pk, ())}
        draw = draws.get(card.pk)
        scored = (
            scored_environment(
                versions[key], baselines[key], [(play, counts[play.attempt_id]) for play in of], how
            )
            for key, of in own.items()
            if draw is None or versions[key].environment.code not in draw.sealed
        )
        by_code = sorted(scored, key=lambda one: (one.code, one.version.pk))
        found[card.pk] = CardScore(card, how, tuple(by_code), draw)
    return found


def scored_environment(
    version: Version, baseline: Baseline, plays: Sequence[tuple[Play, PlayCounts]], reading: rules.Reading
) -> EnvironmentScore:
    """A version with its plays scored against a baseline."""
    compared, problem = counts_of(baseline, reading.variant)
    scored = tuple(
        PlayScore(play, counts, *score_counts(counts, version.levels, baseline, compared, reading))
        for play, counts in plays
    )
    return EnvironmentScore(version, baseline, problem, scored)


def _plays(cards: Iterable[Scorecard]) -> dict[tuple[int, int], list[Play]]:
    """The plays by card and version, in the order in which they were begun."""
    found: dict[tuple[int, int], list[Play]] = {}
    plays = Play.objects.filter(run__card__in=cards).select_related("run")
    plays = plays.order_by("run__started_at", "run_id", "number")
    of = {play.run.version_id for play in plays}  # each is read once, however many plays it has
    versions = Version.objects.select_related("environment").defer("source").in_bulk(of)
    for play in plays:
        play.run.version = versions[play.run.version_id]
        found.setdefault((play.run.card_id, play.run.version_id), []).append(play)
    return found
