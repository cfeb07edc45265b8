"""Intervals and tests of scores do what they promise, by simulation."""

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.score_intervals import FEWEST, Environment, difference, mean_interval

TRUE_MEAN = 0.7 * 40
scores = st.floats(0, 100)


def drawn(chance: Random) -> float:
    """A score as agents have them: often nothing, else anything (mean 40)."""
    return 0.0 if chance.random() < 0.3 else 100 * chance.betavariate(2, 3)


def one(chance: Random, people: int = 10, worth: float = 1) -> Environment:
    return Environment((drawn(chance) * worth,), tuple(drawn(chance) for _ in range(people)))


def test_intervals_of_fifteen_environments_hold_the_mean_about_as_often_as_they_say() -> None:
    chance = Random(7)
    found = [mean_interval([one(chance, 0) for _ in range(15)], draws=200) for _ in range(200)]
    held = fmean(bool(each and each.low <= TRUE_MEAN <= each.high) for each in found)
    assert 0.87 <= held <= 0.99


@pytest.mark.parametrize("environments", [1, 4, 10])
def test_an_agent_like_a_person_is_rarely_said_to_differ(environments: int) -> None:
    chance = Random(11)
    said = 0
    for _ in range(200):
        found = difference([one(chance) for _ in range(environments)], draws=99)
        said += found is not None and found.p <= 0.1
    assert said / 200 <= 0.16  # 0.1 and three standard errors


def test_an_agent_far_below_people_is_said_to_differ() -> None:
    chance = Random(13)
    found = [difference([one(chance, worth=0.2) for _ in range(10)], draws=99) for _ in range(50)]
    assert fmean(bool(each and each.p <= 0.05) for each in found) > 0.9


@given(st.lists(scores, min_size=FEWEST, max_size=12))
def test_an_interval_lies_within_the_scores_and_is_always_the_same(values: list[float]) -> None:
    environments = [Environment((value,)) for value in values]
    found = mean_interval(environments, draws=100)
    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == mean_interval(environments, draws=100)


def test_few_environments_have_no_interval() -> None:
    assert mean_interval([]) is None
    assert mean_interval([Environment((1.0,))] * (FEWEST - 1)) is None


def test_equal_scores_have_an_interval_of_no_width_and_no_difference() -> None:
    same = [Environment((40.0,), (40.0, 40.0))] * FEWEST
    assert mean_interval(same) == (40, 40)
    found = difference(same)
    assert found is not None
    assert (found.mean, found.interval, found.p) == (0, (0, 0), 1)


def test_runs_that_differ_widen_the_interval() -> None:
    steady = [Environment((50.0, 50.0)) for _ in range(FEWEST)]
    shaky = [Environment((0.0, 100.0)) for _ in range(FEWEST)]
    narrow, wide = mean_interval(steady), mean_interval(shaky)
    assert narrow is not None
    assert wide is not None
    assert narrow.high - narrow.low == 0 < wide.high - wide.low


def test_environments_that_nobody_tested_are_not_compared() -> None:
    assert difference([Environment((50.0,))]) is None
    found = difference([Environment((50.0,)), Environment((20.0,), (40.0, 60.0))])
    assert found is not None
    assert (found.environments, found.mean, found.interval) == (1, -30, None)
