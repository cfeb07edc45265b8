"""How precise a study will be: intervals of baselines and of success, and differences it can find.

Baselines: assumed are independent people who each complete the level with the same chance, and whose action
counts are lognormal: their logarithms have the standard deviation ln(`spread`), so that two thirds of the
people need between the median divided by `spread` and the median times `spread`.

Of m completers the interval lies between two order statistics (`rules.inference.medians.ranks`) and the
baseline is a third, so the logarithm of an end relative to the baseline is ln(spread) times a difference of
two normal order statistics. Its mean is exact (David and Nagaraja, Order Statistics (2003), section 3.1),
here up to a quadrature; the number of completers is binomial. So a typical end is a geometric mean.

Differences between an agent and people: compared is success, in each environment the share of the agent's
runs that solved it less the share of the people who did. The test is a two-sided t test of these
differences over environments, because the result is meant for environments like these. A difference varies
by the agent's runs, by the people, and because an agent is better at some environments than at others,
relative to people (`spread`, a standard deviation). People who meet several environments bring their ability
to each: their part has the same design effect as widths have. The degrees of freedom are those of the fewer
of environments and people, less one, as in `inference.clusters`. The power is that of the noncentral t
distribution (Cohen, Statistical Power Analysis (1988), chapter 2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from playtest.rules.inference.medians import FEWEST, coverage, ranks
from playtest.rules.inference.shares import Z_95, share

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
    than `bootstrap.FEWEST` people complete the level, and there is none; the other values leave these out.
    `completers` is the mean number of all.
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
        low=exp(log(spread) * low),
        high=exp(log(spread) * high),
        coverage=covered,
        without=max(0.0, 1 - total),
        completers=people * completing,
    )


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


SIGNIFICANCE = 0.05
FEWEST_ENVIRONMENTS = 2
"""With fewer environments nothing shows how much differences vary."""


def design_effect(each: float, correlation: float) -> float:
    """What multiplies the variance, if `each` results of a person have this correlation (Kish 1965, 5.4)."""
    return 1 + max(each - 1, 0) * correlation


def standard_error(
    environments: int, people: int, runs: int, success: float, spread: float, design: float = 1.0
) -> float:
    """Of the mean difference (0..1), if agent and people vary as people with this `success` do.

    `design` is the `design_effect` of people who meet several of the environments.
    """
    within = success * (1 - success)
    return sqrt((spread**2 + within * design / people + within / runs) / environments)


def power(difference: float, error: float, environments: int) -> float:
    """The chance that a true mean `difference` is found, with this standard error of the mean."""
    from scipy.special import nctdtr, stdtrit

    freedom = environments - 1
    critical = float(stdtrit(freedom, 1 - SIGNIFICANCE / 2))
    shift = difference / error
    return float(1 - nctdtr(freedom, shift, critical) + nctdtr(freedom, shift, -critical))


def detectable(wanted: float, error: float, environments: int) -> float | None:
    """The smallest difference that is found with the `wanted` power.

    None with fewer than FEWEST_ENVIRONMENTS environments, and if none up to 1 is.
    """
    if environments < FEWEST_ENVIRONMENTS:
        return None
    if not error:
        return 0.0
    if power(1.0, error, environments) < wanted:
        return None
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle, error, environments) >= wanted else (middle, high)
    return high


def people_for_difference(
    difference: float, wanted: float, planned: Callable[[int], tuple[float, int]]
) -> int | None:
    """How many people on each environment it takes to find this difference with the `wanted` power.

    `planned` has the standard error for a number of people, and the fewer of environments and all people.
    None beyond `MOST`, as when runs or environments are too few whatever the number of people.
    """

    def enough(people: int) -> bool:
        error, groups = planned(people)
        return groups >= FEWEST_ENVIRONMENTS and (not error or power(difference, error, groups) >= wanted)

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

    low = high = before = 0.0
    for solved in range(people + 1):
        after = float(bdtr(solved, people, success))
        found = share(solved, people)
        low += found.low * (after - before)
        high += found.high * (after - before)
        before = after
    return ExpectedShare(low, high)


def success_of_all(attempts: int, each: float, success: float, correlation: float) -> ExpectedShare:
    """The normal 95 % interval of the success over all attempts of these environments.

    A person's `each` attempts have the `correlation` with each other, which multiplies the variance by
    1 + (each - 1) * correlation (Kish, Survey Sampling (1965), section 5.4). Environments of different
    difficulty vary less than assumed here.
    """
    design = design_effect(each, correlation)
    half = Z_95 * sqrt(success * (1 - success) / attempts * design)
    return ExpectedShare(max(0.0, success - half), min(1.0, success + half))


def people_for_half(half: float, success: float) -> int | None:
    """How many people it takes for an environment's interval of ± `half`; None beyond `MOST`."""
    return fewest_people(lambda people: success_of_environment(people, success).half <= half)
