"""Cumulative incidence beside SciPy, statsmodels, plain shares and their variance."""

from collections import Counter
from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import CensoredData, ecdf

from playtest.rules.errors import RuleError
from playtest.rules.inference.incidence import Observation, Step, incidence
from playtest.rules.inference.shares import Z_95

ENDS = ("solved", "gave up")
moments = st.integers(0, 40).map(float)
watched = st.lists(st.builds(Observation, moments, st.sampled_from([*ENDS, None])), min_size=1, max_size=40)
ended = st.lists(st.builds(Observation, moments, st.sampled_from(ENDS)), min_size=1, max_size=40)


@given(watched)
def test_all_ends_together_are_one_minus_kaplan_meier(seen: list[Observation]) -> None:
    at, censored = [one.at for one in seen], [one.end is None for one in seen]
    staying = ecdf(CensoredData.right_censored(at, censored)).sf
    curves = incidence(seen, ENDS)
    for moment, left in zip(staying.quantiles.tolist(), staying.probabilities.tolist(), strict=True):
        here = [next(step for step in curve if step.at == moment) for curve in curves.values()]
        assert sum(step.share for step in here) == pytest.approx(1 - left)
        assert all(step.at_risk == sum(one.at >= moment for one in seen) for step in here)


@given(ended)
def test_without_censoring_it_is_the_share_with_the_variance_of_a_share(seen: list[Observation]) -> None:
    curves, low = incidence(seen, ENDS), 0.0
    for end in ENDS:
        low = 0.0
        for step in curves[end]:
            so_far = Counter(one.end for one in seen if one.at <= step.at)[end] / len(seen)
            assert step.share == pytest.approx(so_far)
            if 0 < so_far < 1:
                reach = exp(Z_95 * sqrt((1 - so_far) / (so_far * len(seen))) / abs(log(so_far)))
                assert (step.low, step.high) == pytest.approx((so_far**reach, so_far ** (1 / reach)))
            low = step.low
    assert low >= 0


def test_who_solves_does_not_make_the_others_give_up() -> None:
    """One minus Kaplan-Meier of giving up ends at 100 %, where one of four gave up."""
    seen = [Observation(float(at), "solved") for at in (1, 2, 3)] + [Observation(4.0, "gave up")]
    solved, gave_up = incidence(seen, ENDS).values()
    assert gave_up[-1].share == pytest.approx(0.25)
    assert solved[-1].share == pytest.approx(0.75)
    assert [step.at_risk for step in solved] == [4, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("end", "share", "error"), [("solved", 0.43333333, 0.16476695), ("gave up", 0.39166667, 0.17823076)]
)
def test_shares_and_errors_are_those_of_statsmodels(end: str, share: float, error: float) -> None:
    """`CumIncidenceRight` of statsmodels 0.15 for these 10 people, after 7 actions."""
    names = {"s": "solved", "g": "gave up", "c": None}
    coded = "1s 2g 2s 3c 4s 4s 5g 6c 7g 8s".split()
    seen = [Observation(float(word[0]), names[word[1]]) for word in coded]
    found = next(step for step in incidence(seen, ENDS)[end] if step.at == 7)
    assert found.share == pytest.approx(share)
    reach = exp(Z_95 * error / (share * abs(log(share))))
    assert (found.low, found.high) == pytest.approx((share**reach, share ** (1 / reach)))


def test_no_observations_make_no_curve_and_early_moments_are_refused() -> None:
    assert incidence([], ENDS) == {"solved": (), "gave up": ()}
    with pytest.raises(RuleError, match="moment_negative"):
        incidence([Observation(-1.0, "solved")], ENDS)
    one = incidence([Observation(7.0, None)], ENDS)["solved"]
    assert one == (Step(0.0, 0.0, 0.0, 0.0, 1), Step(7.0, 0.0, 0.0, 0.0, 1, censored=1))
