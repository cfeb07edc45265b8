"""Shares: intervals by Wilson and Newcombe, the binomial distribution, and the share of people who stay.

The share who stay is Kaplan-Meier's, with Greenwood's variance on the log-log scale. SciPy is imported where
it is needed: it takes 0.2 s, which every process and command would pay.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, sqrt
from typing import NamedTuple

from playtest.rules.errors import RuleError

Z_95 = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `people`: its value (0..1), and the 95 % interval `low`..`high` around it."""

    count: int
    people: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two shares (-1..1), with its 95 % interval."""

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
    value, squared = count / people, Z_95**2
    centre = value + squared / (2 * people)
    reach = Z_95 * sqrt(value * (1 - value) / people + squared / (4 * people**2))
    scale = 1 + squared / people
    low = 0.0 if count == 0 else (centre - reach) / scale
    high = 1.0 if count == people else (centre + reach) / scale
    return Share(count, people, value, low, high)


def difference(one: Share, other: Share) -> Difference:
    """`one` less `other`, with Newcombe's hybrid score interval (his method 10)."""
    value = one.value - other.value
    below = sqrt((one.value - one.low) ** 2 + (other.high - other.value) ** 2)
    above = sqrt((one.high - one.value) ** 2 + (other.value - other.low) ** 2)
    return Difference(value, value - below, value + above)


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


class Observation(NamedTuple):
    """One person stayed until `at` (actions or seconds) and then left, or was not watched any longer."""

    at: float
    left: bool


@dataclass(frozen=True, slots=True)
class Step:
    """The curve from `at` on. `share` (0..1) of the people stay longer; 95 % band `low`..`high`.

    `at_risk` were watched until just before, `left` of them left at this very moment and `censored` were
    not watched any longer after it.
    """

    at: float
    share: float
    low: float
    high: float
    at_risk: int
    left: int = 0
    censored: int = 0


def survival(observations: Iterable[Observation]) -> tuple[Step, ...]:
    """The curve, from 0 on, one step for each moment at which somebody left or was last watched.

    A person who is censored at the moment another leaves was still at risk then. The band has no width before
    anybody left. Once everybody left, Greenwood's variance has no bound: the upper end stays where it was and
    the lower one is 0. Empty without observations. Raises RuleError `moment_negative`.
    """
    seen = list(observations)
    if any(observation.at < 0 for observation in seen):
        raise RuleError("moment_negative", "Nobody leaves before the beginning: give moments from 0 on.")
    return tuple(_steps(seen)) if seen else ()


def _steps(seen: list[Observation]) -> Iterator[Step]:
    left = Counter(observation.at for observation in seen if observation.left)
    censored = Counter(observation.at for observation in seen if not observation.left)
    at_risk, share, greenwood, high = len(seen), 1.0, 0.0, 1.0
    moments = sorted({0.0, *left, *censored})
    for moment in moments:
        leaving = left[moment]
        if leaving:
            staying = at_risk - leaving
            share *= staying / at_risk
            greenwood += leaving / (at_risk * staying) if staying else 0.0
        low, high = _band(share, greenwood, high)
        yield Step(moment, share, low, high, at_risk, leaving, censored[moment])
        at_risk -= leaving + censored[moment]


def _band(share: float, greenwood: float, high_before: float) -> tuple[float, float]:
    if share == 1.0:
        return 1.0, 1.0
    if share == 0.0:
        return 0.0, high_before
    reach = exp(Z_95 * sqrt(greenwood) / abs(log(share)))
    return share**reach, share ** (1 / reach)
