"""Planned intervals and power, beside simulated studies."""

from collections.abc import Iterator
from math import log, sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from playtest.rules.baseline import upper_median
from playtest.rules.inference.agents import Environment, difference
from playtest.rules.inference.clusters import Result, rate
from playtest.rules.inference.medians import Interval, interval
from playtest.rules.inference.shares import share
from playtest.rules.planning.precision import (
    MOST_WITHOUT,
    Comparison,
    design_effect,
    expected_interval,
    people_for_difference,
    people_for_half,
    people_for_reach,
    success_of_all,
    success_of_environment,
    within,
)

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


@pytest.mark.parametrize(("people", "completing", "spread"), [(10, 0.5, 1.6), (40, 0.7, 1.3)])
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


PEOPLE, RUNS, SUCCESS, SPREAD = 10, 3, 0.5, 0.15
BETWEEN = 0.15
"""Standard deviation of success between environments, where they differ."""


def compared(environments: int, people: int = PEOPLE) -> Comparison:
    """Of people who meet one environment each; all are equally hard."""
    return Comparison.of(environments, people, RUNS, SUCCESS, 0.0, SPREAD)


def simulated_differences(environments: int, mean: float, chance: Random) -> list[Environment]:
    """A study in which the agent is better by `mean`; results are 0 or 1, with chances within 0..1."""
    found = []
    for _ in range(environments):
        of_agent = SUCCESS + mean / 2 + chance.gauss(0, SPREAD)
        of_people = SUCCESS - mean / 2
        runs = tuple(float(chance.random() < of_agent) for _ in range(RUNS))
        people = {f"p{number}": float(chance.random() < of_people) for number in range(PEOPLE)}
        found.append(Environment(runs, people))
    return found


def test_the_standard_error_is_that_of_simulated_studies() -> None:
    chance = Random(15)
    found = stdev(
        fmean(fmean(one.runs) - fmean(one.people.values()) for one in simulated_differences(20, 0.0, chance))
        for _ in range(2_000)
    )
    assert found == pytest.approx(compared(20).error, rel=0.05)


@pytest.mark.parametrize("studies", [150, pytest.param(600, marks=pytest.mark.long)])
@pytest.mark.parametrize(("environments", "mean"), [(12, 0.0), (12, 0.25), (25, 0.0), (25, 0.2)])
def test_the_power_allows_for_people_who_meet_all_environments(
    environments: int, mean: float, studies: int
) -> None:
    """The same people everywhere, with correlation 0.15: judged by the interval of the arena's pages."""
    chance, found, correlation = Random(15), [], 0.15
    own = sqrt(correlation * within(SUCCESS, BETWEEN))
    for _ in range(studies):
        able = [chance.choice((own, -own)) for _ in range(PEOPLE)]
        easy = [SUCCESS + chance.choice((BETWEEN, -BETWEEN)) for _ in range(environments)]
        judged = difference(
            [
                Environment(
                    tuple(100.0 * (chance.random() < of_agent) for _ in range(RUNS)),
                    {
                        f"p{number}": 100.0 * (chance.random() < of_all + more)
                        for number, more in enumerate(able)
                    },
                )
                for of_all in easy
                for of_agent in [of_all + mean + chance.gauss(0, SPREAD)]
            ]
        )
        assert judged is not None
        assert judged.interval is not None
        found.append(judged.interval.low > 0 or judged.interval.high < 0)
    planned = Comparison.of(
        environments, PEOPLE, RUNS, SUCCESS, BETWEEN, SPREAD, design_effect(environments, correlation),
        min(environments, PEOPLE),
    )  # fmt: skip
    assert fmean(found) == pytest.approx(planned.power(abs(mean)), abs=1.5 / sqrt(studies))


def test_the_detectable_difference_has_the_wanted_power() -> None:
    found = compared(12).detectable(0.8)
    assert found is not None
    assert compared(12).power(found) == pytest.approx(0.8)
    assert Comparison.of(2, 1, 1, SUCCESS, 0.0, 0.5).detectable(0.8) is None
    assert compared(1).detectable(0.8) is None
    assert Comparison(0.5, 0.0, 0.0, 0.0, 12, 12).detectable(0.8) == 0


def test_more_people_help_only_as_far_as_runs_and_environments_do() -> None:
    def planned(people: int) -> Comparison:
        return compared(25, people)

    needed = people_for_difference(0.25, 0.8, planned)
    assert needed is not None
    for people, enough in ((needed, True), (needed - 1, False)):
        found = planned(people).detectable(0.8)
        assert found is not None
        assert (found <= 0.25) is enough
    assert people_for_difference(0.1, 0.8, planned) is None


@pytest.mark.parametrize(("people", "success"), [(10, 0.5), (10, 0.9), (25, 0.3)])
def test_an_environments_interval_is_the_mean_of_those_simulated(people: int, success: float) -> None:
    chance = Random(15)
    found = [share(sum(chance.random() < success for _ in range(people)), people) for _ in range(4_000)]
    planned = success_of_environment(people, success)
    assert planned.low == pytest.approx(fmean(one.low for one in found), abs=0.008)
    assert planned.high == pytest.approx(fmean(one.high for one in found), abs=0.008)


@pytest.mark.parametrize(
    ("environments", "each", "between", "correlation"),
    [(12, 1, 0.15, 0.0), (12, 12, 0.15, 0.15), (25, 5, 0.2, 0.1)],
)
def test_the_overall_interval_is_the_one_that_the_page_of_the_study_will_have(
    environments: int, each: int, between: float, correlation: float
) -> None:
    """Effects of people and of environments are one of two values, so that the moments are exact."""
    success, chance, people = 0.5, Random(15), PEOPLE * environments // each
    own = sqrt(correlation * within(success, between))
    ends = []
    for _ in range(300):
        easy = [chance.choice((between, -between)) for _ in range(environments)]
        results = []
        for person in range(people):
            able = success + chance.choice((own, -own))
            met = chance.sample(range(environments), each)
            results += [Result(f"p{person}", f"e{e}", float(chance.random() < able + easy[e])) for e in met]
        found = rate(results)
        assert found is not None
        ends.append((found.high - found.low) / 2)
    design = design_effect(each, correlation)
    planned = success_of_all(people * each, environments, min(environments, people), success, between, design)
    assert fmean(ends) == pytest.approx(planned.half, rel=0.12)


def test_intervals_stay_within_a_share_and_one_person_shows_nothing() -> None:
    assert success_of_environment(1, 1.0).high == 1
    assert success_of_all(9, 3, 3, 0.9, 0.3, 3).high <= 1
    assert success_of_all(3, 3, 1, 0.9, 0.1, 1) == success_of_all(3, 3, 1, 0.5, 0.0, 1)
    assert success_of_all(7, 1, 1, 0.5, 0.0, 1) == success_of_environment(7, 0.5)


def test_the_number_of_people_is_the_smallest_that_is_precise_enough() -> None:
    needed = people_for_half(0.15, 0.5)
    assert needed is not None
    assert success_of_environment(needed, 0.5).half <= 0.15 < success_of_environment(needed - 1, 0.5).half
    assert people_for_half(0.01, 0.5) is None
