"""The upper median of the action counts of those who completed a level."""

import statistics

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.baseline import LevelBaseline, level_baseline, upper_median
from tests.refusals import rule_refused

counts = st.lists(st.integers(1, 5_000), min_size=1)


def test_a_level_nobody_completed_has_no_baseline() -> None:
    assert level_baseline([]) == LevelBaseline(completers=0, upper_median=None, best=None, actions=())


@given(counts)
def test_the_upper_median_is_the_high_median_of_the_standard_library(actions: list[int]) -> None:
    assert upper_median(actions) == statistics.median_high(actions)


@given(counts)
def test_at_least_half_needed_no_more_than_the_baseline(actions: list[int]) -> None:
    baseline = level_baseline(actions)
    assert baseline.upper_median is not None
    assert baseline.best == min(actions)
    assert baseline.upper_median in actions
    assert sum(count <= baseline.upper_median for count in actions) * 2 > len(actions)
    assert sum(count >= baseline.upper_median for count in actions) * 2 >= len(actions)


def test_the_median_of_no_values_is_refused() -> None:
    with rule_refused("no_values"):
        upper_median([])


def test_a_level_completed_without_an_action_is_refused() -> None:
    with rule_refused("action_count_not_positive"):
        level_baseline([12, 0])
