"""Whether the answers to a question go with a number for each person, by tests of ranks.

Kruskal and Wallis (1952) compare groups, Mann and Whitney (1947) two of them, Spearman (1904) two numbers of
each person; equal values have their middle rank. The p-values are those of large samples: chi-squared, normal
and Student's t; Mann and Whitney's is exact for at most 8 people without equal values. Several tests at once
are corrected by Holm (1979): the chance that any of them finds something where nothing is stays below the
level.
"""

from collections.abc import Sequence
from dataclasses import dataclass

BETWEEN_VERSIONS = (
    "Tests by Fisher (completion) and by Mann and Whitney (actions) take everybody for another person, as"
    " nobody plays two versions, and the people of both for equally able. p is corrected by Holm for all"
    " levels."
)
"""The sentence beside a comparison of versions."""
FEWEST_TESTED = 10
"""With fewer people nothing is tested: the distributions above do not hold."""
LEVEL = 0.05
KRUSKAL_WALLIS = "Kruskal-Wallis"
SPEARMAN = "Spearman"
TESTS_ASSUME = (
    "Ordered answers are tested by Spearman's rank correlation, which finds what rises or falls throughout;"
    " choices without an order by the test of Kruskal and Wallis, which finds groups that differ. Both assume"
    " that people are independent, and have the p-values of large samples, corrected by Holm for that several"
    " questions are tested."
)


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
    from scipy.stats import kruskal  # slow to import

    found = [group for group in groups if group]
    values = [value for group in found for value in group]
    if len(found) < 2 or len(values) < FEWEST_TESTED or len(set(values)) == 1:
        return None
    tested = kruskal(*found)
    return RankTest(KRUSKAL_WALLIS, len(values), float(tested.statistic), float(tested.pvalue))


def mann_whitney(one: Sequence[float], other: Sequence[float]) -> float:
    """The p-value of whether two groups of different people differ."""
    from scipy.stats import mannwhitneyu  # slow to import

    return float(mannwhitneyu(one, other).pvalue)


def spearman(pairs: Sequence[tuple[float, float]]) -> RankTest | None:
    """Whether two numbers go together.

    None with fewer than `FEWEST_TESTED` people, or if either number is the same for all.
    """
    from scipy.stats import spearmanr  # slow to import

    if len(pairs) < FEWEST_TESTED or any(len(set(column)) == 1 for column in zip(*pairs, strict=True)):
        return None
    tested = spearmanr([one for one, _ in pairs], [other for _, other in pairs])
    return RankTest(SPEARMAN, len(pairs), float(tested.statistic), float(tested.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for that they are several, in their order; at most 1."""
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = largest
    return corrected
