"""How precise a study will be: intervals of baselines and of success, and differences it can find.

Baselines: assumed are independent people who each complete the level with the same chance, and whose action
counts are lognormal: their logarithms have the standard deviation ln(`spread`), so that two thirds of the
people need between the median divided by `spread` and the median times `spread`.

Of m completers the interval lies between two order statistics (`rules.inference.medians.ranks`) and the
baseline is a third, so the logarithm of an end relative to the baseline is ln(spread) times a difference of
two normal order statistics. Its mean is exact (David and Nagaraja, Order Statistics (2003), section 3.1),
here up to a quadrature; the number of completers is binomial. So a typical end is a geometric mean.

Differences between an agent and people: compared is success, in each environment the share of the agent's
runs that solved it less the share of the people who did. A difference is found if the interval of
`inference.agents` excludes 0. It varies by the agent's runs, by the people, and because an agent is better at
some environments than at others, relative to people (`spread`, a standard deviation). The power is that of
the noncentral t distribution (Cohen, Statistical Power Analysis (1988), chapter 2), with the typical reach of
that interval as the critical value.

Widths and power assume one model, that of `inference.clusters`: success varies between environments
(`between`, a standard deviation), and around it the results of one person have a `correlation`. The degrees
of freedom are those of the fewer of environments and people, less one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import exp, isnan, log, sqrt

import numpy as np
from numpy.typing import NDArray

from playtest.rules.inference.clusters import bounded, student
from playtest.rules.inference.medians import FEWEST, coverage, ranks
from playtest.rules.inference.shares import Estimate, difference, share, wilson

MOST = 300
"""People on one environment; more are not counted out."""


def fewest_people(enough: Callable[[int], bool]) -> int | None:
    """The smallest number that is enough together with the one after it; None beyond MOST.

    Odd and even numbers have different medians, so a single number may be enough by parity alone.
    """
    before = enough(1)
    for people in range(1, MOST + 1):
        after = enough(people + 1)
        if before and after:
            return people
        before = after
    return None


MOST_WITHOUT = 0.05
"""A number of people is enough only if this chance of having no interval is not exceeded."""
_IMPOSSIBLE = 1e-9
_POINTS = 500


@dataclass(frozen=True, slots=True)
class ExpectedInterval:
    """The typical interval of a level's baseline: from `low` to `high`, both relative to the baseline (1.0).

    `coverage` is the mean chance that it holds the median of all people. `without` is the chance that fewer
    than `inference.medians.FEWEST` people complete the level, and there is none; the other values leave these
    out. `completers` is the mean number of all.
    """

    low: float
    high: float
    coverage: float
    without: float
    completers: float

    @property
    def reach(self) -> float:
        """The distance of the farther end from the baseline, relative to it."""
        return max(1 - self.low, self.high - 1)


def expected_interval(people: int, completing: float, spread: float) -> ExpectedInterval | None:
    """The interval if so many `people` play, and each completes the level with the chance `completing`.

    None if it is all but impossible that there is one. `people` are at most MOST + 1.
    """
    from scipy.special import bdtr

    chances = np.diff(bdtr(np.arange(FEWEST - 1, people + 1), people, completing))
    total = float(chances.sum())
    if total < _IMPOSSIBLE:
        return None
    low, high, covered = (_reaches()[:, : len(chances)] @ chances / total).tolist()
    return ExpectedInterval(
        low=exp(log(spread) * low), high=exp(log(spread) * high), coverage=covered,
        without=max(0.0, 1 - total), completers=people * completing,
    )  # fmt: skip


def people_for_reach(reach: float, completing: float, spread: float) -> int | None:
    """How many people it takes for a typical interval within `reach` of the baseline; None beyond MOST."""

    def enough(people: int) -> bool:
        found = expected_interval(people, completing, spread)
        return found is not None and found.without <= MOST_WITHOUT and found.reach <= reach

    return fewest_people(enough)


@lru_cache(maxsize=1)
def _reaches() -> NDArray[np.float64]:
    """For FEWEST completers and more, a column each: the mean ends of the interval and its coverage.

    The ends are relative to the baseline, in standard deviations of the logarithm.
    """
    return np.array([_reach(completers) for completers in range(FEWEST, MOST + 2)]).T


def _reach(completers: int) -> tuple[float, float, float]:
    low, high = ranks(completers)
    middle = _normal_order_statistic(completers // 2 + 1, completers)
    return (
        _normal_order_statistic(low, completers) - middle,
        _normal_order_statistic(high, completers) - middle,
        coverage(completers, low, high),
    )


def _normal_order_statistic(rank: int, people: int) -> float:
    """The mean of the `rank`-th smallest of so many standard normal values."""
    from scipy.special import betaincinv, ndtri

    shares = (np.arange(_POINTS) + 0.5) / _POINTS
    return float(ndtri(betaincinv(rank, people - rank + 1, shares)).mean())


FEWEST_ENVIRONMENTS = 2
"""With fewer environments nothing shows how much differences vary."""


def design_effect(each: float, correlation: float) -> float:
    """What multiplies the variance, if `each` results of a person have this correlation (Kish 1965, 5.4)."""
    return 1 + max(each - 1, 0) * correlation


def within(success: float, between: float) -> float:
    """The variance of a result around the success at its environment."""
    return max(0.0, success * (1 - success) - between**2)


@dataclass(frozen=True, slots=True)
class Comparison:
    """An agent's mean and the people's, whose `success` is 0..1: their variances and covariance.

    `groups` is the fewer of environments and all people.
    """

    success: float
    agent: float
    people: float
    together: float
    environments: int
    groups: int

    @classmethod
    def of(
        cls, environments: int, people: int, runs: int, success: float, between: float, spread: float,
        design: float = 1.0, groups: int | None = None,
    ) -> "Comparison":  # fmt: skip
        """With so many `people` and `runs` on each; `design` is the `design_effect` of the people."""
        variance, together = within(success, between), between**2 / environments
        return cls(
            success,
            together + (spread**2 + variance / runs) / environments,
            together + variance * design / people / environments,
            together,
            environments,
            environments if groups is None else groups,
        )

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return sqrt(max(0.0, self.agent + self.people - 2 * self.together))

    def reach(self, found: float) -> float:
        """From this difference to the end of its interval that is nearer to 0.

        The agent is better, or worse where it cannot be so much better.
        """
        better = self.success + found <= 1
        agent = min(1.0, max(0.0, self.success + (found if better else -found)))
        better_or_worse, usual = (
            Estimate(value, *wilson(value, self._alone(variance, groups), student(groups - 1)))
            for value, variance, groups in (
                (agent, self.agent, self.environments),
                (self.success, self.people, self.groups),
            )
        )
        product = self.agent * self.people
        between = difference(better_or_worse, usual, self.together / sqrt(product) if product > 0 else 0.0)
        return between.value - between.low if better else between.high - between.value

    def _alone(self, variance: float, groups: int) -> float:
        """How many independent results have this variance."""
        most_varied = self.success * (1 - self.success)
        return most_varied / variance if variance > 0 and most_varied > 0 else groups

    @property
    def _freedom(self) -> float:
        """Of both variances together, by Satterthwaite."""
        sides = ((self.agent - self.together, self.environments), (self.people - self.together, self.groups))
        return self.error**4 / sum(part**2 / (groups - 1) for part, groups in sides)

    def power(self, true: float) -> float:
        """The chance that this true difference is found; there is an error, and two groups or more."""
        from scipy.special import nctdtr

        freedom, shift, critical = self._freedom, true / self.error, self.reach(true) / self.error
        found = float(1 - nctdtr(freedom, shift, critical) + nctdtr(freedom, shift, -critical))
        return 1.0 if isnan(found) else found  # SciPy has none so far beyond the critical value

    def detectable(self, wanted: float) -> float | None:
        """The smallest difference that is found with the `wanted` power.

        None with fewer than FEWEST_ENVIRONMENTS groups, and if none up to 1 is.
        """
        if self.groups < FEWEST_ENVIRONMENTS:
            return None
        if not self.error:
            return 0.0
        if self.power(1.0) < wanted:
            return None
        from scipy.optimize import brentq  # slow to import

        return float(brentq(lambda true: self.power(true) - wanted, 0.0, 1.0))


def people_for_difference(true: float, wanted: float, planned: Callable[[int], Comparison]) -> int | None:
    """How many people on each environment it takes to find this difference with the `wanted` power.

    `planned` has the comparison for a number of people. None beyond `MOST`, as when runs or environments are
    too few whatever the number of people.
    """

    def enough(people: int) -> bool:
        one = planned(people)
        return one.groups >= FEWEST_ENVIRONMENTS and (not one.error or one.power(true) >= wanted)

    return fewest_people(enough)


@dataclass(frozen=True, slots=True)
class ExpectedShare:
    """The mean ends of an interval around a share (0..1)."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half its width."""
        return (self.high - self.low) / 2


def success_of_environment(people: int, success: float) -> ExpectedShare:
    """The mean of Wilson's 95 % interval over what `people` independent people may solve."""
    from scipy.special import bdtr

    chances = np.diff(bdtr(np.arange(people + 1), people, success), prepend=0.0)
    found = [share(solved, people) for solved in range(people + 1)]
    low, high = (chances @ [(one.low, one.high) for one in found]).tolist()
    return ExpectedShare(low, high)


def success_of_all(
    attempts: int, environments: int, groups: int, success: float, between: float, design: float
) -> ExpectedShare:
    """The typical interval of the success over all `attempts`, as `inference.clusters.rate` has it.

    `groups` is the fewer of environments and people, `design` the `design_effect` of a person's attempts.
    """
    if environments == 1:
        return success_of_environment(attempts, success)
    if groups == 1:
        return ExpectedShare(0.0, 1.0)
    variance = between**2 / environments + within(success, between) * design / attempts
    return ExpectedShare(*bounded(success, variance, groups - 1, attempts))


def people_for_half(half: float, success: float) -> int | None:
    """How many people it takes for an environment's interval of ± `half`; None beyond `MOST`."""
    return fewest_people(lambda people: success_of_environment(people, success).half <= half)
