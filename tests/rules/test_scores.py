"""Scores of levels and environments against the baseline and the official calculator."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.score import LevelRun, Variant, environment_score, level_score, total_score
from tests.refusals import rule_refused

positive = st.integers(1, 2_000)
completed_levels = st.builds(LevelRun, st.just(True), positive, positive)
other_levels = st.builds(LevelRun, st.just(False), st.integers(0, 2_000), positive)
level_runs = st.one_of(completed_levels, other_levels)
runs = st.lists(level_runs, min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("actions", "toolkit", "report"),
    [(100, 1, 1), (20, 25, 25), (10, 100, 100), (9, 115, 10_000 / 81), (2, 115, 132.25)],
)
def test_a_level_scores_its_squared_efficiency_up_to_the_cap(
    actions: int, toolkit: float, report: float
) -> None:
    run = LevelRun(completed=True, actions=actions, baseline=10)
    assert level_score(run, Variant.TOOLKIT) == pytest.approx(toolkit)
    assert level_score(run, Variant.REPORT) == pytest.approx(report)


@pytest.mark.parametrize(("completed", "most"), [(0, 0), (1, 100 / 15), (3, 40), (4, 1000 / 15), (5, 100)])
@pytest.mark.parametrize("variant", Variant)
def test_no_efficiency_lifts_an_environment_above_the_weighted_share_of_its_levels(
    completed: int, most: float, variant: Variant
) -> None:
    levels = [LevelRun(completed=level <= completed, actions=1, baseline=50) for level in range(1, 6)]
    assert environment_score(levels, variant) == pytest.approx(most)


@given(runs)
def test_the_report_variant_is_equations_one_and_two(levels: list[LevelRun]) -> None:
    weights = range(1, len(levels) + 1)
    level_scores = [min(1.15, run.baseline / run.actions) ** 2 if run.completed else 0 for run in levels]
    mean = sum(w * s for w, s in zip(weights, level_scores, strict=True)) / sum(weights)
    share = sum(w for w, run in zip(weights, levels, strict=True) if run.completed) / sum(weights)
    assert environment_score(levels, Variant.REPORT) == pytest.approx(100 * min(mean, share))


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
