"""The interval of a human baseline: the bootstrap distribution of the upper median, in closed form.

Drawing m people with replacement from n counts, their upper median is the k-th smallest, k = m // 2 + 1. It
is at most the j-th smallest of the n counts exactly when k or more of the m draws are among the j smallest:

    P(median <= x_(j)) = P(B >= k),  B binomial with m draws and chance j / n

(Efron, Annals of Statistics 7 (1979), section 3; Maritz and Jarrett, JASA 73 (1978)). So nothing is drawn,
there is no seed, and the same counts always give the same interval. The interval is the percentile one (Efron
and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13) with m = n.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from playtest.rules.baseline import upper_median
from playtest.rules.inference.shares import at_least

LEVEL = 0.95
"""The share of the bootstrap distribution that an interval holds, at least."""
FEWEST = 3
"""With fewer people there is no interval."""
PRECISION = Fraction(1, 5)
"""An interval is narrow enough when it lies within this share of the baseline, on both sides."""
MOST = 1_000
"""More people than this are not counted out."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both of them counts that somebody had.

    `coverage` is the chance that an interval between these two ranks holds the median of all people, at
    least, whatever its distribution (David and Nagaraja, Order Statistics (2003), section 7.1).
    """

    low: int
    high: int
    coverage: float

    @property
    def percent(self) -> int:
        """`coverage` in whole percent, rounded down so that it is not overstated."""
        return int(self.coverage * 100)


@dataclass(frozen=True, slots=True)
class More:
    """How many `people` more would bring the interval within PRECISION; None when that cannot be said."""

    people: int | None
    description: str


def interval(actions: Sequence[int]) -> Interval | None:
    """The interval of the upper median of these action counts, in any order; None with fewer than FEWEST."""
    ascending = sorted(actions)
    if len(ascending) < FEWEST:
        return None
    low, high = ranks(len(ascending))
    return Interval(ascending[low - 1], ascending[high - 1], coverage(len(ascending), low, high))


@lru_cache(maxsize=4096)
def ranks(people: int) -> tuple[int, int]:
    """The ranks, from 1, between which the interval lies; they depend only on the number of people."""
    tail = (1 - LEVEL) / 2
    chances = [median_within(people, rank / people) for rank in range(1, people + 1)]
    low = next(rank for rank, chance in enumerate(chances, start=1) if chance >= tail)
    high = next(rank for rank, chance in enumerate(chances, start=1) if chance >= 1 - tail)
    return low, high


def coverage(people: int, low: int, high: int) -> float:
    """P(x_(low) <= median <= x_(high)) for `people` independent people and a continuous distribution."""
    draws: int = sum(comb(people, below) for below in range(low, high))
    return draws / (1 << people)


def more_people(actions: Sequence[int]) -> More:
    """How many more people would narrow the interval to the baseline ± PRECISION, were they like these.

    The smallest number from which on, for that many and one more (odd and even numbers differ), the upper
    median of so many people drawn from the same counts has its interval within those bounds.
    """
    people, near = len(actions), f"±{PRECISION * 100} %"
    if people < FEWEST:
        return More(None, f"unknown with fewer than {FEWEST}")
    baseline = upper_median(actions)
    below = sum(count < baseline * (1 - PRECISION) for count in actions)
    within = sum(count <= baseline * (1 + PRECISION) for count in actions)
    if below * 2 == people:
        return More(None, f"no number would do: half are more than {PRECISION * 100} % below it")
    if _narrow(people, below / people, within / people):
        return More(0, f"none: it is within {near}")
    fewest = _fewest(people, below / people, within / people)
    if fewest is None:
        return More(None, f"more than {MOST:,} for {near}")
    return More(fewest - people, f"{fewest - people} more for {near}")


def _fewest(people: int, below: float, within: float) -> int | None:
    """The smallest number above `people` that is narrow with the one after it; None beyond MOST more."""
    from scipy.special import bdtrc

    draws, tail = np.arange(people + 1, people + MOST + 2), (1 - LEVEL) / 2
    narrow = (bdtrc(draws // 2, draws, below) < tail) & (bdtrc(draws // 2, draws, within) >= 1 - tail)
    both = np.flatnonzero(narrow[:-1] & narrow[1:])
    return int(draws[both[0]]) if len(both) else None


def _narrow(draws: int, below: float, within: float) -> bool:
    tail = (1 - LEVEL) / 2
    return median_within(draws, below) < tail and median_within(draws, within) >= 1 - tail


def median_within(draws: int, share: float) -> float:
    """The chance that the upper median of `draws` draws is among this share of the smallest counts."""
    return at_least(draws // 2 + 1, draws, share)
