"""Tests of ranks agree with SciPy's, and Holm's correction with its definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.association import FEWEST_TESTED, holm, kruskal_wallis, spearman

NUMBERS = st.floats(0, 1).map(lambda value: round(value, 1))  # with many ties, as shares have


@given(st.lists(st.lists(NUMBERS, max_size=12), min_size=2, max_size=5))
def test_groups_are_compared_as_scipy_does(groups: list[list[float]]) -> None:
    from scipy.stats import kruskal

    found = kruskal_wallis(groups)
    given_to = [group for group in groups if group]
    everybody = [value for group in given_to for value in group]
    if len(given_to) < 2 or len(everybody) < FEWEST_TESTED or len(set(everybody)) == 1:
        assert found is None
        return
    assert found is not None
    assert found.people == len(everybody)
    expected = kruskal(*given_to)
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 9), NUMBERS), max_size=40))
def test_two_numbers_are_compared_as_scipy_does(pairs: list[tuple[float, float]]) -> None:
    from scipy.stats import spearmanr

    found = spearman(pairs)
    if len(pairs) < FEWEST_TESTED or any(len(set(column)) == 1 for column in zip(*pairs, strict=True)):
        assert found is None
        return
    assert found is not None
    expected = spearmanr(pairs)
    assert found.statistic == pytest.approx(float(expected.statistic), abs=1e-9)
    assert found.p == pytest.approx(float(expected.pvalue), abs=1e-9)


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
