"""More than 30 actions and less than 30 minutes of interaction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import AttemptRule
from tests.refusals import rule_refused

MINUTE = 60
RULE = AttemptRule(more_than_actions=30, less_than_seconds=1800)


@pytest.mark.parametrize(
    ("seconds", "counts"),
    [
        (0, True),
        (19 * MINUTE + 59, True),
        (20 * MINUTE, True),
        (29 * MINUTE + 59, True),
        (30 * MINUTE - 0.001, True),
        (30 * MINUTE, False),
        (31 * MINUTE, False),
    ],
)
def test_an_attempt_counts_with_less_than_30_minutes(seconds: float, counts: bool) -> None:
    assert RULE.counts(31, seconds) is counts


@pytest.mark.parametrize(
    ("seconds", "granted", "counts"),
    [(1810, 300, True), (1810, 0, False), (2099.999, 300, True), (2100, 300, False)],
)
def test_an_attempt_counts_as_long_as_the_time_granted_to_it_lasts(
    seconds: float, granted: float, counts: bool
) -> None:
    assert RULE.counts(31, seconds, granted) is counts
    assert (RULE.why_not_counted(31, seconds, granted) is None) is counts


@pytest.mark.parametrize(
    ("actions", "seconds", "sentence"),
    [
        (31, 1799, None),
        (30, 1799, "Not counted: it has 30 actions and needs more than 30."),
        (31, 1800, "Not counted: it lasted 30:00 and must last less than 30:00."),
        (
            1,
            1865,
            "Not counted: it has 1 action and needs more than 30, "
            "and it lasted 31:05 and must last less than 30:00.",
        ),
    ],
)
def test_the_reason_is_given_in_one_sentence(actions: int, seconds: float, sentence: str | None) -> None:
    assert RULE.why_not_counted(actions, seconds) == sentence


@pytest.mark.parametrize(("actions", "seconds"), [(-1, 120), (10, 0), (10, -1)])
def test_invalid_limits_are_refused(actions: int, seconds: int) -> None:
    with rule_refused("attempt_rule_invalid"):
        AttemptRule(actions, seconds)


@pytest.mark.parametrize(
    ("outcome", "actions", "at_once"),
    [("gave_up", 30, True), ("gave_up", 31, False), ("timed_out", 0, True), ("session_over", 0, False)],
)
def test_a_person_who_stops_with_too_few_actions_left_at_once(
    outcome: str, actions: int, at_once: bool
) -> None:
    assert RULE.left_at_once(outcome, actions) is at_once


@given(actions=st.integers(0, 100), seconds=st.floats(0, 4000))
def test_both_conditions_are_necessary_and_sufficient(actions: int, seconds: float) -> None:
    assert RULE.counts(actions, seconds) == (actions > 30 and seconds < 1800)
