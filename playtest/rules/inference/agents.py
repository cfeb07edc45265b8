"""How sure a mean score over environments is, and whether an agent differs from the people tested.

Interval over environments: a percentile bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap
(1993), chapter 13) that draws environments, within each its runs, and, for a difference, its people (nested
resampling: Davison and Hinkley, Bootstrap Methods and their Application (1997), section 3.8). Environments
are drawn because scores are meant for environments that nobody has met, not for these.

Interval over runs, where too few environments are to draw from: a t interval of the mean of these
environments' means, whose degrees of freedom are Satterthwaite's (An Approximate Distribution of Estimates
of Variance Components (1946)), as in Welch's test. It says how much further runs would change the mean, and
nothing about other environments. With runs of one environment it is Student's interval.

Test: if the agent were one more person, then in every environment each of the n + 1 scores were as likely
to be the agent's. The observed mean difference is compared with those of agents drawn so (a permutation test
within strata: Pesarin and Salmaso, Permutation Tests for Complex Data (2010), chapter 1). It is exact for any
number of environments and people, and assumes no distribution. Of several runs their mean is taken, which
varies less than one person does, so the test is then careful rather than exact.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import floor, sqrt
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

FEWEST = 8
"""With fewer environments none are drawn: simulated intervals of 5 held the mean 80 times of 100, of 8 91."""
FEWEST_RUNS = 3
"""Of each environment, for an interval over runs: with 2 the variance is hardly known."""
LEVEL = 0.95
DRAWS = 1_000
SEED = 0
"""The same scores always have the same interval."""
_LOWEST, _HIGHEST = 0.0, 100.0
"""What a score of environments can be, in percent."""


class Over(StrEnum):
    """What an interval generalises to."""

    ENVIRONMENTS = "environments"
    RUNS = "runs"

    @property
    def method(self) -> str:
        """How pages name the method."""
        return _METHODS[self]


_METHODS = {
    Over.ENVIRONMENTS: (
        f"{LEVEL * 100:g} % percentile bootstrap, {DRAWS:,} draws of environments and, where an environment "
        "has several runs, of its runs"
    ),
    Over.RUNS: (
        f"{LEVEL * 100:g} % t interval over the runs of these environments (degrees of freedom by "
        "Satterthwaite), which says nothing about other environments"
    ),
}


class ScoreInterval(NamedTuple):
    """From `low` to `high`, in the unit of the scores."""

    low: float
    high: float
    over: Over = Over.ENVIRONMENTS


@dataclass(frozen=True, slots=True)
class Environment:
    """The scores in one environment: of an agent's runs (at least one), and of people tested there."""

    runs: tuple[float, ...]
    people: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The agent's mean score minus the people's, over `environments` that both played.

    `p` is the chance that a person drawn in each environment differs from the others at least as much.
    `interval` is None with fewer than FEWEST environments.
    """

    mean: float
    agent: float
    people: float
    environments: int
    interval: ScoreInterval | None
    p: float


def mean_interval(environments: Sequence[Environment], *, draws: int = DRAWS) -> ScoreInterval | None:
    """The interval of the mean score: over environments, or over runs where they are fewer than FEWEST.

    None where nothing can be said: `why_none` has the reason.
    """
    if len(environments) < FEWEST:
        return _over_runs(environments)
    chance = Random(SEED)
    found = _interval(environments, lambda one: _resampled_mean(one.runs, chance), chance, draws)
    return found if found is not None and found.low < found.high else None


def why_none(environments: Sequence[Environment]) -> str:
    """Why `mean_interval` is None, as a sentence."""
    if len(environments) < FEWEST and not _enough_runs(environments):
        return f"With fewer than {FEWEST} environments an interval needs at least {FEWEST_RUNS} runs of each."
    return "Equal scores do not show how much others would vary: there is no interval."


def difference(
    environments: Sequence[Environment], *, draws: int = DRAWS, with_interval: bool = True
) -> Difference | None:
    """How the agent differs from people, over the environments with people; None when there are none.

    Without its interval, which takes ten times as long as the rest, `interval` is None.
    """
    shared = [one for one in environments if one.people]
    if not shared:
        return None
    chance = Random(SEED)
    agent = fmean(fmean(one.runs) for one in shared)
    people = fmean(fmean(one.people) for one in shared)
    p = _p(shared, chance, draws)
    interval = None
    if with_interval:
        interval = _interval(
            shared,
            lambda one: _resampled_mean(one.runs, chance) - _resampled_mean(one.people, chance),
            chance,
            draws,
        )
    return Difference(agent - people, agent, people, len(shared), interval, p)


def _p(environments: Sequence[Environment], chance: Random, draws: int) -> float:
    """Two-sided, with the observed agent among the drawn ones, so that it is never 0."""
    contrasts = [_contrasts(one) for one in environments]
    observed = abs(fmean(of_one[0] for of_one in contrasts)) - 1e-9  # sums differ by their order
    extreme = sum(abs(sum(map(chance.choice, contrasts))) / len(contrasts) >= observed for _ in range(draws))
    return (extreme + 1) / (draws + 1)


def _contrasts(one: Environment) -> list[float]:
    """For each of agent and people: their score minus the mean of the others; the agent first."""
    scores = [fmean(one.runs), *one.people]
    total = sum(scores)
    return [score - (total - score) / (len(scores) - 1) for score in scores]


def _interval(
    environments: Sequence[Environment], value: Callable[[Environment], float], chance: Random, draws: int
) -> ScoreInterval | None:
    if len(environments) < FEWEST:
        return None
    means = sorted(fmean(map(value, chance.choices(environments, k=len(environments)))) for _ in range(draws))
    tail = floor(draws * (1 - LEVEL) / 2)
    return ScoreInterval(means[tail], means[-1 - tail])


def _enough_runs(environments: Sequence[Environment]) -> bool:
    return bool(environments) and all(len(one.runs) >= FEWEST_RUNS for one in environments)


def _over_runs(environments: Sequence[Environment]) -> ScoreInterval | None:
    """The t interval, within what a score can be; None with too few runs, or when no two runs differ."""
    if not _enough_runs(environments):
        return None
    from scipy.special import stdtrit  # takes 0.1 s, and most processes never need it

    errors = [variance(one.runs) / len(one.runs) for one in environments]
    total = sum(errors)
    if total == 0:
        return None
    freedom = 1 / sum(
        (error / total) ** 2 / (len(one.runs) - 1) for error, one in zip(errors, environments, strict=True)
    )
    mean = fmean(fmean(one.runs) for one in environments)
    half = float(stdtrit(freedom, (1 + LEVEL) / 2)) * sqrt(total) / len(environments)
    return ScoreInterval(max(_LOWEST, mean - half), min(_HIGHEST, mean + half), Over.RUNS)


def _resampled_mean(values: Sequence[float], chance: Random) -> float:
    return values[0] if len(values) == 1 else fmean(chance.choices(values, k=len(values)))
