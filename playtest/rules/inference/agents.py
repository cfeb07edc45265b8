"""How sure a mean score over environments is, and whether an agent differs from the people tested.

Interval over environments: of the environments' means, because scores are meant for environments that nobody
has met; within 0 and 100 (`clusters.bounded`), because scores are often nearly all low. Interval of a
difference: of the agent's mean and the people's, which go together as their means at each environment do,
with the covariance that people bring who met several (two-way clusters, as in `inference.clusters`).

Interval over runs, where environments are few: a t interval of the mean of these environments' means, whose
degrees of freedom are Satterthwaite's (An Approximate Distribution of Estimates of Variance Components
(1946)), as in Welch's test. It says how much further runs would change the mean, and nothing about other
environments. With runs of one environment it is Student's interval.

Test: would one more person, who met all these environments, have differed from the others as much? Such a
person's mean varies by how able people are, which shows in the results of those who met several environments
(`clusters.alike`), and by chance in each. Where nobody met two, results of one person are assumed to be all
alike, so that the test is careful. The reference is Student's t with Satterthwaite's degrees of freedom. Of
several runs their mean is taken, which varies less than one person does: the test is careful then, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt
from statistics import fmean, variance
from typing import NamedTuple

import numpy as np

from playtest.rules.inference import shares
from playtest.rules.inference.clusters import LEVEL, Clusters, Floats, Result, alike, bounded, student

FEWEST = 8
"""With fewer environments nothing is said about others."""
FEWEST_RUNS = 3
"""Of each environment, for an interval over runs: with 2 the variance is hardly known."""
_LOWEST, _HIGHEST = 0.0, 100.0
"""What a score of environments can be, in percent."""
_ALMOST = 1e-9


SHARED = "How able one person is shows in the results of those who met several of the environments."
UNSHARED = (
    "Nobody met several of the environments, so one person's results are assumed to be all alike: a careful"
    " test."
)


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
        f"{LEVEL * 100:g} % interval over environments, about others like these (about 92 % where an agent"
        " scores at one in five of 12)"
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
    """The scores in one environment: of an agent's runs (at least one), and of people by name."""

    runs: tuple[float, ...]
    people: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """The agent's mean score minus the people's, over `environments` that both played.

    `interval` is that of the difference to the mean of all people; None with fewer than FEWEST environments.
    `p` is the chance that one more person differs from the others at least as much; None if no environment
    shows how people vary. `shared` people met several of the environments.
    """

    mean: float
    agent: float
    people: float
    environments: int
    interval: ScoreInterval | None
    p: float | None
    shared: int

    @property
    def assumes(self) -> str:
        """What the interval and `p` rest on, as sentences."""
        about = "The interval is about other people and environments like these. " if self.interval else ""
        return about + (SHARED if self.shared else UNSHARED)


def mean_interval(environments: Sequence[Environment]) -> ScoreInterval | None:
    """The interval of the mean score: over environments, or over runs where they are fewer than FEWEST.

    None where nothing can be said: `why_none` has the reason.
    """
    if len(environments) < FEWEST:
        return _over_runs(environments)
    means = np.array([fmean(one.runs) for one in environments])
    if variance(means.tolist()) < _ALMOST:
        return None
    found = _ends(means, 0.0, len(means) - 1)
    return ScoreInterval(found.low * _HIGHEST, found.high * _HIGHEST)


def why_none(environments: Sequence[Environment]) -> str:
    """Why `mean_interval` is None, as a sentence."""
    if len(environments) < FEWEST and not _enough_runs(environments):
        return f"With fewer than {FEWEST} environments an interval needs at least {FEWEST_RUNS} runs of each."
    return "Equal scores do not show how much others would vary: there is no interval."


def difference(environments: Sequence[Environment]) -> Difference | None:
    """How the agent differs from people, over the environments with people; None when there are none."""
    both = [one for one in environments if one.people]
    if not both:
        return None
    agent, theirs = (
        np.array(means)
        for means in zip(*((fmean(one.runs), fmean(one.people.values())) for one in both), strict=True)
    )
    results = [
        Result(person, str(place), score)
        for place, one in enumerate(both)
        for person, score in one.people.items()
    ]
    clusters = Clusters.of(results)
    met = np.bincount(clusters.environment)
    values = np.array([one.value for one in results])
    usual = np.bincount(clusters.environment, values) / met
    weights = 1 / (len(both) * met[clusters.environment])
    mean = float((agent - theirs).mean())
    p, shared = _p(mean, results, clusters, weights)
    return Difference(
        mean=mean, agent=float(agent.mean()), people=float(theirs.mean()), environments=len(both),
        interval=_interval(agent, theirs, clusters, weights * (values - usual[clusters.environment])), p=p,
        shared=shared,
    )  # fmt: skip


def _ends(means: Floats, more: float, freedom: int) -> shares.Estimate:
    """Of the mean over environments, as a share of _HIGHEST; `more` is variance that people bring."""
    value = float(np.clip(means.mean() / _HIGHEST, 0, 1))
    error = (float(means.var(ddof=1)) / len(means) + more) / _HIGHEST**2
    return shares.Estimate(value, *bounded(value, error, freedom))


def _interval(agent: Floats, people: Floats, clusters: Clusters, influence: Floats) -> ScoreInterval | None:
    """Of the agent's mean less that of people; `influence` is each person's part in theirs."""
    if len(agent) < FEWEST or clusters.freedom < 1:
        return None
    between = max(0.0, _pairs(clusters, influence) * clusters.people / (clusters.people - 1))
    sides = _ends(agent, 0.0, len(agent) - 1), _ends(people, between, clusters.freedom)
    (one, together), (_, other) = np.cov(agent, people)
    product = one * (other + between * len(agent))
    found = shares.difference(*sides, together / sqrt(product) if product > 0 else 0.0)
    return ScoreInterval(found.low * _HIGHEST, found.high * _HIGHEST)


def _pairs(clusters: Clusters, influence: Floats) -> float:
    """The products of the `influence` of different results of one person, summed."""
    return float((np.bincount(clusters.person, influence) ** 2).sum() - influence @ influence)


def _p(
    mean: float, results: Sequence[Result], clusters: Clusters, weights: Floats
) -> tuple[float | None, int]:
    """Two-sided; and how many people it knows to be alike in their own results."""
    from scipy.special import stdtr

    found = alike(results)
    if found is None:
        return (1.0 if abs(mean) < _ALMOST else None), 0
    several, known = 1 - 1 / clusters.environments, found.covariance is not None and found.people > 1
    covariance = found.covariance if known and found.covariance is not None else found.variance
    own = covariance * several + found.variance / clusters.environments
    others = found.variance * float(weights @ weights) + covariance * _pairs(clusters, weights)
    freedom = float(found.people - 1 if known else len(results) - clusters.environments)
    if known and found.error:
        freedom = max(1.0, min(freedom, 2 * ((own + others) / (several * found.error)) ** 2))
    return 2 * float(stdtr(freedom, -abs(mean) / sqrt(own + others))), found.people if known else 0


def _enough_runs(environments: Sequence[Environment]) -> bool:
    return bool(environments) and all(len(one.runs) >= FEWEST_RUNS for one in environments)


def _over_runs(environments: Sequence[Environment]) -> ScoreInterval | None:
    """The t interval, within what a score can be; None with too few runs, or when no two runs differ."""
    if not _enough_runs(environments):
        return None
    errors = [variance(one.runs) / len(one.runs) for one in environments]
    total = sum(errors)
    if total == 0:
        return None
    freedom = 1 / sum(
        (error / total) ** 2 / (len(one.runs) - 1) for error, one in zip(errors, environments, strict=True)
    )
    mean = fmean(fmean(one.runs) for one in environments)
    half = student(freedom) * sqrt(total) / len(environments)
    return ScoreInterval(max(_LOWEST, mean - half), min(_HIGHEST, mean + half), Over.RUNS)
