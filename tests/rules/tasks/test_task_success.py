"""Views count, and pairs and tasks are solved, as in the paper on ARC-AGI-2."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.tasks.success import (
    TaskScore,
    accepted,
    accuracy,
    counts_as_attempt,
    solved_at,
    speed,
    task_score,
)
from tests.refusals import rule_refused

SUBMISSIONS = st.lists(st.booleans(), max_size=6)
TRIES = st.integers(1, 4)


@pytest.mark.parametrize(("seconds", "counts"), [(0, False), (5.0, False), (5.001, True)])
def test_a_view_counts_if_it_took_longer_than_the_limit(seconds: float, counts: bool) -> None:
    assert counts_as_attempt(seconds, 5) is counts


@pytest.mark.parametrize(
    ("submissions", "at"),
    [([], None), ([True], 1), ([False, True], 2), ([False, False, True], None), ([False, False], None)],
)
def test_a_pair_is_solved_by_one_of_the_first_two_submissions(
    submissions: list[bool], at: int | None
) -> None:
    assert solved_at(submissions, 2) == at


@given(st.lists(SUBMISSIONS, min_size=1, max_size=4), TRIES)
def test_a_task_is_solved_by_all_its_pairs_with_partial_credit_beside(
    pairs: list[list[bool]], tries: int
) -> None:
    score = task_score(pairs, tries)
    assert score.complete == all(any(each[:tries]) for each in pairs)
    assert score.partial == Fraction(sum(any(each[:tries]) for each in pairs), len(pairs))
    assert (score.partial == 1) == score.complete


@pytest.mark.parametrize(
    ("code", "pairs", "tries"), [("task_without_pairs", [], 2), ("tries_not_positive", [[]], 0)]
)
def test_impossible_numbers_are_refused(code: str, pairs: list[list[bool]], tries: int) -> None:
    with rule_refused(code):
        task_score(pairs, tries)


@pytest.mark.parametrize(
    ("solved", "result"),
    [([], False), ([1], False), ([1, 0, 0], False), ([1, 1], True), ([2, 1, 0], True), ([0, 0], False)],
)
def test_a_task_is_accepted_once_two_people_solved_a_pair(solved: list[int], result: bool) -> None:
    assert accepted(sum(TaskScore(each, 2).solved > 0 for each in solved), 2) is result


def test_speed_is_solved_per_minute_and_accuracy_solved_per_attempt() -> None:
    assert (speed(3, 90), speed(0, 90), speed(0, 0)) == (2, 0, None)
    assert (accuracy(3, 4), accuracy(0, 4), accuracy(0, 0)) == (Fraction(3, 4), Fraction(), None)
