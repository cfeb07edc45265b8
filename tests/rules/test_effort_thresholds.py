"""A study may change any effort threshold; what makes no sense is refused."""

import math
from dataclasses import asdict
from typing import Any

import pytest

from playtest.rules.effort import Thresholds, thresholds
from playtest.rules.errors import RuleError


def test_without_changes_the_rules_own_hold() -> None:
    assert thresholds({}) == Thresholds()


def test_a_change_leaves_the_others_as_they_are() -> None:
    changed = thresholds({"no_op_share": 0.7})
    assert asdict(changed) == {**asdict(Thresholds()), "no_op_share": 0.7}


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("effort_thresholds_malformed", ["no_op_share"]),
        ("effort_thresholds_malformed", 0.7),
        ("effort_threshold_unknown", {"no_op": 0.7}),
        ("effort_threshold_invalid", {"no_op_share": 1.01}),
        ("effort_threshold_invalid", {"no_op_share": -0.01}),
        ("effort_threshold_invalid", {"no_op_share": "0.7"}),
        ("effort_threshold_invalid", {"no_op_share": True}),
        ("effort_threshold_invalid", {"no_op_share": None}),
        ("effort_threshold_invalid", {"idle_gap_seconds": math.inf}),
        ("effort_threshold_invalid", {"idle_gap_seconds": math.nan}),
        ("effort_threshold_invalid", {"cycling_actions": 10.5}),
        ("effort_threshold_invalid", {"run_percentile": 101}),
        ("effort_thresholds_crossed", {"response_strong_below": 0.95}),
    ],
)
def test_what_makes_no_sense_is_refused(code: str, changes: Any) -> None:
    with pytest.raises(RuleError) as refused:
        thresholds(changes)
    assert refused.value.code == code


@pytest.mark.parametrize("changes", [{"no_op_share": 0}, {"no_op_share": 1}, {"run_percentile": 100}])
def test_the_ends_of_a_range_belong_to_it(changes: dict[str, Any]) -> None:
    assert thresholds(changes) != Thresholds()
