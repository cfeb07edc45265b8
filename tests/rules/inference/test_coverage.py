"""How often intervals hold the truth and tests reject it, in simulated studies (decision 224)."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from scipy.special import expit

from playtest.rules.inference.agents import Environment, difference, mean_interval
from playtest.rules.inference.clusters import Integers, Result, rate, trend
from playtest.rules.inference.ranks import holm, mann_whitney
from playtest.rules.inference.shares import fisher, share

PEOPLE = 10
"""On each environment."""
SESSION = 6
"""Environments that one person meets, where people share some."""
AGENTS = (-2.0, 1.0, 2.0)
"""The abilities of the agents whose intervals are judged: they solve about 17, 70 and 85 %."""
HARDNESS = 1.0
"""Standard deviation of the difficulties; abilities and difficulties are logits."""
EVERY, SOME, NONE = "everybody meets all", "everybody meets six", "nobody meets two"


@dataclass(frozen=True)
class Found:
    """Shares of studies: whose intervals hold the truth, and whose tests reject what is true.

    `by_person` and `by_environment` are rates in which each counts once; `difference` is the least of AGENTS.
    """

    rate: float
    by_person: float
    by_environment: float
    difference: float
    agent: float
    order: float


def simulated(studies: int, spread: float, environments: int, design: str) -> Found:
    """Of people whose ability has this spread, at so many environments."""
    draw = np.random.default_rng(36)
    many = draw.normal(size=400_000)
    solved = float(expit(np.hypot(spread, HARDNESS) * many).mean())
    ahead = [100 * (float(expit(agent + HARDNESS * many).mean()) - solved) for agent in AGENTS]
    held, agents = [], []
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
        rates = [rate(results, by=by) for by in (None, 0, 1)]
        change = trend(results, own) if design != NONE else None
        here = [
            {one.person: 100 * one.value for one in results if one.environment == f"e{e}"}
            for e in range(environments)
        ]
        ordinary, *others = (
            difference([Environment((100.0 * won,), of) for won, of in zip(runs, here, strict=True) if of])
            for runs in (
                (draw.random(environments) < expit(logit - hard)).tolist()
                for logit in (draw.normal(0, spread), *AGENTS)
            )
        )
        assert ordinary is not None
        held.append(
            (
                *(one is not None and one.low <= solved <= one.high for one in rates),
                ordinary.p is not None and ordinary.p <= 0.05,
                change is not None and change.sure,
            )
        )
        agents.append(
            [
                one is not None
                and one.interval is not None
                and one.interval.low <= truth <= one.interval.high
                for one, truth in zip(others, ahead, strict=True)
            ]
        )
    overall, by_person, by_environment, agent, order = np.mean(held, axis=0).tolist()
    return Found(
        overall, by_person, by_environment, float(np.mean(agents, axis=0).min()), agent, order
    )  # fmt: skip


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
    assert min(found.rate, found.by_person, found.by_environment) >= 0.93
    assert found.difference >= 0.93
    assert found.agent <= 0.06
    assert found.order <= 0.06


def test_an_ordinary_person_is_rarely_called_different() -> None:
    """The short form. Of people of unequal ability a permutation called 31 to 49 % different."""
    found = simulated(60, 0.5, 12, EVERY)
    assert found.agent <= 0.13
    assert min(found.rate, found.difference) >= 0.85


@pytest.mark.parametrize("studies", [100, pytest.param(4_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("environments", [12, 25])
@pytest.mark.parametrize(("solves", "efficient"), [(0.2, True), (0.5, True), (0.85, True), (0.85, False)])
def test_the_interval_of_a_mean_score_holds_its_mean(
    studies: int, environments: int, *, solves: float, efficient: bool
) -> None:
    """Scores of an agent that solves so many, with an efficiency that varies evenly or is always full.

    The limited case: who scores at one of five environments, of 12, may show too little of what there is.
    """
    least = 0.91 if solves < 0.5 and environments < 25 else 0.93
    draw, held, known = np.random.default_rng(36), 0, 0
    truth = 100 * solves * (0.5 if efficient else 1)
    for _ in range(studies):
        scores = 100 * (draw.random(environments) < solves) * (draw.random(environments) if efficient else 1)
        found = mean_interval([Environment((one,)) for one in scores.tolist()])
        known += found is not None
        held += found is not None and found.low <= truth <= found.high
    assert held / known >= (least if studies > 1_000 else 0.87)


@pytest.mark.parametrize(
    ("studies", "spread", "people"),
    [
        (60, 0.5, 20),
        *(pytest.param(3_000, *one, marks=pytest.mark.long) for one in product((0.0, 0.5, 1.0), (8, 20))),
    ],
)
def test_versions_that_do_not_differ_are_called_different_in_one_of_twenty(
    studies: int, spread: float, people: int
) -> None:
    """Any of six levels, by completion and by actions; one person's levels are alike."""
    draw, found = np.random.default_rng(36), []
    for _ in range(studies):
        completed, actions = [], []
        able = draw.normal(0, spread, (2, people))
        for level in range(6):
            done = draw.random((2, people)) < expit(able + 1 - level / 3)
            taken = np.exp(3 - able / 2 + draw.normal(0, 0.5, (2, people))).round()
            completed.append(fisher(*(share(int(side.sum()), people) for side in done)))
            if min(done.sum(axis=1)) >= 5:
                actions.append(mann_whitney(taken[0][done[0]].tolist(), taken[1][done[1]].tolist()))
        found.append([min(holm(p), default=1) < 0.05 for p in (completed, actions)])
    assert np.mean(found, axis=0).max() <= (0.06 if studies > 1_000 else 0.12)
