"""Agreement of two raters, against hand-made figures and an independent computation of its error."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.agreement import agreement

CLASSES = ("keep", "part", "session")
pairs = st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), max_size=60)


def of(table: list[list[int]]) -> list[tuple[str, str]]:
    """The pairs of a table: a row for each class of the first rater, a column for each of the second."""
    cells = product(enumerate(CLASSES), enumerate(CLASSES))
    return [(one, other) for (row, one), (column, other) in cells for _ in range(table[row][column])]


def kappa_of(table: np.ndarray) -> float:
    """Cohen's kappa of a table of shares, written as in his paper."""
    observed, expected = np.trace(table), table.sum(axis=1) @ table.sum(axis=0)
    return float((observed - expected) / (1 - expected))


def error_by_differences(found: list[tuple[str, str]]) -> float:
    """The standard error by the delta method: numerical derivatives over the multinomial covariance."""
    counts = Counter(found)
    shares = np.array([counts[pair] / len(found) for pair in product(CLASSES, CLASSES)])
    step = 1e-6
    slopes = np.array(
        [
            (kappa_of((shares + step * one).reshape(3, 3)) - kappa_of((shares - step * one).reshape(3, 3)))
            / (2 * step)
            for one in np.eye(9)
        ]
    )
    covariance = np.diag(shares) - np.outer(shares, shares)
    return float(np.sqrt(max(0.0, slopes @ covariance @ slopes) / len(found)))


def test_the_table_of_fleiss_cohen_and_everitt_has_its_kappa() -> None:
    found = agreement(of([[106, 10, 4], [22, 28, 10], [2, 12, 6]]))
    assert found.kappa == pytest.approx(0.429, abs=5e-4)
    assert found.agreed is not None
    assert (found.pairs, found.agreed.count) == (200, 140)
    assert found.expected == pytest.approx(0.475)


@given(pairs.filter(lambda found: len({each for pair in found for each in pair}) > 1))
def test_value_and_interval_match_an_independent_computation(found: list[tuple[str, str]]) -> None:
    made = agreement(found)
    counts = Counter(found)
    table = np.array([counts[pair] / len(found) for pair in product(CLASSES, CLASSES)]).reshape(3, 3)
    error = error_by_differences(found)
    assert made.kappa is not None
    assert made.kappa == pytest.approx(kappa_of(table), abs=1e-12)
    if made.low is None or made.high is None:
        assert error < 1e-3
        assert made.remark
    else:
        assert made.low == pytest.approx(max(-1, made.kappa - 1.959963984540054 * error), abs=1e-5)
        assert made.high == pytest.approx(min(1, made.kappa + 1.959963984540054 * error), abs=1e-5)


def test_without_pairs_there_is_no_figure() -> None:
    found = agreement([])
    assert (found.pairs, found.agreed, found.kappa, found.low) == (0, None, None, None)
    assert found.remark == "No case has two verdicts yet."


@pytest.mark.parametrize("count", [1, 40])
def test_one_class_for_everybody_leaves_kappa_undefined(count: int) -> None:
    found = agreement([("keep", "keep")] * count)
    assert (found.kappa, found.low, found.high) == (None, None, None)
    assert found.remark.startswith("Kappa is undefined: every verdict is the same")
    assert found.agreed is not None
    assert found.agreed.value == 1


def test_one_pair_that_differs_has_a_kappa_of_zero_and_no_interval() -> None:
    found = agreement([("keep", "session")])
    assert (found.kappa, found.low, found.remark) == (0, None, "No interval: one pair shows no spread.")


def test_perfect_agreement_has_no_interval_of_zero_width() -> None:
    found = agreement([("keep", "keep")] * 8 + [("session", "session")] * 2)
    assert (found.kappa, found.low, found.high) == (1, None, None)
    assert "all pairs agree" in found.remark
    assert found.agreed is not None
    assert found.agreed.low < 0.73


def test_one_side_that_never_varies_makes_kappa_zero() -> None:
    found = agreement([("keep", "keep")] * 8 + [("session", "keep")])
    assert found.kappa == pytest.approx(0)
    assert found.low is None
    assert "one side gave the same verdict every time" in found.remark
