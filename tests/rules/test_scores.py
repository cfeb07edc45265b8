"""Scores of levels and environments against the baseline and the official calculator."""

from random import Random

import pytest
from arc_agi.scorecard import EnvironmentScoreCalculator
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.score import LevelRun, Variant, environment_score, level_score, total_score
from tests.refusals import rule_refused

positive = st.integers(1, 2_000)
completed_levels = st.builds(LevelRun, st.just(True), positive, positive)
other_levels = st.builds(LevelRun, st.just(False), st.integers(0, 2_000), positive)
level_runs = st.one_of(completed_levels, other_levels)
runs = st.lists(level_runs, min_size=1, max_size=12)


def official_score(levels: list[LevelRun]) -> float:
    calculator = EnvironmentScoreCalculator()
    for index, run in enumerate(levels, start=1):
        calculator.add_level(index, run.completed, run.actions, run.baseline)
    return float(calculator.to_score().score)


@pytest.mark.parametrize(
    ("actions", "toolkit", "report"),
    [
        (100, 1, 1),
        (20, 25, 25),
        (10, 100, 100),
        (9, 115, 10_000 / 81),
        (2, 115, 132.25),
    ],
)
def test_a_level_scores_its_squared_efficiency_up_to_the_cap(
    actions: int, toolkit: float, report: float
) -> None:
    run = LevelRun(completed=True, actions=actions, baseline=10)
    assert level_score(run, Variant.TOOLKIT) == pytest.approx(toolkit)
    assert level_score(run, Variant.REPORT) == pytest.approx(report)


def test_between_the_two_caps_the_variants_differ() -> None:
    run = LevelRun(completed=True, actions=100, baseline=110)
    assert level_score(run, Variant.TOOLKIT) == 115
    assert level_score(run, Variant.REPORT) == pytest.approx(121)
    assert level_score(run) == level_score(run, Variant.TOOLKIT)


def test_an_uncompleted_level_scores_zero() -> None:
    assert level_score(LevelRun(completed=False, actions=3, baseline=10)) == 0


@pytest.mark.parametrize(("completed", "most"), [(0, 0), (1, 100 / 15), (3, 40), (4, 1000 / 15), (5, 100)])
@pytest.mark.parametrize("variant", Variant)
def test_no_efficiency_lifts_an_environment_above_the_weighted_share_of_its_levels(
    completed: int, most: float, variant: Variant
) -> None:
    levels = [LevelRun(completed=level <= completed, actions=1, baseline=50) for level in range(1, 6)]
    assert environment_score(levels, variant) == pytest.approx(most)


def test_later_levels_weigh_more() -> None:
    good, poor = LevelRun(True, 10, 10), LevelRun(True, 20, 10)
    assert environment_score([good, poor]) == pytest.approx((100 + 2 * 25) / 3)
    assert environment_score([poor, good]) == pytest.approx((25 + 2 * 100) / 3)


@given(runs)
def test_an_environment_scores_what_the_official_calculator_gives(levels: list[LevelRun]) -> None:
    assert environment_score(levels) == pytest.approx(official_score(levels))


@given(runs)
def test_the_report_variant_is_equations_one_and_two(levels: list[LevelRun]) -> None:
    weights = range(1, len(levels) + 1)
    level_scores = [min(1.15, run.baseline / run.actions) ** 2 if run.completed else 0 for run in levels]
    mean = sum(w * s for w, s in zip(weights, level_scores, strict=True)) / sum(weights)
    share = sum(w for w, run in zip(weights, levels, strict=True) if run.completed) / sum(weights)
    assert environment_score(levels, Variant.REPORT) == pytest.approx(100 * min(mean, share))


@given(runs, st.sampled_from(Variant))
def test_an_environment_scores_between_0_and_100_percent(levels: list[LevelRun], variant: Variant) -> None:
    assert 0 <= environment_score(levels, variant) <= 100


@given(completed_levels, positive, st.sampled_from(Variant))
def test_more_actions_never_score_more(run: LevelRun, extra: int, variant: Variant) -> None:
    slower = LevelRun(True, run.actions + extra, run.baseline)
    assert level_score(slower, variant) <= level_score(run, variant)


@given(st.lists(level_runs, min_size=1, max_size=8), st.data(), st.sampled_from(Variant))
def test_fewer_actions_on_a_level_never_lower_the_environment(
    levels: list[LevelRun], data: st.DataObject, variant: Variant
) -> None:
    index = data.draw(st.integers(0, len(levels) - 1))
    run = levels[index]
    quicker = LevelRun(run.completed, max(1, run.actions // 2), run.baseline)
    better = [*levels[:index], quicker, *levels[index + 1 :]]
    assert environment_score(better, variant) >= environment_score(levels, variant)


@given(st.lists(other_levels, min_size=1, max_size=12), st.sampled_from(Variant))
def test_an_environment_without_a_completed_level_scores_nothing(
    levels: list[LevelRun], variant: Variant
) -> None:
    assert environment_score(levels, variant) == 0


@given(positive, positive, st.integers(2, 12), st.sampled_from(Variant))
def test_a_level_alone_is_worth_its_index(baseline: int, actions: int, levels: int, variant: Variant) -> None:
    run, missed = LevelRun(True, actions, baseline), LevelRun(False, 0, baseline)
    worth = min(100.0, level_score(run, variant))  # nothing above the share of its weight
    weights = levels * (levels + 1) / 2
    for place in range(levels):
        row = [run if level == place else missed for level in range(levels)]
        assert environment_score(row, variant) == pytest.approx(worth * (place + 1) / weights)


@given(completed_levels, st.sampled_from(Variant))
def test_no_level_scores_above_its_variants_cap(run: LevelRun, variant: Variant) -> None:
    assert 0 < level_score(run, variant) <= variant.cap


@given(st.lists(st.floats(0, 100), min_size=1, max_size=10), st.randoms(use_true_random=False))
def test_the_order_of_environments_is_irrelevant(scores: list[float], chance: Random) -> None:
    shuffled = list(scores)
    chance.shuffle(shuffled)
    assert total_score(shuffled) == total_score(scores)


@given(runs)
def test_the_toolkit_never_scores_a_run_above_the_report(levels: list[LevelRun]) -> None:
    assert environment_score(levels, Variant.TOOLKIT) <= environment_score(levels, Variant.REPORT)


def test_the_total_is_the_mean_over_environments_and_absent_without_any() -> None:
    assert total_score([100, 0, 20]) == 40
    assert total_score([]) is None


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (LevelRun(True, 10, 0), "baseline_not_positive"),
        (LevelRun(False, 0, 0), "baseline_not_positive"),
        (LevelRun(True, 0, 10), "action_count_not_positive"),
    ],
)
def test_a_level_that_cannot_be_scored_is_refused(run: LevelRun, code: str) -> None:
    with rule_refused(code):
        level_score(run)


def test_an_environment_without_levels_is_refused() -> None:
    with rule_refused("no_levels"):
        environment_score([])
