"""Wrong outputs are grouped by identical grid, and those that people agree on flag a pair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.tasks.success import WrongOutput, ambiguous, grouped

GRIDS = [((1, 0),), ((1,), (0,)), ((2,),)]
SUBMISSIONS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(GRIDS)), max_size=12)


@given(SUBMISSIONS)
def test_every_submission_is_in_one_group_and_the_most_common_first(
    given_: list[tuple[int, tuple[tuple[int, ...], ...]]],
) -> None:
    found = grouped((person, grid, place) for place, (person, grid) in enumerate(given_))
    assert sorted(place for each in found for place in each.submitted) == list(range(len(given_)))
    for each in found:
        assert all(given_[place][1] == each.grid for place in each.submitted)
        assert each.people == len({given_[place][0] for place in each.submitted})
    assert [each.people for each in found] == sorted((each.people for each in found), reverse=True)
    assert len({each.grid for each in found}) == len(found)


def test_grids_of_the_same_cells_and_other_size_are_different() -> None:
    assert len(grouped([(1, [[1, 0]], "a"), (2, [[1], [0]], "b")])) == 2


def test_a_grid_may_be_given_as_bytes() -> None:
    assert len(grouped([(1, (bytes([1, 0]),), "a"), (2, [[1, 0]], "b")])) == 1


@pytest.mark.parametrize(
    ("people", "solvers", "result"),
    [([], 0, False), ([1], 0, False), ([2], 0, True), ([2], 2, True), ([2], 3, False), ([1, 1], 0, False)],
)
def test_a_pair_is_ambiguous_if_as_many_agree_on_a_wrong_output_as_solved_it(
    people: list[int], solvers: int, result: bool
) -> None:
    wrong = [WrongOutput(GRIDS[0], number, tuple(range(number))) for number in people]
    assert ambiguous(wrong, solvers) is result


def test_one_person_who_repeats_a_wrong_output_agrees_with_nobody() -> None:
    assert not ambiguous(grouped([(1, GRIDS[0], 1), (1, GRIDS[0], 2)]), 0)
