"""Environments that are mostly met last are named, from four people on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.order import FEWEST_PEOPLE, MetLast, mostly_last


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


@given(st.lists(st.integers(1, 6).flatmap(lambda count: st.tuples(st.integers(1, count), st.just(count)))))
def test_what_is_named_is_met_last_by_most_people(positions: list[tuple[int, int]]) -> None:
    for one in mostly_last({"ab12": positions}):
        assert one.people >= FEWEST_PEOPLE
        assert one.last * 2 > one.people
        assert one.people <= len(positions)
