"""Intervals of shares: Wilson's, and Newcombe's for the difference of two."""

from dataclasses import dataclass
from math import sqrt

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
