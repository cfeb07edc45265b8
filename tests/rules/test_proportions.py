"""Intervals of shares and of their differences, against published figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from playtest.rules.errors import RuleError
from playtest.rules.proportions import difference, share

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
