"""The smallest number of people that is enough."""

from collections.abc import Callable

MOST = 300
"""People on one environment; more are not counted out."""


def fewest_people(enough: Callable[[int], bool]) -> int | None:
    """The smallest number that is enough together with the one after it; None beyond MOST.

    Odd and even numbers have different medians, so a single number may be enough by parity alone.
    """
    before = enough(1)
    for people in range(1, MOST + 1):
        after = enough(people + 1)
        if before and after:
            return people
        before = after
    return None
