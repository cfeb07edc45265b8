"""What an earlier study tells about the spread of people, for a plan of the next one."""

from collections.abc import Iterable, Sequence
from math import exp, log, sqrt
from statistics import fmean, variance

from playtest.rules.inference.clusters import Result

FEWEST = 2
"""With fewer values nothing is known of how they vary."""


def spread_of(levels: Iterable[Sequence[int]]) -> float | None:
    """The factor that `plan.Assumptions` calls `spread`, from the action counts of each level's completers.

    The variance of the logarithms within levels, pooled by degrees of freedom. None if no level has FEWEST.
    """
    usable = [[log(count) for count in counts] for counts in levels if len(counts) >= FEWEST]
    freedom = sum(len(values) - 1 for values in usable)
    if not freedom:
        return None
    return exp(sqrt(sum((len(values) - 1) * variance(values) for values in usable) / freedom))


def environment_spread(results: Iterable[Result]) -> float | None:
    """The standard deviation of success between environments, from the results of people at each.

    The variance of the environments' means, less what chance within them adds. None with fewer than FEWEST
    environments, or if nobody shares one.
    """
    groups: dict[str, list[float]] = {}
    for one in results:
        groups.setdefault(one.environment, []).append(one.value)
    means = {name: fmean(values) for name, values in groups.items()}
    freedom = sum(len(values) - 1 for values in groups.values())
    if len(groups) < FEWEST or not freedom:
        return None
    squares = sum((value - means[name]) ** 2 for name, values in groups.items() for value in values)
    chance = squares / freedom * fmean(1 / len(values) for values in groups.values())
    return sqrt(max(0.0, variance(means.values()) - chance))
