"""The upper median of the action counts of those who completed a level."""

import statistics
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.baseline import LevelBaseline, level_baseline, upper_median
from tests.refusals import rule_refused

counts = st.lists(st.integers(1, 5_000), min_size=1)


def test_a_level_nobody_completed_has_no_baseline() -> None:
    assert level_baseline([]) == LevelBaseline(completers=0, upper_median=None, best=None, actions=())


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([40], 40),
        ([40, 22], 40),
        ([40, 22, 31], 31),
        ([40, 22, 31, 25], 31),
        ([40, 22, 31, 25, 90], 31),
    ],
    ids=["one completer", "two: the slower", "three: the 2nd", "four: the 3rd", "five: the 3rd"],
)
def test_the_baseline_is_the_upper_median(actions: list[int], expected: int) -> None:
    assert level_baseline(actions).upper_median == expected


def test_a_baseline_shows_the_counts_behind_it_in_ascending_order() -> None:
    assert asdict(level_baseline([40, 22, 31, 25])) == {
        "completers": 4,
        "upper_median": 31,
        "best": 22,
        "actions": (22, 25, 31, 40),
    }


@given(counts)
def test_the_upper_median_is_the_high_median_of_the_standard_library(actions: list[int]) -> None:
    assert upper_median(actions) == statistics.median_high(actions)


@given(counts.flatmap(lambda actions: st.tuples(st.just(actions), st.permutations(actions))))
def test_the_baseline_does_not_depend_on_the_order_of_people(orders: tuple[list[int], list[int]]) -> None:
    assert level_baseline(orders[0]) == level_baseline(orders[1])


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
