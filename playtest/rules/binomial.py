"""The binomial distribution: its upper tail, and the largest chance that some wins are compatible with.

SciPy is imported where it is needed: it takes 0.2 s, which every process and command would pay.
"""

from functools import lru_cache

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
