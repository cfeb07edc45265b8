"""Tails, intervals and tests of ranks, beside published figures, SciPy and plain sums."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from playtest.rules.errors import RuleError
from playtest.rules.inference.ranks import holm, kruskal_wallis, spearman
from playtest.rules.inference.shares import at_least, at_most, difference, share

counts = st.integers(1, 60).flatmap(lambda people: st.tuples(st.integers(0, people), st.just(people)))


@pytest.mark.parametrize(
    ("count", "people", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_matches_the_table_of_newcombe_1998(
    count: int, people: int, low: float, high: float
) -> None:
    found = share(count, people)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(counts)
def test_scipy_finds_the_same_interval(one: tuple[int, int]) -> None:
    found, interval = share(*one), binomtest(*one).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-12)


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_the_interval_of_a_difference_matches_the_table_of_newcombe_1998(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    found = difference(share(*one), share(*other))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.sure


@given(counts, counts)
def test_a_difference_is_in_its_interval_and_changes_sign_with_its_order(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    forward, back = difference(share(*one), share(*other)), difference(share(*other), share(*one))
    assert -1 - 1e-9 <= forward.low <= forward.value <= forward.high <= 1 + 1e-9
    assert (back.low, back.high) == pytest.approx((-forward.high, -forward.low))


@pytest.mark.parametrize(
    ("count", "people", "code"),
    [(0, 0, "share_of_nobody"), (3, 2, "share_out_of_range"), (-1, 2, "share_out_of_range")],
)
def test_an_invalid_share_is_refused(count: int, people: int, code: str) -> None:
    with pytest.raises(RuleError, match=code):
        share(count, people)


@given(st.integers(1, 40), st.data())
def test_the_bound_is_the_smallest_chance_that_so_few_wins_contradict(
    tries: int, data: st.DataObject
) -> None:
    wins = data.draw(st.integers(1, tries))
    bound = at_most(wins, tries)

    def so_few(chance: float) -> float:
        return sum(comb(tries, k) * chance**k * (1 - chance) ** (tries - k) for k in range(wins + 1))

    assert bound == 1.0 if wins == tries else so_few(bound) == pytest.approx(0.05, rel=1e-9)


@given(st.integers(1, 10**6))
def test_without_a_win_the_bound_is_three_in_n_and_never_below_the_exact_one(tries: int) -> None:
    assert at_most(0, tries) == min(1.0, 3 / tries)
    assert at_most(0, tries) >= 1 - 0.05 ** (1 / tries)


@given(st.integers(0, 40), st.data(), st.fractions(0, 1))
def test_the_tail_is_the_sum_of_its_terms(draws: int, data: st.DataObject, chance: Fraction) -> None:
    successes = data.draw(st.integers(0, draws + 1))
    exact = sum(comb(draws, k) * chance**k * (1 - chance) ** (draws - k) for k in range(successes, draws + 1))
    assert at_least(successes, draws, float(chance)) == pytest.approx(float(exact), rel=1e-9, abs=1e-300)


def test_no_bound_is_known_without_tries_or_if_all_won() -> None:
    assert at_most(0, 0) == at_most(5, 5) == at_most(0, 2) == 1.0
    assert at_most(7_500, 30_000) == pytest.approx(0.25415, abs=1e-5)


def test_nine_people_are_too_few_and_ten_are_enough() -> None:
    pairs = [(float(number), number % 3 / 2) for number in range(10)]
    assert spearman(pairs[:9]) is None
    assert spearman(pairs) is not None
    shares = [share for _, share in pairs]
    assert kruskal_wallis([shares[:5], shares[5:9]]) is None
    assert kruskal_wallis([shares[:5], shares[5:]]) is not None


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_its_definition(values: list[float]) -> None:
    """Of the k-th smallest: the largest of (m - i + 1) times the i-th smallest, over i up to k."""
    order = sorted(values)
    for value, corrected in zip(values, holm(values), strict=True):
        before = [(len(order) - place) * one for place, one in enumerate(order) if one <= value]
        first = [(len(order) - place) * one for place, one in enumerate(order) if one < value]
        assert min(1, max([*first, 0.0])) <= corrected + 1e-12
        assert corrected == pytest.approx(min(1, max(before)), abs=1e-12)
