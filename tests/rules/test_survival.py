"""Survival curves: the textbook's figures, and what holds of every curve."""

from warnings import catch_warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import CensoredData, ecdf

from playtest.rules.errors import RuleError
from playtest.rules.proportions import Observation, Step, survival

# Remission of 21 patients under 6-MP (Freireich and others 1963), as every textbook has it; "+" is censored.
SIX_MP = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+"
# Share, and its 95 % log-log band, as Stata prints them (manual of `sts list`).
PUBLISHED = {
    6: (0.8571, 0.6197, 0.9516),
    7: (0.8067, 0.5631, 0.9228),
    10: (0.7529, 0.5032, 0.8894),
    13: (0.6902, 0.4316, 0.8491),
    16: (0.6275, 0.3675, 0.8049),
    22: (0.5378, 0.2678, 0.7468),
    23: (0.4482, 0.1881, 0.6801),
}

observations = st.lists(
    st.builds(Observation, st.integers(0, 40).map(float), st.booleans()), min_size=1, max_size=40
)


def curve(text: str) -> tuple[Step, ...]:
    """Of moments as in SIX_MP."""
    return survival(Observation(float(word.rstrip("+")), not word.endswith("+")) for word in text.split())


def test_the_curve_and_band_match_the_textbook() -> None:
    steps = {step.at: step for step in curve(SIX_MP)}
    for at, expected in PUBLISHED.items():
        found = (steps[at].share, steps[at].low, steps[at].high)
        assert found == pytest.approx(expected, abs=5e-5)
    assert (steps[6].at_risk, steps[6].left, steps[6].censored) == (21, 3, 1)
    assert (steps[10].at_risk, steps[23].at_risk) == (15, 6)


def test_a_single_person_who_left_gives_the_widest_band() -> None:
    assert curve("7") == (Step(0.0, 1.0, 1.0, 1.0, 1), Step(7.0, 0.0, 0.0, 1.0, 1, left=1))


def test_no_observations_make_no_curve() -> None:
    assert survival([]) == ()


def test_a_moment_before_the_beginning_is_refused() -> None:
    with pytest.raises(RuleError, match="moment_negative"):
        survival([Observation(-1.0, left=True)])


@given(observations)
def test_scipy_finds_the_same_curve_and_band(seen: list[Observation]) -> None:
    moments, censored = [person.at for person in seen], [not person.left for person in seen]
    curve = ecdf(CensoredData.right_censored(moments, censored)).sf
    with catch_warnings(action="ignore"):  # about the missing band where nobody or everybody left
        band = curve.confidence_interval(method="log-log")
    found = {step.at: step for step in survival(seen)}
    for moment, share, low, high in np.transpose(
        [curve.quantiles, curve.probabilities, band.low.probabilities, band.high.probabilities]
    ).tolist():
        step = found.pop(moment)
        assert step.share == pytest.approx(share)
        if 0 < step.share < 1:
            assert (step.low, step.high) == pytest.approx((low, high))
    assert not found or list(found) == [0.0]
