"""What an earlier study tells about the spread of people, for a plan of the next one."""

from collections.abc import Iterable, Sequence
from math import exp, log, sqrt
from statistics import variance

FEWEST = 2
"""With fewer values nothing is known of how they vary."""


def spread_of(levels: Iterable[Sequence[int]]) -> float | None:
    """The factor `baselines` calls `spread`, from the action counts of each level's completers.

    The variance of the logarithms within levels, pooled by degrees of freedom. None if no level has FEWEST.
    """
    usable = [[log(count) for count in counts] for counts in levels if len(counts) >= FEWEST]
    freedom = sum(len(values) - 1 for values in usable)
    if not freedom:
        return None
    return exp(sqrt(sum((len(values) - 1) * variance(values) for values in usable) / freedom))
