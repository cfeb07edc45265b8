"""How wide the intervals of success will be: of one environment, and of all of them together."""

from dataclasses import dataclass
from math import sqrt

from playtest.rules.planning.search import fewest_people
from playtest.rules.proportions import Z_95, share


@dataclass(frozen=True, slots=True)
class ExpectedShare:
    """The mean ends of an interval around a share (0..1)."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half its width."""
        return (self.high - self.low) / 2


def of_environment(people: int, success: float) -> ExpectedShare:
    """The mean of Wilson's 95 % interval over what `people` independent people may solve."""
    from scipy.special import bdtr

    low = high = before = 0.0
    for solved in range(people + 1):
        after = float(bdtr(solved, people, success))
        found = share(solved, people)
        low += found.low * (after - before)
        high += found.high * (after - before)
        before = after
    return ExpectedShare(low, high)


def of_all(attempts: int, each: float, success: float, correlation: float) -> ExpectedShare:
    """The normal 95 % interval of the success over all attempts of these environments.

    A person's `each` attempts have the `correlation` with each other, which multiplies the variance by
    1 + (each - 1) * correlation (Kish, Survey Sampling (1965), section 5.4). Environments of different
    difficulty vary less than assumed here.
    """
    design = 1 + max(each - 1, 0) * correlation
    half = Z_95 * sqrt(success * (1 - success) / attempts * design)
    return ExpectedShare(max(0.0, success - half), min(1.0, success + half))


def people_for_half(half: float, success: float) -> int | None:
    """How many people it takes for an environment's interval of ± `half`; None beyond `search.MOST`."""
    return fewest_people(lambda people: of_environment(people, success).half <= half)
