"""People, sessions, hours and pay of a plan, its limits, and what an earlier study tells."""

import json
from dataclasses import replace
from decimal import Decimal
from math import log
from random import Random

import pytest

from playtest.rules.inference.clusters import Result, alike
from playtest.rules.pay import Pay
from playtest.rules.planning.estimates import environment_spread, spread_of
from playtest.rules.planning.plan import Assumptions, Recruiting, forecast, plan, recruiting
from playtest.rules.planning.precision import MOST_WITHOUT
from tests.refusals import rule_refused

PAY = Pay(Decimal("100.00"), Decimal("4.00"))
ASSUMED = Assumptions(
    environments=25,
    people=12,
    a_session=9,
    sessions_each=1,
    spread=1.6,
    completing=(0.9, 0.5),
    success=0.5,
    environment_spread=0.2,
    counting=0.9,
    correlation=0.1,
    runs=3,
    difference_spread=0.2,
    power=0.8,
    reach=0.5,
    half=0.2,
    difference=0.2,
    pay=PAY,
    session_seconds=3600,
)


PEOPLE = (5, 10, 15, 20, 30, 50, 100)


def takes(environments: int, people: int, a_session: int, sessions_each: int, counting: float) -> Recruiting:
    asked = replace(
        ASSUMED,
        environments=environments,
        a_session=a_session,
        sessions_each=sessions_each,
        counting=counting,
    )
    return recruiting(asked, people)


@pytest.mark.parametrize(
    ("asked", "people", "sessions"),
    [
        ((25, 10, 9, 1, 1.0), 28, 28),  # 250 attempts, the last person plays 7
        ((25, 10, 9, 2, 1.0), 14, 28),  # 18 by each of 13 people, 16 by one
        ((4, 10, 9, 3, 1.0), 10, 10),  # nobody meets an environment twice
        ((10, 10, 9, 2, 1.0), 10, 20),  # the tenth environment takes a second session
        ((25, 9, 9, 1, 0.9), 28, 28),  # 10 begun attempts for 9 that count
    ],
)
def test_people_and_sessions_are_counted_out(
    asked: tuple[int, int, int, int, float], people: int, sessions: int
) -> None:
    found = takes(*asked)
    assert (found.people, found.sessions, found.hours) == (people, sessions, sessions)


def test_the_cost_has_a_fee_for_each_session_and_a_bonus_for_each_success() -> None:
    found = takes(25, 9, 9, 1, 0.9)
    assert (found.begun, found.counted) == (250, 225)
    assert found.cost == 28 * 100 + Decimal("4.00") * 225 / 2


def test_a_plan_says_what_another_number_of_people_would_give() -> None:
    made = plan(ASSUMED)
    assert made.forecast == forecast(ASSUMED)
    needed = made.needed.baselines
    assert needed is not None
    assert needed == max(one for one in made.needed.levels if one is not None)
    worst = forecast(replace(ASSUMED, people=needed)).levels[1]
    assert worst.interval is not None
    assert worst.interval.reach <= ASSUMED.reach


def test_a_baseline_does_not_grow_wider_with_people() -> None:
    intervals = [forecast(replace(ASSUMED, people=people)).levels[1].interval for people in PEOPLE]
    reaches = [one.reach for one in intervals if one is not None and one.without <= MOST_WITHOUT]
    assert len(reaches) >= len(PEOPLE) - 2
    assert reaches == sorted(reaches, reverse=True)


def test_a_plan_is_written_as_json() -> None:
    found = json.loads(json.dumps(plan(ASSUMED).document, allow_nan=False))
    assert found["assumptions"]["fee"] == "100.00"
    assert found["forecast"]["levels"][1]["interval"]["completers"] == 6
    hopeless = replace(ASSUMED, environments=1, completing=(0.0,))
    found = json.loads(json.dumps(plan(hopeless).document, allow_nan=False))
    assert found["forecast"]["levels"][0]["interval"] is None
    assert found["forecast"]["detectable_difference"] is None
    assert found["people_needed"]["baselines"] is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"people": 0}, "plan_out_of_range"),
        ({"spread": 0.9}, "plan_out_of_range"),
        ({"success": float("nan")}, "plan_out_of_range"),
        ({"completing": ()}, "plan_levels_unusable"),
        ({"completing": (1.1,)}, "plan_levels_unusable"),
    ],
)
def test_assumptions_out_of_range_are_refused(change: dict[str, object], code: str) -> None:
    with rule_refused(code):
        replace(ASSUMED, **change)  # type: ignore[arg-type]


def test_the_spread_of_an_earlier_study_is_found_again() -> None:
    chance = Random(15)
    levels = [
        [round(1000 * middle * chance.lognormvariate(0, log(1.7))) for _ in range(8)]
        for middle in range(1, 301)
    ]
    assert spread_of(levels) == pytest.approx(1.7, rel=0.02)
    assert spread_of([[5], [], [9]]) is None


@pytest.mark.parametrize("correlation", [0.0, 0.3])
def test_the_correlation_of_one_persons_results_is_found_again(correlation: float) -> None:
    chance, attempts, size = Random(15), [], 1 / correlation - 1 if correlation else 0
    for person in range(1_500):
        own = chance.betavariate(0.5 * size, 0.5 * size) if size else 0.5
        met = chance.sample(range(20), 6)
        attempts += [Result(f"p{person}", f"e{number}", float(chance.random() < own)) for number in met]
    found = alike(attempts)
    assert found is not None
    assert found.correlation == pytest.approx(correlation, abs=0.02)


@pytest.mark.parametrize("spread", [0.0, 0.25])
def test_the_spread_between_environments_is_found_again(spread: float) -> None:
    chance = Random(15)
    results = [
        Result(f"p{person}", f"e{number}", float(chance.random() < 0.5 + (spread, -spread)[number % 2]))
        for number in range(400)
        for person in range(12)
    ]
    assert environment_spread(results) == pytest.approx(spread, abs=0.03)
    assert environment_spread([Result("a", "x", 1.0), Result("b", "y", 0.0)]) is None


def test_without_pairs_or_differences_nothing_is_known_of_the_correlation() -> None:
    assert alike([]) is None
    found = alike([Result("a", "x", 1.0), Result("b", "x", 0.0)])
    assert found is not None
    assert found.correlation is None
    assert alike([Result(person, at, 1.0) for person in "ab" for at in "xy"]) is None
