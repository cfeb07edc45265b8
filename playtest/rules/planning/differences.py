"""The smallest difference between an agent and people that a study is likely to find.

Compared is success: in each environment, the share of the agent's runs that solved it less the share of the
people who did. The test is a two-sided t test of these differences over environments, because the result
is meant for environments like these. A difference varies by the agent's runs, by the people, and because an
agent is better at some environments than at others, relative to people (`spread`, a standard deviation).
The power is that of the noncentral t distribution (Cohen, Statistical Power Analysis (1988), chapter 2).
"""

from math import sqrt

from playtest.rules.planning.search import fewest_people

SIGNIFICANCE = 0.05
FEWEST = 2
"""With fewer environments nothing shows how much differences vary."""


def standard_error(environments: int, people: int, runs: int, success: float, spread: float) -> float:
    """Of the mean difference (0..1), if agent and people vary as people with this `success` do."""
    within = success * (1 - success)
    return sqrt((spread**2 + within / people + within / runs) / environments)


def power(difference: float, error: float, environments: int) -> float:
    """The chance that a true mean `difference` is found, with this standard error of the mean."""
    from scipy.special import nctdtr, stdtrit

    freedom = environments - 1
    critical = float(stdtrit(freedom, 1 - SIGNIFICANCE / 2))
    shift = difference / error
    return float(1 - nctdtr(freedom, shift, critical) + nctdtr(freedom, shift, -critical))


def detectable(wanted: float, error: float, environments: int) -> float | None:
    """The smallest difference that is found with the `wanted` power.

    None with fewer than FEWEST environments, and if none up to 1 is.
    """
    if environments < FEWEST:
        return None
    if not error:
        return 0.0
    if power(1.0, error, environments) < wanted:
        return None
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle, error, environments) >= wanted else (middle, high)
    return high


def people_for_difference(
    difference: float, wanted: float, environments: int, runs: int, success: float, spread: float
) -> int | None:
    """How many people on each environment it takes to find this difference with the `wanted` power.

    None beyond `search.MOST`, as when runs or environments are too few whatever the number of people.
    """

    def enough(people: int) -> bool:
        error = standard_error(environments, people, runs, success, spread)
        return not error or power(difference, error, environments) >= wanted

    return fewest_people(enough) if environments >= FEWEST else None
