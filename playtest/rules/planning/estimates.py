"""What an earlier study tells about the spread of people, for a plan of the next one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import exp, log, sqrt
from statistics import fmean, variance

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


def correlation_of(attempts: Iterable[tuple[str, str, bool]]) -> float | None:
    """How alike the results of one person are (0..1), from person, environment and whether it was solved.

    The mean product of a person's residuals from their environments' success, over all pairs, divided by the
    mean square: the moment estimator of an intraclass correlation. Below 0 it is 0. None without two attempts
    of anybody at environments that others met too, and if no environment tells people apart.
    """
    rows = list(attempts)
    solved: defaultdict[str, list[bool]] = defaultdict(list)
    for _, environment, success in rows:
        solved[environment].append(success)
    residuals: defaultdict[str, list[float]] = defaultdict(list)
    for person, environment, success in rows:
        people = len(solved[environment])
        if people >= FEWEST:
            # The mean includes the result itself: without the factor its residual would be too small.
            residual = (success - fmean(solved[environment])) * sqrt(people / (people - 1))
            residuals[person].append(residual)
    square = [one**2 for values in residuals.values() for one in values]
    pairs = sum(len(values) * (len(values) - 1) for values in residuals.values())
    if not pairs or not sum(square):
        return None
    products = sum(sum(values) ** 2 - sum(one**2 for one in values) for values in residuals.values())
    return max(0.0, products / pairs / fmean(square))
