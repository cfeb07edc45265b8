"""A study may change any effort threshold; what makes no sense is refused."""

import math
from dataclasses import asdict
from typing import Any

import pytest

from playtest.rules.effort import Thresholds, thresholds
from tests.refusals import rule_refused


def test_default_thresholds_apply_without_changes() -> None:
    assert thresholds({}) == Thresholds()


def test_a_changed_threshold_leaves_the_others_unchanged() -> None:
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
def test_invalid_thresholds_are_refused(code: str, changes: Any) -> None:
    with rule_refused(code):
        thresholds(changes)


@pytest.mark.parametrize("changes", [{"no_op_share": 0}, {"no_op_share": 1}, {"run_percentile": 100}])
def test_the_limits_of_a_range_are_accepted(changes: dict[str, Any]) -> None:
    assert thresholds(changes) != Thresholds()
