"""Which level loses most people, and which stand out: each threshold at its edge."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.dropoff import FlagKind, LevelFacts, flags, worst
from tests.cases import cases


def levels(*lost_of_reached: tuple[int, int], **figures: Any) -> list[LevelFacts]:
    """Levels from 1 on; `figures` are of the last one."""
    found = [
        LevelFacts(number, reached, reached - lost, lost)
        for number, (lost, reached) in enumerate(lost_of_reached, start=1)
    ]
    last = found[-1]
    found[-1] = LevelFacts(last.level, last.reached, last.completed, last.lost, **figures)
    return found


def raised(facts: list[LevelFacts]) -> list[tuple[int, FlagKind]]:
    return [(flag.level, flag.kind) for flag in flags(facts)]


def test_the_level_that_lost_most_people_is_the_worst() -> None:
    assert [facts.level for facts in worst(levels((1, 9), (3, 8), (2, 5)))] == [2]


def test_levels_that_lost_equally_many_are_all_the_worst() -> None:
    assert [facts.level for facts in worst(levels((2, 9), (2, 7), (1, 5)))] == [1, 2]
    assert [facts.level for facts in worst(levels((2, 9), (1, 9), (2, 9)))] == [1, 3]


def test_no_level_is_the_worst_if_nobody_stopped() -> None:
    assert worst(levels((0, 9), (0, 9))) == ()
    assert worst([]) == ()


@cases(("lost_of_reached", "flagged"), {
"15 points more": ([(0, 20), (3, 20)], True),
"14 points more": ([(0, 100), (14, 100)], False),
"45 against 30 percent": ([(6, 20), (9, 20)], True),
"40 against 30 percent": ([(6, 20), (8, 20)], False),
"two of three people": ([(0, 4), (2, 3)], True),
"too few reached it": ([(0, 3), (2, 2)], False),
"a single person": ([(0, 4), (1, 3)], False),
})  # fmt: skip
def test_a_drop_is_flagged_from_its_minimum_margin_and_people_on(
    lost_of_reached: list[tuple[int, int]], flagged: bool
) -> None:
    assert raised(levels(*lost_of_reached)) == ([(2, FlagKind.DROP)] if flagged else [])


def test_a_drop_has_to_be_larger_than_both_neighbours() -> None:
    assert raised(levels((0, 30), (9, 30), (8, 21))) == []
    assert raised(levels((0, 30), (9, 30), (2, 21))) == [(2, FlagKind.DROP)]


def test_a_level_nobody_reached_is_no_neighbour_and_a_single_level_has_none() -> None:
    assert raised(levels((4, 4), (0, 0))) == []
    assert raised(levels((1, 10), (9, 9), (0, 0))) == [(2, FlagKind.DROP)]


@pytest.mark.parametrize(
    ("before", "now", "completers", "flagged"),
    [(10, 20, 3, True), (10, 19, 3, False), (11, 21, 3, False), (9, 18, 3, False), (10, 20, 2, False)],
    ids=["twice and ten more", "nine more", "not twice", "twice, nine more", "too few completed it"],
)
def test_a_jump_of_the_median_actions_is_flagged(
    before: int, now: int, completers: int, flagged: bool
) -> None:
    first = LevelFacts(1, 9, 9, 0, median_actions=before)
    second = LevelFacts(2, 9, completers, 0, median_actions=now)
    assert raised([first, second]) == ([(2, FlagKind.JUMP)] if flagged else [])


@pytest.mark.parametrize(
    ("resets", "reached", "flagged"), [(2, 3, True), (1, 3, False), (2, 2, False), (None, 3, False)]
)
def test_many_resets_are_flagged(resets: int | None, reached: int, flagged: bool) -> None:
    facts = [LevelFacts(1, reached, reached, 0, median_resets=resets)]
    assert raised(facts) == ([(1, FlagKind.RESETS)] if flagged else [])


@pytest.mark.parametrize(
    ("seconds", "ended", "flagged"),
    [(30.0, 3, True), (29.9, 3, False), (30.0, 2, False), (None, 3, False)],
)
def test_a_slow_start_is_flagged(seconds: float | None, ended: int, flagged: bool) -> None:
    facts = [LevelFacts(1, 9, ended, 0, median_seconds_to_change=seconds)]
    assert raised(facts) == ([(1, FlagKind.SLOW_START)] if flagged else [])


def test_each_flag_states_its_numbers() -> None:
    facts = [
        LevelFacts(1, 9, 8, 1, median_actions=20, median_resets=0),
        LevelFacts(
            2, 8, 4, 4, median_actions=62, median_resets=3, median_seconds_to_change=41.2, under_review=2
        ),
        LevelFacts(3, 4, 4, 0, median_actions=50),
    ]
    assert [flag.sentence for flag in flags(facts)] == [
        "Level 2 loses 4 of 8, 50 % (2 of 4 under review); level 1 loses 1 of 9 and level 3 0 of 4.",
        "Level 2 takes 62 actions (upper median of 4 who completed it), level 1 only 20.",
        "At least half of the 8 who ended level 2 reset it 3 times or more.",
        "At least half of the 8 who ended level 2 spent 41 s or more there before anything changed.",
    ]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted), min_size=1, max_size=8))
def test_no_two_neighbours_both_stand_out_by_their_drop(counts: list[list[int]]) -> None:
    found = [number for number, kind in raised(levels(*[(lost, reached) for lost, reached in counts]))]
    assert all(later - earlier > 1 for earlier, later in pairwise(found))
