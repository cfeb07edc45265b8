"""The planned intervals of success, beside simulated studies."""

from random import Random
from statistics import fmean, stdev

import pytest

from playtest.rules.planning.precision import people_for_half, success_of_all, success_of_environment
from playtest.rules.proportions import Z_95, share


@pytest.mark.parametrize(("people", "success"), [(10, 0.5), (10, 0.9), (25, 0.3)])
def test_an_environments_interval_is_the_mean_of_those_simulated(people: int, success: float) -> None:
    chance = Random(15)
    found = [share(sum(chance.random() < success for _ in range(people)), people) for _ in range(4_000)]
    planned = success_of_environment(people, success)
    assert planned.low == pytest.approx(fmean(one.low for one in found), abs=0.008)
    assert planned.high == pytest.approx(fmean(one.high for one in found), abs=0.008)


@pytest.mark.parametrize(("each", "correlation"), [(1, 0.4), (9, 0.0), (9, 0.2), (6, 0.5)])
def test_the_overall_interval_allows_for_people_who_resemble_themselves(
    each: int, correlation: float
) -> None:
    people, success, chance = 30, 0.6, Random(15)

    def study() -> float:
        """Each person has a chance of their own; a beta distribution makes the correlation exact."""
        size = 1 / correlation - 1 if correlation else 0
        own = [
            chance.betavariate(success * size, (1 - success) * size) if size else success
            for _ in range(people)
        ]
        return fmean(chance.random() < one for one in own for _ in range(each))

    simulated = stdev(study() for _ in range(2_000))
    planned = success_of_all(people * each, each, success, correlation).half / Z_95
    assert simulated == pytest.approx(planned, rel=0.06)


def test_intervals_stay_within_a_share() -> None:
    assert success_of_environment(1, 1.0).high == 1
    assert success_of_all(1, 1, 0.9, 0).high == 1


def test_the_number_of_people_is_the_smallest_that_is_precise_enough() -> None:
    needed = people_for_half(0.15, 0.5)
    assert needed is not None
    assert success_of_environment(needed, 0.5).half <= 0.15 < success_of_environment(needed - 1, 0.5).half
    assert people_for_half(0.01, 0.5) is None
