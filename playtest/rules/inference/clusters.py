"""Rates, means and trends of people who each met several environments: what they say about others of both.

A person's results are alike, and so are those at one environment. The variance of an estimate is therefore
summed over the pairs of results that share either (two-way cluster-robust: Cameron, Gelbach and Miller,
Journal of Business and Economic Statistics 29 (2011)), with Student's t of the fewer of both less one. A rate
has Wilson's interval of the number of independent results that would have this variance (as Korn and Graubard
do, Survey Methodology 24 (1998)): it stays within 0 and 1, and exists where all solved. Chosen after a
simulation (decision 224).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from playtest.rules.inference import shares
from playtest.rules.inference.shares import share, wilson

type Floats = NDArray[np.float64]
type Integers = NDArray[np.int64]

ASSUMES = (
    "95 % interval for other people and other environments like these: one person's results may be alike, and"
    " so may those at one environment (two-way clusters)."
)
"""The sentence beside every number of this module."""
LEVEL = 0.95
FEWEST_OF_A_TREND = 5
"""With fewer people or environments there is no trend."""


class Result(NamedTuple):
    """What one person reached at one environment: a score, or 1.0 for solved and 0.0 for not."""

    person: str
    environment: str
    value: float


@dataclass(frozen=True, slots=True)
class Estimate(shares.Estimate):
    """An estimate with its 95 % interval, in the unit of the results; of how many of each."""

    results: int
    people: int
    environments: int


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which results belong together: for each result the number of its person and of its environment."""

    person: Integers
    environment: Integers

    @classmethod
    def of(cls, results: Sequence[Result]) -> "Clusters":
        return cls(
            _numbered([one.person for one in results]), _numbered([one.environment for one in results])
        )

    @property
    def people(self) -> int:
        return int(self.person.max()) + 1

    @property
    def environments(self) -> int:
        return int(self.environment.max()) + 1

    @property
    def freedom(self) -> int:
        return min(self.people, self.environments) - 1

    def variance(self, influence: Floats) -> float:
        """Of an estimate whose error is the sum of `influence` over results; never below one side alone."""
        count = len(influence)
        by_person = _squares(self.person, influence) * self.people / (self.people - 1)
        by_environment = _squares(self.environment, influence) * self.environments / (self.environments - 1)
        by_result = float(influence @ influence) * count / (count - 1)
        return max(by_person + by_environment - by_result, by_person, by_environment)


def rate(results: Iterable[Result], *, by: int | None = None) -> Estimate | None:
    """The share of results that are 1.0; None without any. Of one environment it is Wilson's over people.

    With `by` 0 every person counts once, with 1 every environment, however many results they have.
    One person at several environments shows nothing about others: the interval is 0 to 1.
    """
    seen = list(results)
    if not seen:
        return None
    clusters, values = Clusters.of(seen), np.array([one.value for one in seen])
    sizes = (len(seen), clusters.people, clusters.environments)
    weights = _weights(clusters, by)
    value = round(float(weights @ values), 12)
    if clusters.environments == 1:
        plain = share(round(values.sum()), len(seen))
        return Estimate(value, plain.low, plain.high, *sizes)
    if not clusters.freedom:
        return Estimate(value, 0.0, 1.0, *sizes)
    variance = clusters.variance(weights * (values - value))
    return Estimate(value, *bounded(value, variance, clusters.freedom, len(seen)), *sizes)


def bounded(value: float, variance: float, freedom: int, most: float = inf) -> tuple[float, float]:
    """The interval of a mean of results from 0 to 1 whose estimate has this variance: it stays within them.

    Wilson's of as many independent results as have this variance, at most `most`; where all are equal, of as
    many as there are groups.
    """
    most_varied = value * (1 - value)
    effective = min(most_varied / variance, most) if variance > 0 and most_varied > 0 else freedom + 1
    return wilson(value, effective, student(freedom))


def trend(results: Sequence[Result], at: Sequence[float]) -> Estimate | None:
    """How much a result changes with each step of `at`, between results of the same person.

    Least squares with a constant for each person and each environment; None with too few of either, or if
    nobody has two results at different steps.
    """
    if not results:
        return None
    clusters = Clusters.of(results)
    if min(clusters.people, clusters.environments) < FEWEST_OF_A_TREND:
        return None
    sides = [
        np.eye(count)[which]
        for which, count in (
            (clusters.person, clusters.people),
            (clusters.environment, clusters.environments),
        )
    ]
    constants, _ = np.linalg.qr(np.hstack([sides[0], sides[1][:, 1:]]))
    steps, values = (
        column - constants @ (constants.T @ column)
        for column in (np.array(at, dtype=float), np.array([one.value for one in results]))
    )
    squares = float(steps @ steps)
    if squares < 1e-9 * len(results):
        return None
    slope = float(steps @ values) / squares
    reach = student(clusters.freedom) * sqrt(clusters.variance(steps * (values - slope * steps) / squares))
    sizes = (len(results), clusters.people, clusters.environments)
    return Estimate(slope, slope - reach, slope + reach, *sizes)


@dataclass(frozen=True, slots=True)
class Alike:
    """How results vary, around the mean of their environment.

    `variance` is that of one result, `covariance` that of two results of one person, not below 0; `people`
    have two results or more. Without any, the covariance is not known and `covariance` is None. `error` is
    its standard error, from how much these people differ in it.
    """

    variance: float
    covariance: float | None
    people: int
    error: float = 0.0

    @property
    def correlation(self) -> float | None:
        """How alike the results of one person are (0..1)."""
        return None if self.covariance is None else self.covariance / self.variance


def alike(results: Iterable[Result]) -> Alike | None:
    """The moment estimators of both, over all results at environments that others met too.

    None without such an environment, or if none tells people apart.
    """
    seen = list(results)
    if not seen:
        return None
    clusters = Clusters.of(seen)
    values = np.array([one.value for one in seen])
    met = np.bincount(clusters.environment)[clusters.environment]
    usual = (np.bincount(clusters.environment, values) / np.bincount(clusters.environment))[
        clusters.environment
    ]
    # The mean includes the result itself: without the factor its residual would be too small.
    residual = (values - usual) * np.sqrt(met / np.maximum(met - 1, 1))
    person, residual = clusters.person[met > 1], residual[met > 1]
    if not float(residual @ residual) > 0:
        return None
    variance = float(residual @ residual) / len(residual)
    each = np.bincount(person)
    pairs = int((each * (each - 1)).sum())
    if not pairs:
        return Alike(variance, None, 0)
    products = np.bincount(person, residual) ** 2 - np.bincount(person, residual**2)
    own, several = products[each > 1] / pairs, int((each > 1).sum())
    error = float(own.std(ddof=1)) * sqrt(several) if several > 1 else 0.0
    return Alike(variance, max(0.0, float(own.sum())), several, error)


def student(freedom: float) -> float:
    """How many standard errors the interval reaches to each side."""
    from scipy.special import stdtrit  # takes 0.1 s, and most processes never need it

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def _weights(clusters: Clusters, by: int | None) -> Floats:
    if by is None:
        return np.full(len(clusters.person), 1 / len(clusters.person))
    side = (clusters.person, clusters.environment)[by]
    each = np.bincount(side)
    weights: Floats = 1 / each[side] / len(each)
    return weights


def _squares(which: Integers, influence: Floats) -> float:
    return float((np.bincount(which, influence) ** 2).sum())


def _numbered(names: Sequence[str]) -> Integers:
    found: Integers = np.unique(np.array(names, dtype=object), return_inverse=True)[1].astype(np.int64)
    return found
