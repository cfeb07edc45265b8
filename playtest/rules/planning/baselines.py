"""How wide the interval of a level's baseline will be.

Assumed are independent people who each complete the level with the same chance, and whose action counts are
lognormal: their logarithms have the standard deviation ln(`spread`), so that two thirds of the people need
between the median divided by `spread` and the median times `spread`.

Of m completers the interval lies between two order statistics (`rules.bootstrap.ranks`) and the baseline is a
third, so the logarithm of an end relative to the baseline is ln(spread) times a difference of two normal
order statistics. Its mean is exact (David and Nagaraja, Order Statistics (2003), section 3.1), here up to a
quadrature; the number of completers is binomial. So a typical end is a geometric mean.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from playtest.rules.bootstrap import FEWEST, coverage, ranks
from playtest.rules.planning.search import MOST, fewest_people

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
