"""No breakdown shows fewer than five people, directly or by subtraction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.disclosure import withheld

SIZES = st.lists(st.integers(0, 12), max_size=8)


@pytest.mark.parametrize(
    ("sizes", "hidden"),
    [
        ([5, 6, 7], set()),
        ([4, 6, 7], {0, 1}),
        ([7, 4, 5, 5], {1, 2}),
        ([4, 1, 9], {0, 1}),
        ([3, 1, 9, 8], {0, 1, 3}),
        ([0, 5, 5], {0}),
        ([0, 1, 5, 9], {0, 1, 2}),
        ([4], {0}),
        ([], set()),
    ],
    ids=[
        "five is enough",
        "the total would tell of four",
        "of equals the earlier goes",
        "two small groups hide each other",
        "together they are still four",
        "nobody can be told of",
        "a group of nobody hides nobody",
        "nothing is left to hide behind",
        "no groups",
    ],
)
def test_small_groups_are_withheld(sizes: list[int], hidden: set[int]) -> None:
    assert withheld(sizes) == hidden


@given(SIZES)
def test_shown_groups_and_the_rest_of_the_total_have_five_or_more(sizes: list[int]) -> None:
    hidden = withheld(sizes)
    shown = [size for place, size in enumerate(sizes) if place not in hidden]
    assert all(size >= 5 for size in shown)
    rest = sum(sizes) - sum(shown)
    assert rest == 0 or rest >= 5 or not shown
