"""Finished environments are divided into sets of which none is harder than another."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from playtest.rules import sets
from playtest.rules.errors import RuleError
from playtest.rules.sets import divide

SHARES = st.lists(st.integers(0, 10).map(lambda solvers: Fraction(solvers, 10)), min_size=1, max_size=30)


@st.composite
def divisible(draw: st.DrawFn, most: int = 30) -> tuple[list[Fraction], list[int]]:
    shares = draw(SHARES.map(lambda found: found[:most]))
    left, sizes = len(shares), []
    for _ in range(draw(st.integers(1, 3))):
        sizes.append(draw(st.integers(0, left)))
        left -= sizes[-1]
    assume(any(sizes))
    return shares, sizes


@settings(max_examples=50)
@given(divisible())
def test_sets_have_their_sizes_share_nothing_and_say_truly_how_far_apart_they_are(
    asked: tuple[list[Fraction], list[int]],
) -> None:
    shares, sizes = asked
    found = divide(shares, sizes)
    assert [len(one) for one in found.sets] == sizes
    chosen = [index for one in found.sets for index in one]
    assert len(set(chosen)) == len(chosen)
    means = [sum(shares[index] for index in one) / len(one) for one in found.sets if one]
    assert found.spread == (max(means) - min(means) if means else 0)
    assert found == divide(shares, sizes)


@settings(max_examples=30)
@given(divisible(most=6))
def test_of_few_environments_no_division_is_better(asked: tuple[list[Fraction], list[int]]) -> None:
    shares, sizes = asked

    def spread(order: tuple[int, ...]) -> Fraction:
        means, left = [], list(order)
        for size in sizes:
            taken, left = left[:size], left[size:]
            if taken:
                means.append(sum((shares[index] for index in taken), Fraction()) / size)
        return max(means) - min(means) if means else Fraction()

    found = divide(shares, sizes)
    assert found.best
    assert found.spread == min(map(spread, permutations(range(len(shares)))))


def test_many_environments_are_divided_within_a_percentage_point() -> None:
    shares = [Fraction(2 + number * 7 % 9, 10 + number % 3) for number in range(120)]
    found = divide(shares, [25, 40, 40])
    assert found.calibrated
    assert not found.best or found.spread == 0


@pytest.mark.parametrize(
    ("tenths", "sizes"),
    [
        ([2, 2, 6, 2, 4, 2, 2, 2, 2, 6, 2, 8, 2], [3, 4, 2]),
        ([3, 9, 9, 10, 2, 4, 2, 9, 4, 3, 2, 3, 8], [5, 3, 2]),
        ([5, 10, 8, 10, 5, 9, 10, 10, 7, 5, 4, 2, 2], [2, 5, 5]),
        ([2, 5, 3, 2, 6, 7, 2, 3, 2, 4, 2, 2, 2, 3], [5, 3, 5]),
    ],
)
def test_where_few_divisions_are_alike_one_of_them_is_found(tenths: list[int], sizes: list[int]) -> None:
    """There are too many to try them all, and most that no single swap betters are further apart."""
    assert divide([Fraction(solvers, 10) for solvers in tenths], sizes).calibrated


def test_what_cannot_be_alike_says_how_far_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = [Fraction(1), Fraction(1), Fraction(0)]
    found = divide(shares, [1, 2])
    assert (found.spread, found.calibrated, found.best) == (Fraction(1, 2), False, True)
    monkeypatch.setattr(sets, "MOST_TRIED", 0)
    assert divide(shares, [1, 2]).spread == Fraction(1, 2)


@pytest.mark.parametrize(
    ("sizes", "code"),
    [
        ([], "sets_unknown"),
        ([0, 0], "sets_unknown"),
        ([-1], "sets_unknown"),
        ([2], "too_few_environments"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(sizes: list[int], code: str) -> None:
    with pytest.raises(RuleError) as raised:
        divide([Fraction(1)], sizes)
    assert raised.value.code == code
