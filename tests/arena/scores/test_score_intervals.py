"""Variants of a score, and intervals and tests of scores, by simulation."""

from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import t, ttest_1samp, ttest_ind

from playtest.rules.errors import RuleError
from playtest.rules.inference.agents import (
    FEWEST,
    FEWEST_RUNS,
    Environment,
    Over,
    difference,
    mean_interval,
    why_none,
)
from playtest.rules.score import BUDGET, LevelRun, Reading, Variant, level_score, over_budget

TRUE_MEAN = 0.7 * 40
scores = st.floats(0, 100).map(lambda value: round(value, 6))


def drawn(chance: Random) -> float:
    """A score as agents have them: often nothing, else anything (mean 40)."""
    return 0.0 if chance.random() < 0.3 else 100 * chance.betavariate(2, 3)


def test_intervals_over_runs_hold_the_mean_about_as_often_as_they_say() -> None:
    """Of five environments with four runs each, every environment with a mean of its own."""
    chance, held, given_ = Random(17), 0, 0
    for _ in range(400):
        worth = [chance.random() for _ in range(5)]
        found = mean_interval([Environment(tuple(drawn(chance) * one for _ in range(4))) for one in worth])
        given_ += found is not None
        held += found is not None and found.low <= fmean(worth) * TRUE_MEAN <= found.high
    assert given_ > 380
    assert 0.9 <= held / given_ <= 0.99


@given(st.lists(scores, min_size=FEWEST_RUNS, max_size=12))
def test_of_one_environment_the_interval_is_that_of_student(values: list[float]) -> None:
    found = mean_interval([Environment(tuple(values))])
    if len(set(values)) == 1:
        assert found is None
        return
    expected = ttest_1samp(values, 0).confidence_interval(0.95)
    assert found == pytest.approx((max(0, expected.low), min(100, expected.high), Over.RUNS), abs=1e-6)


@given(
    st.lists(st.floats(40, 60), min_size=FEWEST_RUNS, max_size=8),
    st.lists(st.floats(40, 60), min_size=FEWEST_RUNS, max_size=8),
)
def test_of_two_environments_the_interval_is_that_of_welch(one: list[float], other: list[float]) -> None:
    """Half the difference between the scores of one and the mirrored scores of the other."""
    found = mean_interval([Environment(tuple(one)), Environment(tuple(other))])
    assume(stdev(one) > 1e-3 and stdev(other) > 1e-3)
    mirrored = [-value for value in other]
    expected = ttest_ind(one, mirrored, equal_var=False).confidence_interval(0.95)
    low, high = max(0, expected.low / 2), min(100, expected.high / 2)
    assert found == pytest.approx((low, high, Over.RUNS), abs=1e-6)


@given(
    st.lists(st.lists(scores, min_size=FEWEST_RUNS, max_size=5), min_size=1, max_size=FEWEST - 1),
    st.randoms(use_true_random=False),
)
def test_an_interval_over_runs_holds_the_mean_and_does_not_depend_on_their_order(
    given_: list[list[float]], chance: Random
) -> None:
    found = mean_interval([Environment(tuple(runs)) for runs in given_])
    shuffled = [tuple(chance.sample(runs, len(runs))) for runs in chance.sample(given_, len(given_))]
    again = mean_interval([Environment(runs) for runs in shuffled])
    if found is None:
        assert again is None
        assert all(len(set(runs)) == 1 for runs in given_)
        return
    mean = fmean(fmean(runs) for runs in given_)
    assert 0 <= found.low <= mean + 1e-9
    assert mean - 1e-9 <= found.high <= 100
    assert again == pytest.approx(found)


@given(st.lists(scores, min_size=FEWEST, max_size=12).filter(lambda values: len(set(values)) > 3))
def test_over_environments_the_interval_stays_within_scores_and_has_students_variance(
    values: list[float],
) -> None:
    """Both ends solve (mean - end)^2 = t^2 end (100 - end) error^2 / (mean (100 - mean)), as Wilson's do."""
    found, mean = mean_interval([Environment((value,)) for value in values]), fmean(values)
    assert found is not None
    assert 0 <= found.low < mean < found.high <= 100
    reach, error = t.ppf(0.975, len(values) - 1), stdev(values) / sqrt(len(values))
    for end in found[:2]:
        expected = (reach * error) ** 2 * end * (100 - end) / (mean * (100 - mean))
        assert (mean - end) ** 2 == pytest.approx(expected, abs=1e-6)


def test_few_environments_with_few_runs_have_no_interval_and_say_why() -> None:
    assert mean_interval([]) is None
    few = [Environment((1.0, 9.0, 5.0))] * (FEWEST - 2) + [Environment((1.0, 2.0))]
    for environments in ([Environment((1.0,))] * (FEWEST - 1), few):
        assert mean_interval(environments) is None
        assert "at least 3 runs of each" in why_none(environments)


@pytest.mark.parametrize("environments", [1, FEWEST])
def test_equal_scores_have_no_interval_and_no_difference(environments: int) -> None:
    same = [Environment((40.0,) * 3, {"a": 40.0, "b": 40.0})] * environments
    assert mean_interval(same) is None
    assert why_none(same).startswith("Equal scores")
    found = difference(same)
    assert found is not None
    assert (found.mean, found.p) == (0, 1)


def test_environments_that_nobody_tested_are_not_compared() -> None:
    assert difference([Environment((50.0,))]) is None
    found = difference([Environment((50.0,)), Environment((20.0,), {"a": 40.0, "b": 60.0})])
    assert found is not None
    assert (found.environments, found.mean, found.interval) == (1, -30, None)


positive = st.integers(1, 2_000)
completed = st.builds(LevelRun, st.just(True), positive, positive)


@pytest.mark.parametrize(
    ("actions", "percent"), [(5, 100), (10, 100), (11, 10_000 / 121), (20, 25), (100, 1)]
)
def test_before_april_2026_nobody_scored_more_than_the_second_best(actions: int, percent: float) -> None:
    run = LevelRun(completed=True, actions=actions, baseline=10)
    assert level_score(run, Variant.SECOND_BEST) == pytest.approx(percent)


@given(st.lists(st.tuples(positive, positive), min_size=1, max_size=12))
def test_the_budget_ends_at_the_first_level_above_five_times_its_baseline(
    pairs: list[tuple[int, int]],
) -> None:
    actions, baselines = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = over_budget(actions, baselines)
    allowed = [taken <= BUDGET * baseline for taken, baseline in pairs]
    if found is None:
        assert all(allowed)
    else:
        assert all(allowed[: found - 1])
        assert not allowed[found - 1]


def test_exactly_the_budget_is_within_it() -> None:
    assert over_budget([50, 50], [10, 10]) is None
    assert over_budget([50, 51], [10, 10]) == 2
    assert over_budget([], []) is None


def test_a_budget_needs_a_baseline() -> None:
    with pytest.raises(RuleError) as found:
        over_budget([1, 1], [1, 0])
    assert found.value.code == "baseline_not_positive"


def test_a_score_names_how_it_was_read() -> None:
    assert Reading().name == "toolkit, undo counted"
    assert Reading(Variant.SECOND_BEST, undo_counts=False).name == "second best, undo not counted"
    assert Reading(Variant.REPORT, budget=False).name == "report, undo counted, no budget"
