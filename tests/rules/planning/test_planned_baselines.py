"""The planned interval of a baseline, beside the intervals of simulated studies."""

from collections.abc import Iterator
from math import log
from random import Random
from statistics import fmean

import pytest

from playtest.rules.baseline import upper_median
from playtest.rules.bootstrap import Interval, interval
from playtest.rules.planning.precision import MOST_WITHOUT, expected_interval, people_for_reach

MEDIAN = 100_000  # so large that rounding to whole actions changes nothing


def simulated(
    people: int, completing: float, spread: float, studies: int
) -> Iterator[tuple[int, Interval | None]]:
    """The baseline (0 if there is no interval) and its interval, of so many simulated studies."""
    chance = Random(15)
    for _ in range(studies):
        completers = [1 for _ in range(people) if chance.random() < completing]
        counts = [round(MEDIAN * chance.lognormvariate(0, log(spread))) for _ in completers]
        found = interval(counts)
        yield (upper_median(counts) if found else 0), found


@pytest.mark.parametrize(
    ("people", "completing", "spread"), [(10, 1.0, 1.6), (10, 0.5, 1.6), (11, 0.8, 2.5), (40, 0.7, 1.3)]
)
def test_ends_coverage_and_absence_are_those_of_simulated_studies(
    people: int, completing: float, spread: float
) -> None:
    planned = expected_interval(people, completing, spread)
    assert planned is not None
    studies = list(simulated(people, completing, spread, 4_000))
    found = [(baseline, one) for baseline, one in studies if one is not None]
    unit = log(spread)
    for end, value in (("low", planned.low), ("high", planned.high)):
        ends = fmean(log(getattr(one, end) / baseline) for baseline, one in found)
        assert ends / unit == pytest.approx(log(value) / unit, abs=0.03)
    assert fmean(one.low <= MEDIAN <= one.high for _, one in found) == pytest.approx(
        planned.coverage, abs=0.015
    )
    assert 1 - len(found) / len(studies) == pytest.approx(planned.without, abs=0.01)


def test_the_number_of_people_is_the_smallest_from_which_on_the_interval_is_narrow() -> None:
    needed = people_for_reach(0.25, 0.8, 1.6)
    assert needed is not None
    reaches = [expected_interval(people, 0.8, 1.6) for people in range(needed - 1, needed + 30)]
    assert all(one is not None for one in reaches)
    before, *after = [one.reach for one in reaches if one is not None]
    assert before > 0.25
    assert max(after) <= 0.25


def test_people_are_enough_only_if_the_level_will_be_completed() -> None:
    needed = people_for_reach(5, 0.3, 1.1)
    assert needed is not None
    enough, fewer = expected_interval(needed, 0.3, 1.1), expected_interval(needed - 1, 0.3, 1.1)
    assert enough is not None
    assert fewer is not None
    assert enough.without <= MOST_WITHOUT < fewer.without


def test_a_level_that_nobody_completes_has_no_interval_and_no_number_of_people() -> None:
    assert expected_interval(10, 0.0, 1.6) is None
    assert expected_interval(2, 1.0, 1.6) is None
    assert people_for_reach(0.2, 0.0, 1.6) is None
