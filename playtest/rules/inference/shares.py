"""Shares of independent people: intervals by Wilson and Newcombe, and the binomial distribution.

SciPy is imported where it is needed: it takes 0.2 s, which every process and command would pay.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from playtest.rules.errors import RuleError

Z_95 = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


ONE_EACH = "95 % interval by Wilson, for other people like these: each attempt is another person's."
"""The sentence beside such a share."""


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `people`: its value (0..1), and the 95 % interval `low`..`high` around it."""

    count: int
    people: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, such as the difference of two shares (-1..1), with its 95 % interval in the same unit."""

    value: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


def share(count: int, people: int) -> Share:
    """The share with Wilson's score interval. Raises RuleError `share_of_nobody`, `share_out_of_range`."""
    if people <= 0:
        raise RuleError("share_of_nobody", "A share needs at least one person.")
    if not 0 <= count <= people:
        raise RuleError("share_out_of_range", f"{count} of {people} is not a share.")
    value = count / people
    return Share(count, people, value, *wilson(value, people, Z_95))


def wilson(value: float, people: float, reach: float) -> tuple[float, float]:
    """Wilson's score interval of a share of so many, `reach` standard errors to each side."""
    squared = reach**2
    centre = value + squared / (2 * people)
    half = reach * sqrt(value * (1 - value) / people + squared / (4 * people**2))
    scale = 1 + squared / people
    low = 0.0 if value == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if value == 1 else min(1.0, (centre + half) / scale)
    return low, high


def difference(one: Share | Estimate, other: Share | Estimate, correlation: float = 0.0) -> Estimate:
    """`one` less `other`, with the interval that both of theirs give.

    Of independent ones Newcombe's hybrid score interval (his method 10); of estimates with this `correlation`
    Zou's (Psychological Methods 12 (2007)).
    """

    def reach(from_one: float, from_other: float) -> float:
        return sqrt(max(0.0, from_one**2 + from_other**2 - 2 * correlation * from_one * from_other))

    value = one.value - other.value
    below = reach(one.value - one.low, other.high - other.value)
    above = reach(one.high - one.value, other.value - other.low)
    return Estimate(value, value - below, value + above)


def fisher(one: Share, other: Share) -> float:
    """The p-value of Fisher's exact test whether two shares of different people differ."""
    from scipy.stats import fisher_exact  # slow to import

    return float(fisher_exact([[each.count, each.people - each.count] for each in (one, other)]).pvalue)


CONFIDENCE = 0.95


def at_least(successes: int, draws: int, chance: float) -> float:
    """P(B >= successes) for a binomial B with so many draws and this chance."""
    from scipy.special import bdtrc

    return float(bdtrc(successes - 1, draws, chance))


@lru_cache(maxsize=1_000)
def at_most(wins: int, tries: int) -> float:
    """The upper bound of a chance that won so often, with 95 % confidence: 1 without tries.

    3/n without a win (the rule of three), else that of Clopper and Pearson (Biometrika 26 (1934)).
    """
    from scipy.special import betaincinv

    if wins >= tries:
        return 1.0
    if not wins:
        return min(1.0, 3 / tries)
    return float(betaincinv(wins + 1, tries - wins, CONFIDENCE))
