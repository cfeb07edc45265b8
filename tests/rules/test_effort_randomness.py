"""Choices that are consistent with random play, and choices that are not."""

import numpy as np
import pytest

from playtest.rules.effort import Act, Thresholds
from playtest.rules.effort.attempts import random
from playtest.rules.effort.randomness import Randomness, randomness
from tests.rules.effort import acts, attempt

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


def test_the_random_policy_is_rejected_about_as_often_as_the_level_says() -> None:
    found = [measured(drawn(seed, 60)) for seed in range(100)]
    for p_values in ([one.frequencies for one in found], [one.transitions for one in found]):
        assert 1 <= sum(p < 0.05 for p in p_values) <= 12


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


@pytest.mark.parametrize(
    ("count", "levels", "flagged"),
    [(60, 0, True), (59, 0, False), (60, 1, False), (0, 0, False)],
    ids=["sixty", "too few", "a level completed", "none"],
)
def test_random_choices_without_progress_are_flagged(count: int, levels: int, flagged: bool) -> None:
    evidence = attempt(drawn(2, count), levels_completed=levels)
    assert (random(evidence, LIMITS, generator()) is not None) == flagged


def test_a_purposeful_person_without_progress_is_not() -> None:
    evidence = attempt(acts(([4] * 6 + [2] * 5 + [3] * 6 + [1] * 5) * 5))
    assert random(evidence, LIMITS, generator()) is None
