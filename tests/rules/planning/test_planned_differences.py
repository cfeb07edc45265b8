"""The planned power against an agent, beside simulated studies and tests."""

from random import Random
from statistics import fmean, stdev

import pytest
from scipy.stats import ttest_1samp

from playtest.rules.planning.precision import detectable, people_for_difference, power, standard_error
from playtest.rules.score_intervals import Environment

PEOPLE, RUNS, SUCCESS, SPREAD = 10, 3, 0.5, 0.15


def simulated(environments: int, mean: float, chance: Random) -> list[Environment]:
    """A study in which the agent is better by `mean`; results are 0 or 1, with chances within 0..1."""
    found = []
    for _ in range(environments):
        of_agent = SUCCESS + mean / 2 + chance.gauss(0, SPREAD)
        of_people = SUCCESS - mean / 2
        runs = tuple(float(chance.random() < of_agent) for _ in range(RUNS))
        found.append(Environment(runs, tuple(float(chance.random() < of_people) for _ in range(PEOPLE))))
    return found


def means(study: list[Environment]) -> list[float]:
    return [fmean(one.runs) - fmean(one.people) for one in study]


def test_the_standard_error_is_that_of_simulated_studies() -> None:
    chance = Random(15)
    found = stdev(fmean(means(simulated(20, 0.0, chance))) for _ in range(2_000))
    assert found == pytest.approx(standard_error(20, PEOPLE, RUNS, SUCCESS, SPREAD), rel=0.05)


@pytest.mark.parametrize(("environments", "mean"), [(8, 0.3), (25, 0.0), (25, 0.2)])
def test_the_power_is_the_share_of_simulated_studies_with_a_significant_test(
    environments: int, mean: float
) -> None:
    chance = Random(15)
    studies = [means(simulated(environments, mean, chance)) for _ in range(1_500)]
    found = fmean(ttest_1samp(studies, 0.0, axis=1).pvalue < 0.05)
    planned = power(mean, standard_error(environments, PEOPLE, RUNS, SUCCESS, SPREAD), environments)
    assert found == pytest.approx(planned, abs=0.04)


def test_the_detectable_difference_has_the_wanted_power() -> None:
    found = detectable(0.8, 0.08, 12)
    assert found is not None
    assert power(found, 0.08, 12) == pytest.approx(0.8)
    assert detectable(0.8, 5.0, 12) is None
    assert detectable(0.8, 0.08, 1) is None
    assert detectable(0.8, 0.0, 12) == 0


def test_more_people_help_only_as_far_as_runs_and_environments_do() -> None:
    needed = people_for_difference(0.25, 0.8, 25, RUNS, SUCCESS, SPREAD)
    assert needed is not None
    for people, enough in ((needed, True), (needed - 1, False)):
        found = detectable(0.8, standard_error(25, people, RUNS, SUCCESS, SPREAD), 25)
        assert found is not None
        assert (found <= 0.25) is enough
    assert people_for_difference(0.1, 0.8, 25, RUNS, SUCCESS, SPREAD) is None
