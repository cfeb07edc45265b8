"""Norms come from others who completed something, and say what they needed for each level."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import Outcome
from playtest.rules.effort import AttemptEvidence, NormSample, Thresholds, completed_something
from tests.rules.effort import acts, attempt

LIMITS = Thresholds(norm_least_people=1)


@pytest.mark.parametrize(
    ("outcome", "levels", "completed"),
    [
        (Outcome.GAVE_UP, 0, False),
        (Outcome.GAVE_UP, 2, False),
        (Outcome.GAVE_UP, 3, True),
        (Outcome.TIMED_OUT, 3, True),
        (Outcome.SESSION_OVER, 1, False),
        (Outcome.COMPLETED, 1, True),
    ],
    ids=["nothing", "the first levels", "a third level", "timed out later", "cut short", "all there were"],
)
def test_something_is_an_environment_or_a_level_after_the_first(
    outcome: Outcome, levels: int, completed: bool
) -> None:
    assert completed_something(outcome, levels) == completed


def person(key: int, *actions: int, levels: int) -> AttemptEvidence:
    """So many actions on each level, of which the first `levels` were completed."""
    made = [
        act
        for level, count in enumerate(actions, start=1)
        for act in acts([1, 2] * count, level=level)[:count]
    ]
    numbered = [act._replace(seq=seq, at=2.0 * seq) for seq, act in enumerate(made, start=1)]
    return attempt(numbered, attempt=key, levels_completed=levels)


def test_actions_to_complete_are_the_lower_median_of_those_who_completed_the_level() -> None:
    people = [
        person(1, 10, 30, levels=2),
        person(2, 20, 50, levels=1),
        person(3, 40, 70, levels=2),
        person(4, 80, levels=0),
    ]
    norms = NormSample(people, LIMITS).without(None)
    assert norms is not None
    assert norms.actions_to_complete == {1: 20, 2: 30}
    assert norms.people == 4


def test_resets_are_actions_that_others_needed() -> None:
    tried_twice = attempt(acts([1, 0, 1]), levels_completed=1)
    assert tried_twice.actions_to_complete() == {1: 3}


people = st.builds(
    lambda key, counts, completed: person(key, *counts, levels=min(completed, len(counts))),
    st.integers(1, 99),
    st.lists(st.integers(1, 12), max_size=4),
    st.integers(0, 4),
)


@given(st.lists(people, max_size=6, unique_by=lambda one: one.attempt), people, st.floats(0, 5_000))
def test_nobody_changes_their_own_norms(
    others: list[AttemptEvidence], own: AttemptEvidence, seconds: float
) -> None:
    """Whatever a person did, and whether they belong to the sample at all."""
    own = replace(own, attempt=100)
    other = replace(own, acts=(), levels_completed=0, seconds=seconds)
    without = NormSample(others, LIMITS).without(100)
    assert NormSample([*others, own], LIMITS).without(100) == without
    assert NormSample([other, *others], LIMITS).without(100) == without
