"""Binomial tails and bounds, beside sums of exact terms."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.proportions import at_least, at_most


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
