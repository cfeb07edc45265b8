"""How often intervals hold the truth and tests reject it, in simulated studies (decision 224)."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from scipy.special import expit

from playtest.rules.inference.agents import Environment, difference
from playtest.rules.inference.clusters import Integers, Result, rate, trend

PEOPLE = 10
"""On each environment."""
SESSION = 6
"""Environments that one person meets, where people share some."""
BEST = 1.0
"""The ability of the agent whose interval is judged."""
HARDNESS = 1.0
"""Standard deviation of the difficulties; abilities and difficulties are logits."""
EVERY, SOME, NONE = "everybody meets all", "everybody meets six", "nobody meets two"


@dataclass(frozen=True)
class Found:
    """Shares of studies: whose intervals hold the truth, and whose tests reject what is true."""

    rate: float
    difference: float
    agent: float
    order: float


def simulated(studies: int, spread: float, environments: int, design: str) -> Found:
    """Of people whose ability has this spread, at so many environments."""
    draw = np.random.default_rng(36)
    many = draw.normal(size=400_000)
    solved = float(expit(np.hypot(spread, HARDNESS) * many).mean())
    better = float(expit(BEST + HARDNESS * many).mean()) - solved
    held = []
    for _ in range(studies):
        hard = draw.normal(0, HARDNESS, environments)
        people, met = _met(draw, environments, design)
        able = draw.normal(0, spread, people.max() + 1)
        values = (draw.random(len(people)) < expit(able[people] - hard[met])).astype(float)
        results = [
            Result(f"p{p}", f"e{e}", v)
            for p, e, v in zip(people.tolist(), met.tolist(), values.tolist(), strict=True)
        ]
        own = [float(place) for place in draw.permutation(len(people)).tolist()]
        overall, change = rate(results), trend(results, own) if design != NONE else None
        here = [
            {one.person: one.value for one in results if one.environment == f"e{e}"}
            for e in range(environments)
        ]
        ordinary, best = (
            difference([Environment((float(won),), of) for won, of in zip(runs, here, strict=True) if of])
            for runs in (
                draw.random(environments) < expit(logit - hard) for logit in (draw.normal(0, spread), BEST)
            )
        )
        assert overall is not None
        assert ordinary is not None
        assert best is not None
        assert best.interval is not None
        held.append(
            (
                overall.low <= solved <= overall.high,
                best.interval.low <= better <= best.interval.high,
                ordinary.p is not None and ordinary.p <= 0.05,
                change is not None and change.sure,
            )
        )
    return Found(*np.mean(held, axis=0).tolist())


def _met(draw: np.random.Generator, environments: int, design: str) -> tuple[Integers, Integers]:
    """The number of a person and of an environment for each attempt."""
    if design == NONE:
        return np.arange(PEOPLE * environments), np.tile(np.arange(environments), PEOPLE)
    each = environments if design == EVERY else SESSION
    people = -(-PEOPLE * environments // each)
    met = [draw.permutation(environments)[:each] for _ in range(people)]
    return np.repeat(np.arange(people), each), np.concatenate(met)


CASES = list(product((0.0, 0.5, 1.0), (12, 25), (EVERY, SOME, NONE)))


@pytest.mark.long
@pytest.mark.parametrize(("spread", "environments", "design"), CASES)
def test_intervals_hold_the_truth_and_tests_reject_it_as_often_as_they_say(
    spread: float, environments: int, design: str
) -> None:
    found = simulated(1_000, spread, environments, design)
    assert found.rate >= 0.93
    assert found.difference >= 0.93
    assert found.agent <= 0.06
    assert found.order <= 0.06


def test_an_ordinary_person_is_rarely_called_different() -> None:
    """The short form. Of people of unequal ability a permutation called 31 to 49 % different."""
    found = simulated(60, 0.5, 12, EVERY)
    assert found.agent <= 0.13
    assert min(found.rate, found.difference) >= 0.85
