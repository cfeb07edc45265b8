"""How many further sessions a study has something to play for."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.errors import RuleError
from playtest.rules.places import environments_per_session, full_sessions, left_by, sessions_needed

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
