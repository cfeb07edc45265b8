"""Whether the answers to a question go with a number for each person, by tests of ranks.

Kruskal and Wallis (1952) compare groups, Spearman (1904) two numbers of each person; equal values have their
middle rank. The p-values are those of large samples: chi-squared, and Student's t. Several tests at once are
corrected by Holm (1979): the chance that any of them finds something where nothing is stays below the level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose, sqrt

import numpy as np
from numpy.typing import NDArray

FEWEST_TESTED = 10
"""With fewer people nothing is tested: the distributions above do not hold."""
LEVEL = 0.05
KRUSKAL_WALLIS = "Kruskal-Wallis"
SPEARMAN = "Spearman"


@dataclass(frozen=True, slots=True)
class RankTest:
    """`statistic` is H of Kruskal and Wallis, or Spearman's rho (-1..1); `p` is two-sided."""

    method: str
    people: int
    statistic: float
    p: float

    @property
    def effect(self) -> float:
        """The effect's size: rho, or of groups epsilon squared (Kelley 1935), H / (people - 1), 0 to 1."""
        return self.statistic if self.method == SPEARMAN else max(self.statistic, 0.0) / (self.people - 1)


def kruskal_wallis(groups: Sequence[Sequence[float]]) -> RankTest | None:
    """Whether the groups differ.

    None with fewer than two groups or `FEWEST_TESTED` people, or if all numbers are equal.
    """
    from scipy.special import chdtrc  # slow to import

    found = [group for group in groups if group]
    values = np.array([value for group in found for value in group], dtype=float)
    people = len(values)
    if len(found) < 2 or people < FEWEST_TESTED or isclose(float(np.ptp(values)), 0):
        return None
    ranks, tied = _ranks(values)
    parts = np.split(ranks, np.cumsum([len(group) for group in found])[:-1])
    between = sum(float(part.sum()) ** 2 / len(part) for part in parts)
    h = 12 / (people * (people + 1)) * between - 3 * (people + 1)
    h /= 1 - tied / (people**3 - people)
    return RankTest(KRUSKAL_WALLIS, people, h, float(chdtrc(len(found) - 1, max(h, 0.0))))


def spearman(pairs: Sequence[tuple[float, float]]) -> RankTest | None:
    """Whether two numbers go together.

    None with fewer than `FEWEST_TESTED` people, or if either number is the same for all.
    """
    from scipy.special import stdtr  # slow to import

    people = len(pairs)
    if people < FEWEST_TESTED:
        return None
    columns = np.array(pairs, dtype=float).T
    if any(isclose(float(np.ptp(column)), 0) for column in columns):
        return None
    rho = float(np.corrcoef(_ranks(columns[0])[0], _ranks(columns[1])[0])[0, 1])
    freedom = people - 2
    if 1 - rho * rho < 1e-12:
        return RankTest(SPEARMAN, people, round(rho), 0.0)
    t = rho * sqrt(freedom / (1 - rho * rho))
    return RankTest(SPEARMAN, people, rho, 2 * float(stdtr(freedom, -abs(t))))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for that they are several, in their order; at most 1."""
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = largest
    return corrected


def _ranks(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Middle ranks from 1, and the sum over ties of n^3 - n."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    return middle[place], float((counts.astype(float) ** 3 - counts).sum())
