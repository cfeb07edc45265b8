"""How large a chance can be that won so many of so many independent tries."""

from collections.abc import Iterable
from functools import lru_cache
from math import exp, lgamma, log, log1p

_DOUBT = 0.05
_BISECTIONS = 60


@lru_cache(maxsize=1_000)
def at_most(wins: int, tries: int) -> float:
    """The upper bound of a chance that won so often, with 95 % confidence: 1 without tries.

    3/n without a win (the rule of three), else that of Clopper and Pearson.
    """
    if wins >= tries:
        return 1.0
    if not wins:
        return min(1.0, 3 / tries)
    low, high = wins / tries, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if tail_below(wins, tries, middle) > _DOUBT else (low, middle)
    return high


def tail_below(wins: int, tries: int, chance: float) -> float:
    """P(at most `wins` of `tries`), where `chance` is at least wins / tries: terms fall from the last one."""
    ratios = (at / (tries - at + 1) * (1 - chance) / chance for at in range(wins, 0, -1))
    return _falling_sum(_term(wins, tries, chance), ratios)


def tail_above(wins: int, tries: int, chance: float) -> float:
    """P(at least `wins` of `tries`); certain where that is no more than expected."""
    if wins <= tries * chance:
        return 1.0
    ratios = ((tries - at) / (at + 1) * chance / (1 - chance) for at in range(wins, tries))
    return _falling_sum(_term(wins, tries, chance), ratios)


def _term(wins: int, tries: int, chance: float) -> float:
    """P(exactly `wins` of `tries`)."""
    if chance >= 1.0:
        return float(wins == tries)
    ways = lgamma(tries + 1) - lgamma(wins + 1) - lgamma(tries - wins + 1)
    return exp(ways + wins * log(chance) + (tries - wins) * log1p(-chance))


def _falling_sum(term: float, ratios: Iterable[float]) -> float:
    total = term
    for ratio in ratios:
        term *= ratio
        total += term
        if term <= total * 1e-17:
            break
    return min(1.0, total)
