"""Finished environments are divided into sets of which none is harder than another."""

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from playtest.rules import sets
from playtest.rules.errors import RuleError
from playtest.rules.sets import PRECISION, Mode, divide, require_calibrated
from tests.refusals import rule_refused

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


@given(divisible())
def test_sets_have_their_sizes_are_disjoint_and_state_their_difference(
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


@given(divisible(most=6))
def test_the_division_of_few_environments_is_optimal(asked: tuple[list[Fraction], list[int]]) -> None:
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


PEOPLE = st.integers(2, 14).flatmap(
    lambda people: st.integers(0, people).map(lambda solvers: Fraction(solvers, people))
)


@given(st.lists(PEOPLE, min_size=2, max_size=6), st.data())
def test_sets_of_tasks_are_within_a_percentage_point_or_refused(
    shares: list[Fraction], data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, len(shares) - 1))
    sizes = [first, data.draw(st.integers(1, len(shares) - first))]

    def apart(one: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
        means = [sum(shares[index] for index in chosen) / Fraction(len(chosen)) for chosen in (one, other)]
        return abs(means[0] - means[1])

    found = divide(shares, sizes)
    assert found.best
    orders = permutations(range(len(shares)))
    closest = min(apart(order[:first], order[first : sum(sizes)]) for order in orders)
    if closest * 100 <= 1:
        require_calibrated(found)
        assert apart(*found.sets) * 100 <= 1
    else:
        with pytest.raises(RuleError, match="percentage points in mean success") as refused:
            require_calibrated(found)
        assert refused.value.code == "sets_too_far_apart"
        said = Fraction(refused.value.message.split("by ")[1].split(" percent")[0])
        assert said > 1
        assert closest * 100 <= said < closest * 100 + Fraction(1, 50)


def test_a_refusal_of_graded_sets_names_those_that_are_not_public() -> None:
    division = divide([Fraction(1), Fraction(1, 2), Fraction(0)], [1, 1, 1], Mode.GRADED)
    with pytest.raises(RuleError, match="The sets that are not public differ by 50 percentage points"):
        require_calibrated(division)


def test_a_difference_of_barely_more_than_a_point_never_reads_as_one() -> None:
    shares = [Fraction(100_001, 10_000_000), Fraction(0)]
    with pytest.raises(RuleError, match=r"differ by 1\.01 percentage points"):
        require_calibrated(divide(shares, [1, 1]))


def test_many_environments_are_divided_within_a_percentage_point() -> None:
    shares = [Fraction(2 + number * 7 % 9, 10 + number % 3) for number in range(120)]
    found = divide(shares, [25, 40, 40])
    assert found.best
    assert found.spread <= PRECISION


@pytest.mark.parametrize(
    ("tenths", "sizes"),
    [
        ([2, 2, 6, 2, 4, 2, 2, 2, 2, 6, 2, 8, 2], [3, 4, 2]),
        ([3, 9, 9, 10, 2, 4, 2, 9, 4, 3, 2, 3, 8], [5, 3, 2]),
        ([5, 10, 8, 10, 5, 9, 10, 10, 7, 5, 4, 2, 2], [2, 5, 5]),
        ([2, 5, 3, 2, 6, 7, 2, 3, 2, 4, 2, 2, 2, 3], [5, 3, 5]),
        ([1, 9, 9, 10, 10, 10, 9, 8, 10, 9], [4, 3, 2]),
    ],
)
def test_the_best_of_few_balanced_divisions_is_found(tenths: list[int], sizes: list[int]) -> None:
    found = divide([Fraction(solvers, 10) for solvers in tenths], sizes)
    assert found.best
    assert found.spread == smallest_spread(tenths, sizes)


def smallest_spread(tenths: list[int], sizes: list[int]) -> Fraction:
    """Of all divisions, by dynamic programming: which sums the sets can have when they have so many each."""
    reached = np.zeros([size + 1 for size in sizes] + [10 * size + 1 for size in sizes], dtype=bool)
    reached.flat[0] = True
    for solvers in tenths:
        before = reached.copy()
        for one in range(len(sizes)):
            beginning, end = [slice(None)] * reached.ndim, [slice(None)] * reached.ndim
            beginning[one], end[one] = slice(None, -1), slice(1, None)
            at = len(sizes) + one
            beginning[at], end[at] = slice(None, -solvers), slice(solvers, None)
            reached[tuple(end)] |= before[tuple(beginning)]
    sums = np.argwhere(reached[tuple(sizes)]).tolist()
    means = ([Fraction(total, 10 * size) for total, size in zip(row, sizes, strict=True)] for row in sums)
    return min(max(row) - min(row) for row in means)


def test_a_division_that_cannot_be_balanced_states_its_difference() -> None:
    found = divide([Fraction(1), Fraction(1), Fraction(0)], [1, 2])
    assert (found.spread, found.calibrated, found.best) == (Fraction(1, 2), False, True)


def test_a_search_that_ends_at_its_limit_does_not_claim_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "MOST_NODES", 1)
    shares = [Fraction(solvers, 13) for solvers in (2, 3, 5, 7, 11, 13, 2, 3, 5, 7, 11, 13, 4, 9)]
    found = divide(shares, [3, 4, 5])
    assert [len(one) for one in found.sets] == [3, 4, 5]
    assert not found.best
    assert found.spread > PRECISION


@given(divisible(), st.data())
def test_graded_sets_begin_with_the_easiest_and_those_that_are_public(
    asked: tuple[list[Fraction], list[int]], data: st.DataObject
) -> None:
    shares, sizes = asked
    public = data.draw(st.sets(st.integers(0, len(shares) - 1), max_size=sizes[0]))
    found = divide(shares, sizes, Mode.GRADED, public)
    assert [len(one) for one in found.sets] == sizes
    first, *others = found.sets
    assert public <= set(first)
    chosen = [shares[index] for index in first if index not in public]
    hardest = min(chosen, default=Fraction(1))
    assert all(shares[index] <= hardest for index in range(len(shares)) if index not in first)
    means = [sum((shares[index] for index in one), Fraction()) / len(one) for one in others if one]
    assert found.spread == (max(means) - min(means) if means else 0)
    held = [shares[index] for one in others for index in one]
    if first and held:
        mean = sum((shares[index] for index in first), Fraction()) / len(first)
        assert found.easier == mean - sum(held, Fraction()) / len(held)
    else:
        assert found.easier is None


@given(divisible(most=6), st.data())
def test_what_is_public_stays_so_and_the_division_is_the_best_of_those_left(
    asked: tuple[list[Fraction], list[int]], data: st.DataObject
) -> None:
    shares, sizes = asked
    public = data.draw(st.sets(st.integers(0, len(shares) - 1), max_size=sizes[0]))
    found = divide(shares, sizes, Mode.EQUAL, public)
    assert public <= set(found.sets[0])
    possible = []
    for order in permutations(range(len(shares))):
        begins = [0, *np.cumsum(sizes).tolist()]
        groups = [order[one:other] for one, other in pairwise(begins)]
        if public <= set(groups[0]):
            means = [sum((shares[index] for index in one), Fraction()) / len(one) for one in groups if one]
            possible.append(max(means) - min(means))
    assert found.spread == min(possible)


def test_a_public_set_without_room_for_what_is_public_is_refused() -> None:
    shares = [Fraction(1), Fraction(1, 2), Fraction(0)]
    assert divide(shares, [2, 1], Mode.GRADED, {1, 2}).sets == ((1, 2), (0,))
    for mode in Mode:
        with rule_refused("public_too_small"):
            divide(shares, [1, 2], mode, {1, 2})


@pytest.mark.parametrize(
    ("sizes", "code"),
    [([], "sets_unknown"), ([0, 0], "sets_unknown"), ([-1], "sets_unknown"), ([2], "too_few_environments")],
)
def test_impossible_sizes_are_refused(sizes: list[int], code: str) -> None:
    with rule_refused(code):
        divide([Fraction(1)], sizes)
