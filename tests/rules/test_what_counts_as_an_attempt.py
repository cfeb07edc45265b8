"""More than 30 actions and less than 30 minutes of interaction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import Outcome, counts_as_attempt, why_not_counted

MINUTE = 60


@pytest.mark.parametrize(("actions", "counts"), [(0, False), (30, False), (31, True), (2_000, True)])
def test_it_has_more_than_30_actions(actions: int, counts: bool) -> None:
    assert counts_as_attempt(actions, 5 * MINUTE) is counts


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
def test_it_lasts_less_than_30_minutes(seconds: float, counts: bool) -> None:
    assert counts_as_attempt(31, seconds) is counts


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
def test_the_reason_is_said_in_a_sentence(actions: int, seconds: float, sentence: str | None) -> None:
    assert why_not_counted(actions, seconds) == sentence


def test_a_study_may_draw_the_lines_elsewhere() -> None:
    assert counts_as_attempt(11, 119, minimum_actions=10, maximum_seconds=120)
    assert not counts_as_attempt(10, 119, minimum_actions=10, maximum_seconds=120)
    assert not counts_as_attempt(11, 120, minimum_actions=10, maximum_seconds=120)


@given(actions=st.integers(0, 100), seconds=st.floats(0, 4000))
def test_both_conditions_are_needed_and_enough(actions: int, seconds: float) -> None:
    assert counts_as_attempt(actions, seconds) == (actions > 30 and seconds < 1800)


def test_the_outcomes_are_these() -> None:
    assert set(Outcome) == {"completed", "gave_up", "concluded", "timed_out", "session_over", "fault"}
