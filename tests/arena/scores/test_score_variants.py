"""The variants of a score, the budget, and the names that scores carry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.errors import RuleError
from playtest.rules.score import BUDGET, LevelRun, Reading, Variant, level_score, over_budget

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
    assert Reading().name == "toolkit"
    assert Reading(Variant.SECOND_BEST, undo_counts=False).name == "second best, undo not counted"
    assert Reading(Variant.REPORT, budget=False).name == "report, no budget"
