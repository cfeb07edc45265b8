"""Choices that are consistent with random play, and choices that are not."""

import numpy as np
import pytest

from playtest.rules.attempt import Outcome
from playtest.rules.effort.attempts import random
from playtest.rules.effort.evidence import Act, Strength
from playtest.rules.effort.randomness import Randomness, randomness
from playtest.rules.effort.thresholds import Thresholds
from tests.rules.effort import acts, attempt, with_a_favourite

LIMITS = Thresholds()
CLICKS_ONLY = 1 | 1 << 6


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def measured(made: tuple[Act, ...]) -> Randomness:
    found = randomness(made, generator())
    assert found is not None
    return found


def drawn(seed: int, count: int = 120) -> tuple[Act, ...]:
    return acts([int(action) for action in generator(seed).integers(1, 5, count)])


def clicks(cells: list[tuple[int, int]]) -> tuple[Act, ...]:
    return tuple(
        act._replace(cell=cell)
        for act, cell in zip(acts([6] * len(cells), offered=CLICKS_ONLY), cells, strict=True)
    )


SEEDS = pytest.mark.parametrize("seeds", [range(20), pytest.param(range(100), marks=pytest.mark.long)])


@SEEDS
def test_the_random_policy_is_rejected_about_as_often_as_the_level_says(seeds: range) -> None:
    found = [measured(drawn(seed, 60)) for seed in seeds]
    p_values = [p for one in found for p in (one.frequencies, one.transitions)]
    assert 1 <= sum(p < 0.05 for p in p_values) <= 0.12 * len(p_values)


def test_straight_lines_are_detected_by_pairs_of_actions() -> None:
    walk = acts(([1] * 10 + [2] * 10 + [3] * 10 + [4] * 10) * 2)
    assert measured(walk).frequencies > 0.9
    assert measured(walk).transitions < 0.01


def test_a_preferred_direction_is_detected_by_frequencies() -> None:
    assert measured(acts([1, 4, 1, 1, 2, 1, 1, 3, 1, 1] * 12)).frequencies < 0.01


def test_clicks_all_over_the_board_are_random_and_clicks_on_one_thing_are_not() -> None:
    everywhere = [(int(x), int(y)) for x, y in generator(5).integers(0, 64, (120, 2))]
    on_one_thing = [(20 + x % 3, 40 + y % 3) for x, y in everywhere]
    assert measured(clicks(everywhere)).frequencies >= 0.05
    assert measured(clicks(on_one_thing)).frequencies < 0.01


def test_only_available_actions_are_expected() -> None:
    two_offered = acts([int(action) for action in generator(3).integers(1, 3, 120)], offered=0b111)
    assert measured(two_offered).frequencies >= 0.05


def test_a_single_choice_gives_no_test_result() -> None:
    assert randomness(acts([5] * 100, offered=1 | 1 << 5), generator()) is None
    assert randomness(acts([0] * 100), generator()) is None
    assert randomness((), generator()) is None


def test_the_same_generator_gives_the_same_result() -> None:
    assert randomness(drawn(1), generator(9)) == randomness(drawn(1), generator(9))


def who_goes_on_with_what_works(seed: int, count: int = 120) -> tuple[Act, ...]:
    """Repeats an action while it has an effect, takes another one where it has none; likes action 1."""
    chance = generator(seed)
    made: list[Act] = []
    for act in with_a_favourite(seed, count):
        works = bool(made) and made[-1].changed
        action = made[-1].action if works and chance.random() < 0.8 else act.action
        made.append(act._replace(action=action))
    return tuple(made)


def order(made: tuple[Act, ...]) -> float:
    found = measured(made).order
    assert found is not None
    return found


@SEEDS
def test_an_order_without_a_plan_is_rejected_about_as_often_as_the_level_says(seeds: range) -> None:
    rejected = [order(with_a_favourite(seed, 80, (0.0, 0.4, 0.6)[seed % 3])) < 0.05 for seed in seeds]
    assert sum(rejected) <= 0.12 * len(rejected)


def test_a_favourite_is_no_plan_and_going_on_with_what_works_is_one() -> None:
    favourite, plan = with_a_favourite(3), who_goes_on_with_what_works(3)
    assert measured(favourite).frequencies < 0.01
    assert order(favourite) >= 0.05
    assert order(plan) < 0.01
    assert measured(favourite).favourite == pytest.approx(0.7, abs=0.1)


def test_hardly_any_other_choice_has_no_order() -> None:
    assert measured(acts([1] * 106 + [2] * 14)).order is None
    assert measured(acts([1] * 105 + [2] * 15)).order is not None


def test_a_favourite_is_found_and_named_by_its_share() -> None:
    found = random(attempt(with_a_favourite(3), levels_completed=1), LIMITS, generator())
    assert found is not None
    assert found.strength == Strength.NOTE
    assert found.figures["p_frequencies"] < 0.05 <= found.figures["p_order"]
    assert found.sentence == (
        "In environment 1, 1 level was completed, and 120 actions came in an order that cannot be told from a"
        f" random one (p = {found.figures['p_order']:.2f}), whatever the action before had changed; the most"
        f" frequent choice was {100 * found.figures['favourite']:.0f} % of them."
    )


def test_who_goes_on_with_what_works_is_not_random() -> None:
    for seed in range(8):
        assert random(attempt(who_goes_on_with_what_works(seed)), LIMITS, generator()) is None


@pytest.mark.parametrize(
    ("count", "levels", "outcome", "flagged"),
    [
        (60, 0, Outcome.GAVE_UP, True),
        (59, 0, Outcome.GAVE_UP, False),
        (60, 2, Outcome.GAVE_UP, True),
        (60, 3, Outcome.GAVE_UP, False),
        (60, 1, Outcome.COMPLETED, False),
        (60, 0, Outcome.TIMED_OUT, True),
        (0, 0, Outcome.GAVE_UP, False),
    ],
    ids=["sixty", "too few", "two levels", "three levels", "all levels", "timed out", "none"],
)
def test_random_choices_are_flagged_where_no_more_than_the_first_levels_were_completed(
    count: int, levels: int, outcome: Outcome, flagged: bool
) -> None:
    evidence = attempt(drawn(2, count), levels_completed=levels, outcome=outcome)
    assert (random(evidence, LIMITS, generator()) is not None) == flagged


def test_a_purposeful_person_without_progress_is_not() -> None:
    evidence = attempt(acts(([4] * 6 + [2] * 5 + [3] * 6 + [1] * 5) * 5))
    assert random(evidence, LIMITS, generator()) is None
