"""Abilities and difficulties of simulated people are found again, and edge cases stay finite."""

from collections.abc import Iterator
from dataclasses import astuple
from math import exp, isfinite
from random import Random
from statistics import fmean

import pytest

from playtest.rules.errors import RuleError
from playtest.rules.rasch import Fit, Result, fit

DIFFICULTIES = {f"e{number}": -2.2 + 0.4 * number for number in range(12)}
SPREAD = 1.2


def chance(ability: float, difficulty: float) -> float:
    return 1 / (1 + exp(difficulty - ability))


def success_of_all(difficulty: float, spread: float = SPREAD) -> float:
    """The mean chance over normal abilities, by the midpoint rule."""
    steps = [(number + 0.5) / 100 - 6 for number in range(1_200)]
    return sum(exp(-step * step / 2) * chance(spread * step, difficulty) for step in steps) / 100 / 2.50662827


def people(
    random: Random, count: int, met: int, difficulties: dict[str, float] = DIFFICULTIES
) -> Iterator[tuple[float, list[Result[str]]]]:
    """Each person's ability and results at `met` environments drawn for them."""
    for number in range(count):
        ability = random.gauss(0, SPREAD)
        drawn = random.sample(sorted(difficulties), met)
        yield (
            ability,
            [
                Result(f"p{number}", item, random.random() < chance(ability, difficulties[item]))
                for item in drawn
            ],
        )


def finite(found: Fit[str]) -> bool:
    estimates = [get(item) for item in found.items for get in (found.difficulty, found.adjusted)]
    numbers = [number for one in estimates for number in (one.value, one.low, one.high)]
    return all(map(isfinite, numbers)) and all(one.low < one.value < one.high for one in estimates)


def test_intervals_hold_what_people_were_simulated_with() -> None:
    random, held = Random(15), []
    truth = {item: success_of_all(difficulty) for item, difficulty in DIFFICULTIES.items()}
    for _ in range(20):
        simulated = list(people(random, 40, 8))
        found = fit([one for _, results in simulated for one in results])
        for item, difficulty in DIFFICULTIES.items():
            of_item, of_all = found.difficulty(item), found.adjusted(item)
            held.append(of_item.low <= difficulty <= of_item.high)
            held.append(of_all.low <= truth[item] <= of_all.high)
    assert fmean(held) == pytest.approx(0.95, abs=0.04)


def test_means_and_differences_have_the_intervals_that_they_claim() -> None:
    random, held, hardest = Random(16), [], ("e9", "e10", "e11")
    mean = fmean(success_of_all(DIFFICULTIES[item]) for item in hardest)
    difference = success_of_all(DIFFICULTIES["e0"]) - success_of_all(DIFFICULTIES["e6"])
    for _ in range(20):
        found = fit([one for _, results in people(random, 30, 6) for one in results])
        for truth, claimed in ((mean, found.adjusted(*hardest)), (difference, found.difference("e0", "e6"))):
            held.append(claimed.low <= truth <= claimed.high)
    assert fmean(held) == pytest.approx(0.95, abs=0.05)


def test_who_came_is_adjusted_for() -> None:
    """Two equal environments, one met by those who solve most and one by the others."""
    random, results = Random(15), []
    equal = {**DIFFICULTIES, "met-by-able": 0.0, "met-by-others": 0.0}
    for number, (ability, own) in enumerate(people(random, 400, 8)):
        item = "met-by-able" if sum(one.success for one in own) > 4 else "met-by-others"
        results += [*own, Result(f"p{number}", item, random.random() < chance(ability, equal[item]))]
    raw = {
        item: fmean(one.success for one in results if one.item == item)
        for item in ("met-by-able", "met-by-others")
    }
    found = fit(results)
    left = found.difference("met-by-able", "met-by-others")
    assert raw["met-by-able"] - raw["met-by-others"] > 0.3
    assert left.low < 0 < left.high
    assert abs(left.value) < 0.1
    assert found.spread == pytest.approx(SPREAD, rel=0.1)
    for item in raw:
        assert found.adjusted(item).low < 0.5 < found.adjusted(item).high


def test_where_everybody_came_there_is_nothing_to_adjust() -> None:
    """Also where a normal curve is not like these people: eleven solve most of twenty, one hardly any."""
    solved = {item: 11 - item % 4 for item in range(20)}
    results = [
        Result(f"p{person}", item, person < solved[item]) for item in range(20) for person in range(12)
    ]
    found = fit(results)
    for item, count in solved.items():
        assert found.adjusted(item).value == pytest.approx(count / 12, abs=0.04)


def test_levels_that_were_not_reached_are_not_held_against_the_next() -> None:
    """Of equally hard levels only the able see the last: its raw completion is higher, adjusted not."""
    random, results = Random(15), []
    for number in range(600):
        ability = random.gauss(0, SPREAD)
        for level in range(1, 7):
            completed = random.random() < chance(ability, 0.0)
            results.append(Result(f"p{number}", level, completed))
            if not completed:
                break
    last = [one.success for one in results if one.item == 6]
    found = fit(results)
    assert fmean(last) > 0.65
    assert found.adjusted(6).low < 0.5 < found.adjusted(6).high
    assert found.adjusted(1).value == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("success", [True, False])
def test_environments_that_all_or_none_solved_have_finite_estimates(success: bool) -> None:
    results = [Result(f"p{number}", item, success) for number in range(10) for item in "ab"]
    found = fit(results)
    assert finite(found)
    assert astuple(found.adjusted("a")) == pytest.approx(astuple(found.adjusted("b")))
    adjusted = found.adjusted("a").value
    assert 0.9 < (adjusted if success else 1 - adjusted) < 1
    mixed = fit([*results, *[Result(f"p{number}", "c", number % 2 == 0) for number in range(10)]])
    assert finite(mixed)
    assert mixed.adjusted("c").value == pytest.approx(0.5, abs=0.03)


def test_groups_that_share_nobody_are_counted() -> None:
    random = Random(15)
    both = [one for _, own in people(random, 20, 6) for one in own]
    assert fit(both).groups == 1
    apart = [*both, *[Result(f"other-{one.person}", f"other-{one.item}", one.success) for one in both]]
    found = fit(apart)
    assert found.groups == 2
    assert finite(found)
    assert found.difference("e0", "other-e0").value == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(
    "results",
    [
        [],
        [Result("p", item, True) for item in "abc"],
        [Result(f"p{number}", "a", number > 3) for number in range(30)],
    ],
)
def test_without_people_who_met_several_nothing_is_adjusted(results: list[Result[str]]) -> None:
    with pytest.raises(RuleError) as refused:
        fit(results)
    assert refused.value.code == "abilities_unknown"
