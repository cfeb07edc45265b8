"""Two-way clusters beside plain sums over pairs of results, and beside formulas of the textbook."""

from collections import Counter
from math import sqrt
from random import Random
from statistics import fmean, variance

import numpy as np
import pytest
from scipy.stats import binomtest, t

from playtest.rules.inference.agents import Environment, difference
from playtest.rules.inference.clusters import Clusters, Result, alike, rate, trend


def drawn(seed: int, people: int = 12, environments: int = 9, each: int = 5) -> list[Result]:
    """Each of the people at some of the environments; some are abler, some environments harder."""
    chance = Random(seed)
    able = [chance.gauss(0, 0.3) for _ in range(people)]
    return [
        Result(f"p{person}", f"e{at}", float(chance.random() < 0.3 + able[person] + 0.05 * at))
        for person in range(people)
        for at in chance.sample(range(environments), each)
    ]


def by_pairs(results: list[Result], influence: list[float]) -> float:
    """The variance as sums over all pairs, with each side's own correction for few clusters."""
    found = {}
    for side in (0, 1):
        count = len({one[side] for one in results})
        together = sum(
            here * elsewhere
            for one, here in zip(results, influence, strict=True)
            for other, elsewhere in zip(results, influence, strict=True)
            if one[side] == other[side]
        )
        found[side] = together * count / (count - 1)
    alone = sum(one**2 for one in influence) * len(results) / (len(results) - 1)
    return max(found[0] + found[1] - alone, found[0], found[1])


@pytest.mark.parametrize("seed", range(5))
def test_the_variance_is_the_sum_over_pairs_that_share_a_person_or_an_environment(seed: int) -> None:
    results = drawn(seed)
    value = fmean(one.value for one in results)
    influence = [(one.value - value) / len(results) for one in results]
    expected = by_pairs(results, influence)
    assert Clusters.of(results).variance(np.array(influence)) == pytest.approx(expected)
    found, effective = rate(results), value * (1 - value) / expected
    assert found is not None
    assert found.value == pytest.approx(value)
    assert (found.people, found.environments) == (12, 9)
    reach = t.ppf(0.975, 8)
    for end in (found.low, found.high):  # both solve (value - end)^2 = reach^2 end (1 - end) / effective
        assert (value - end) ** 2 == pytest.approx(reach**2 * end * (1 - end) / min(effective, len(results)))


def test_at_one_environment_the_interval_is_wilsons() -> None:
    found = rate([Result(f"p{number}", "e", float(number < 7)) for number in range(20)])
    wilson = binomtest(7, 20).proportion_ci(method="wilson")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))


def test_every_person_or_environment_can_count_once() -> None:
    results = drawn(3, each=4)[:-3]  # the last person met one environment
    for side in (0, 1):
        groups: dict[str, list[float]] = {}
        for one in results:
            groups.setdefault(str(one[side]), []).append(one.value)
        found = rate(results, by=side)
        assert found is not None
        assert found.value == pytest.approx(fmean(map(fmean, groups.values())))
        assert found.low < found.value < found.high


def test_one_person_shows_nothing_about_others_and_no_one_nothing_at_all() -> None:
    found = rate([Result("p", f"e{number}", 1.0) for number in range(9)])
    assert found is not None
    assert (found.value, found.low, found.high) == (1, 0, 1)
    assert rate([]) is None


def test_where_all_solved_others_may_not() -> None:
    found = rate([Result(f"p{a}", f"e{b}", 1.0) for a in range(10) for b in range(12)])
    assert found is not None
    assert found.high == 1
    assert 0.5 < found.low < 0.8


@pytest.mark.parametrize("seed", range(3))
def test_the_trend_is_that_of_least_squares_with_a_constant_for_each(seed: int) -> None:
    results, chance = drawn(seed), Random(seed)
    at = [float(chance.randrange(5)) for _ in results]
    people, environments = (sorted({one[side] for one in results}) for side in (0, 1))
    others = environments[1:]
    design = np.array(
        [
            [step, *(one.person == name for name in people), *(one.environment == e for e in others)]
            for one, step in zip(results, at, strict=True)
        ],
        dtype=float,
    )  # fmt: skip
    values = np.array([one.value for one in results])
    bread = np.linalg.inv(design.T @ design)
    coefficients = bread @ design.T @ values
    influence = (bread @ design.T)[0] * (values - design @ coefficients)
    found = trend(results, at)
    assert found is not None
    assert found.value == pytest.approx(coefficients[0])
    reach = t.ppf(0.975, 8) * sqrt(by_pairs(results, influence.tolist()))
    assert (found.low, found.high) == pytest.approx((found.value - reach, found.value + reach))


def test_a_trend_needs_five_people_and_steps_that_differ() -> None:
    assert trend([], []) is None
    assert trend(drawn(1, people=4), [float(number) for number in range(20)]) is None
    assert trend(drawn(1), [1.0] * 60) is None


def test_covariance_is_the_mean_product_of_one_persons_residuals() -> None:
    results = drawn(4)
    met = Counter(one.environment for one in results)
    usual = {e: fmean(one.value for one in results if one.environment == e) for e in met}
    residual = {
        (one.person, one.environment): (one.value - usual[one.environment])
        * sqrt(met[one.environment] / (met[one.environment] - 1))
        for one in results
    }
    products = [
        a * b for (p, e), a in residual.items() for (q, f), b in residual.items() if p == q and e != f
    ]
    found = alike(results)
    assert found is not None
    assert found.covariance == pytest.approx(max(0, fmean(products)))
    assert found.variance == pytest.approx(fmean(one**2 for one in residual.values()))
    assert found.people == 12


def test_at_one_environment_an_agent_is_tested_as_one_more_value_is() -> None:
    """Student's prediction: as if the agent's score had the variance of the people's."""
    people = {f"p{number}": float(value) for number, value in enumerate((10, 40, 25, 60, 55, 30))}
    found = difference([Environment((95.0,), people)])
    assert found is not None
    values = list(people.values())
    ratio = (95 - fmean(values)) / sqrt(variance(values) * (1 + 1 / 6))
    assert found.p == pytest.approx(2 * t.sf(ratio, 5))
    assert (found.interval, found.shared) == (None, 0)


def test_where_everybody_met_everything_the_test_is_students_of_their_means() -> None:
    chance = Random(5)
    able = [chance.gauss(0, 20) for _ in range(9)]
    scores = [[50 + able[p] + chance.gauss(0, 10) for p in range(9)] for _ in range(12)]
    environments = [Environment((90.0,), {f"p{p}": score for p, score in enumerate(one)}) for one in scores]
    found = difference(environments)
    means = [fmean(one[p] for one in scores) for p in range(9)]
    ratio = (90 - fmean(means)) / sqrt(variance(means) * (1 + 1 / 9))
    assert found is not None
    assert found.shared == 9
    assert found.p is not None
    # The degrees of freedom are Satterthwaite's, 8 at most; the ratio is exactly Student's.
    ratios = [t.isf(found.p / 2, freedom) for freedom in (1, 8)]
    assert ratios[1] <= ratio + 1e-9
    assert ratio <= ratios[0]


def test_people_without_variety_say_nothing_about_one_more() -> None:
    found = difference([Environment((40.0,), {"a": 50.0}), Environment((40.0,), {"a": 50.0, "b": 50.0})])
    assert found is not None
    assert found.p is None
