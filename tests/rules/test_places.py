"""Which environment is given next, and how many further sessions find something to play."""

import random
from collections import Counter
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.assignment import Candidate, Remaining, choose, remaining
from playtest.rules.errors import RuleError
from playtest.rules.inference.order import MetLast, mostly_last
from playtest.rules.places import environments_per_session, full_sessions, left_by, sessions_needed
from tests.refusals import rule_refused

OPEN = st.lists(st.integers(0, 4), max_size=5)
EACH = st.integers(1, 4)


@cache
def most_by_trying(open_places: tuple[int, ...], environments: int) -> int:
    """The most sessions with so many different environments each, by trying every choice."""
    found = [number for number, places in enumerate(open_places) if places]
    return max(
        (
            1 + most_by_trying(tuple(sorted(without(open_places, chosen))), environments)
            for chosen in combinations(found, environments)
        ),
        default=0,
    )


@cache
def fewest_by_trying(open_places: tuple[int, ...], environments: int) -> int:
    """The fewest sessions that fill everything, by trying every choice of up to so many environments."""
    found = [number for number, places in enumerate(open_places) if places]
    if not found:
        return 0
    size = min(environments, len(found))
    return 1 + min(
        fewest_by_trying(tuple(sorted(without(open_places, chosen))), environments)
        for chosen in combinations(found, size)
    )


def without(open_places: tuple[int, ...], chosen: tuple[int, ...]) -> list[int]:
    return [places - (number in chosen) for number, places in enumerate(open_places)]


@given(OPEN, EACH)
def test_full_sessions_are_the_most_that_any_choice_allows(open_places: list[int], environments: int) -> None:
    expected = most_by_trying(tuple(sorted(open_places)), environments)
    assert full_sessions(open_places, environments) == expected


@given(OPEN, EACH)
def test_sessions_needed_are_the_fewest_that_any_choice_allows(
    open_places: list[int], environments: int
) -> None:
    expected = fewest_by_trying(tuple(sorted(open_places)), environments)
    assert sessions_needed(open_places, environments) == expected


@given(OPEN, EACH)
def test_each_needed_session_finds_something_one_after_another(
    open_places: list[int], environments: int
) -> None:
    left = dict(enumerate(open_places))
    for _ in range(sessions_needed(open_places, environments)):
        assert any(left.values())
        left = left_by([((), environments)], left)
    assert not any(left.values())


@pytest.mark.parametrize(
    ("open_places", "environments", "needed", "full"),
    [
        ([], 9, 0, 0),
        ([0, 0], 1, 0, 0),
        ([10] * 12, 9, 14, 13),
        ([10], 1, 10, 10),
        ([1] * 5, 9, 1, 0),
        ([10] + [1] * 8, 9, 10, 1),
        ([10] * 414, 9, 460, 460),
    ],
)
def test_examples(open_places: list[int], environments: int, needed: int, full: int) -> None:
    assert sessions_needed(open_places, environments) == needed
    assert full_sessions(open_places, environments) == full


def test_sessions_under_way_take_what_their_people_have_not_met() -> None:
    assert left_by([({"a"}, 2)], {"a": 3, "b": 1, "c": 2}) == {"a": 3, "b": 0, "c": 1}
    assert left_by([(set(), 9)], {"a": 1, "b": 0}) == {"a": 0}
    assert left_by([(set(), 0)], {"a": 1, "b": -2}) == {"a": 1}


@pytest.mark.parametrize(
    ("finished", "pool", "expected"),
    [
        ([], 400, 9),
        ([], 3, 3),
        ([], 0, 1),
        ([2, 2, 2, 2], 400, 9),
        ([2, 2, 2, 2, 2], 400, 2),
        ([4, 5, 6, 7, 8, 9], 400, 7),
        ([0, 0, 0, 0, 0], 400, 1),
        ([12] * 5, 10, 10),
    ],
)
def test_environments_of_a_session(finished: list[int], pool: int, expected: int) -> None:
    assert environments_per_session(finished, pool) == expected


@pytest.mark.parametrize(("open_places", "environments"), [([1], 0), ([-1], 1)])
def test_impossible_numbers_are_refused(open_places: list[int], environments: int) -> None:
    for rule in (sessions_needed, full_sessions):
        with pytest.raises(RuleError, match="places_invalid"):
            rule(open_places, environments)


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


@pytest.mark.parametrize(
    ("positions", "named"),
    [
        ([(3, 3)] * 3, False),
        ([(3, 3)] * 4, True),
        ([(3, 3)] * 2 + [(1, 3)] * 2, False),
        ([(3, 3)] * 3 + [(1, 3)] * 2, True),
        ([(1, 1)] * 9, False),
        ([(1, 1)] * 9 + [(2, 2)] * 4, True),
        ([], False),
    ],
)
def test_more_than_half_of_at_least_four_people(positions: list[tuple[int, int]], named: bool) -> None:
    assert bool(mostly_last({"ab12": positions})) == named


def test_the_highest_share_comes_first() -> None:
    met = {"ab12": [(2, 2)] * 3 + [(1, 2)], "cd34": [(2, 2)] * 4, "ef56": [(1, 2)] * 9}
    assert mostly_last(met) == [MetLast("cd34", 4, 4), MetLast("ab12", 4, 3)]
