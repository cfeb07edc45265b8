"""How sure a baseline is: the closed form beside every resample there is."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.baseline import upper_median
from playtest.rules.inference.medians import FEWEST, Interval, coverage, interval, more_people, ranks

counts = st.lists(st.integers(1, 500), min_size=FEWEST, max_size=40)
TAIL = Fraction(1, 40)


def medians_of_every_resample(actions: list[int], draws: int) -> list[int]:
    """The upper medians of all n ** draws equally likely resamples, ascending."""
    return sorted(upper_median(resample) for resample in product(actions, repeat=draws))


def percentile(ascending: list[int], share: Fraction) -> int:
    """The smallest value that at least this share of them does not exceed."""
    return next(
        value for number, value in enumerate(ascending, start=1) if Fraction(number, len(ascending)) >= share
    )


@pytest.mark.parametrize(
    "actions", [[3, 9, 30], [7, 7, 12], [22, 25, 31, 40], [5, 1, 4, 2, 3], [9, 1, 8, 2, 7, 3]]
)
def test_the_interval_equals_that_of_all_resamples(actions: list[int]) -> None:
    medians = medians_of_every_resample(actions, len(actions))
    found = interval(actions)
    assert found is not None
    assert (found.low, found.high) == (percentile(medians, TAIL), percentile(medians, 1 - TAIL))


def test_the_coverage_counts_the_sides_of_the_median_that_values_fall_on() -> None:
    low, high = ranks(10)
    sides = [sum(below) for below in product((0, 1), repeat=10)]  # 1: below the median of all people
    held = sum(low <= side < high for side in sides)
    assert coverage(10, low, high) == held / 2**10
    assert interval(range(1, 11)) == Interval(3, 9, held / 2**10)


@given(counts)
def test_the_interval_holds_the_baseline_and_ends_on_counts_somebody_had(actions: list[int]) -> None:
    found = interval(actions)
    assert found is not None
    assert found.low <= upper_median(actions) <= found.high
    assert {found.low, found.high} <= set(actions)
    assert 0.75 <= found.coverage < 1


@pytest.mark.parametrize("actions", [[], [5], [5, 9]])
def test_fewer_than_three_people_give_no_interval(actions: list[int]) -> None:
    assert interval(actions) is None
    assert more_people(actions).people is None
    assert more_people(actions).description == "unknown with fewer than 3"


def narrow(actions: list[int], people: int) -> bool:
    """Whether so many drawn from these counts have an interval within a fifth of the baseline, exactly."""
    baseline, n = upper_median(actions), len(actions)

    def at_most(value: Fraction) -> Fraction:
        share = Fraction(sum(count <= value for count in actions), n)
        return sum(
            (
                comb(people, k) * share**k * (1 - share) ** (people - k)
                for k in range(people // 2 + 1, people + 1)
            ),
            Fraction(0),
        )

    ends = sorted(set(actions))
    low = next(value for value in ends if at_most(Fraction(value)) >= TAIL)
    high = next(value for value in ends if at_most(Fraction(value)) >= 1 - TAIL)
    return low >= baseline * Fraction(4, 5) and high <= baseline * Fraction(6, 5)


@pytest.mark.parametrize(
    "actions", [[22, 25, 31, 40], [50, 60, 62, 70, 90], [33, 36, 38, 40, 41, 44, 47, 52, 60, 80]]
)
def test_the_suggested_number_of_people_is_the_smallest_that_narrows_the_interval(actions: list[int]) -> None:
    more = more_people(actions).people
    assert more is not None
    assert more > 0

    def holds(extra: int) -> bool:
        return all(narrow(actions, len(actions) + extra + odd) for odd in (0, 1))

    assert holds(more)
    assert not any(holds(extra) for extra in range(1, more))
    assert not narrow(actions, len(actions))


@given(counts)
def test_no_more_people_are_needed_exactly_if_the_interval_is_narrow(actions: list[int]) -> None:
    found, baseline = interval(actions), upper_median(actions)
    assert found is not None
    within = found.low >= Fraction(4, 5) * baseline and found.high <= Fraction(6, 5) * baseline
    assert (more_people(actions).people == 0) == within


def outcomes() -> Iterator[tuple[list[int], str]]:
    yield [30, 30, 30], "none: it is within ±20 %"
    yield [22, 25, 31, 40], "13 more for ±20 %"
    yield [10, 20, 40, 50], "no number would do: half are more than 20 % below it"
    yield [10] * 50 + [79] * 5 + [100] * 46, "more than 1,000 for ±20 %"


@pytest.mark.parametrize(("actions", "text"), outcomes())
def test_the_text_says_how_many_more_people_are_needed(actions: list[int], text: str) -> None:
    assert more_people(actions).description == text
