"""Which environment is given to a participant next."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.assignment import Candidate, Remaining, choose, remaining
from tests.refusals import rule_refused

pools = st.dictionaries(st.text("abcd", min_size=1), st.tuples(st.integers(0, 12), st.integers(0, 4))).map(
    lambda people: [Candidate(environment, *counts) for environment, counts in people.items()]
)


def first(environments: list[str]) -> str:
    return environments[0]


@pytest.mark.parametrize(
    ("counted", "in_progress", "given_out"), [(9, 0, True), (9, 1, False), (10, 0, False), (0, 10, False)]
)
def test_open_attempts_count_toward_the_target(counted: int, in_progress: int, given_out: bool) -> None:
    chosen = choose([Candidate("ab12", counted, in_progress)], met=set(), target=10, pick=first)
    assert chosen == ("ab12" if given_out else None)


@given(pool=pools, met=st.sets(st.text("abcd", min_size=1)), target=st.integers(1, 12), seed=st.integers())
def test_the_choice_is_new_below_target_and_of_the_fewest_people(
    pool: list[Candidate[str]], met: set[str], target: int, seed: int
) -> None:
    chosen = choose(pool, met, target, random.Random(seed).choice)
    people = {
        candidate.environment: candidate.counted + candidate.in_progress
        for candidate in pool
        if candidate.environment not in met
    }
    open_to_this_person = {environment for environment, count in people.items() if count < target}
    if chosen is None:
        assert not open_to_this_person
    else:
        assert chosen in open_to_this_person
        assert people[chosen] == min(people.values())


def test_of_equals_the_one_that_fewest_met_at_this_position_comes_first() -> None:
    pool = [Candidate("ab12", 2, 1, 2), Candidate("cd34", 3, 0, 1), Candidate("ef56", 4, 0, 0)]
    assert choose(pool, met=set(), target=10, pick=first) == "cd34"


def uneven(environments: int, sessions: int, each: int, *, balanced: bool) -> int:
    """The sum of squares of how often each environment was met at each position, in sessions one by one."""
    source, people, at = random.Random(3), Counter[int](), Counter[tuple[int, int]]()
    for _ in range(sessions):
        met: set[int] = set()
        for position in range(each):
            pool = [
                Candidate(one, people[one], 0, at[one, position] if balanced else 0)
                for one in range(environments)
            ]
            chosen = choose(pool, met, sessions, source.choice)
            assert chosen is not None
            met.add(chosen)
            people[chosen] += 1
            at[chosen, position] += 1
    return sum(count * count for count in at.values())


@pytest.mark.parametrize(("environments", "each"), [(6, 3), (9, 4), (5, 5)])
def test_positions_are_balanced_over_sessions(environments: int, each: int) -> None:
    sessions = 10 * environments
    even = environments * each * (sessions // environments) ** 2
    balanced = uneven(environments, sessions, each, balanced=True)
    assert even <= balanced <= 1.02 * even
    assert uneven(environments, sessions, each, balanced=False) > balanced


@pytest.mark.parametrize("target", [0, -1])
def test_a_target_of_zero_people_is_refused(target: int) -> None:
    with rule_refused("target_not_positive"):
        choose([Candidate("ab12", 0, 0)], met=set(), target=target, pick=first)


@given(pools, st.sets(st.text("abcd", min_size=1)), st.integers(1, 12))
def test_something_is_left_exactly_if_an_environment_would_be_chosen(
    pool: list[Candidate[str]], met: set[str], target: int
) -> None:
    chosen = choose(pool, met, target, first)
    assert (remaining(pool, met, target) is Remaining.SOMETHING) == (chosen is not None)


@pytest.mark.parametrize(
    ("people", "met", "left"),
    [
        ([10, 10], set(), Remaining.STUDY_FULL),
        ([10, 10], {0}, Remaining.STUDY_FULL),
        ([10, 9], {1}, Remaining.EVERYTHING_MET),
        ([9, 9], {0}, Remaining.SOMETHING),
        ([], set(), Remaining.STUDY_FULL),
    ],
)
def test_the_reason_why_no_environment_is_left_is_given(
    people: list[int], met: set[int], left: Remaining
) -> None:
    pool = [Candidate(number, counted, 0) for number, counted in enumerate(people)]
    assert remaining(pool, met, target=10) is left
