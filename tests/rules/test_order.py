"""Environments that are mostly met last are named, from four people on."""

import pytest

from playtest.rules.order import MetLast, mostly_last


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
