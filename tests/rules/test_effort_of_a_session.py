"""Response-time effort over environments, and environments left at once."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from playtest.rules.attempt import CUT_SHORT, Outcome
from playtest.rules.effort.evidence import AttemptEvidence, Norms, Rule, Strength
from playtest.rules.effort.sessions import cycling, left_early, response_time
from playtest.rules.effort.thresholds import Thresholds
from tests.cases import cases
from tests.rules.effort import acts, attempt

USUAL = {7: Norms(mean_active_seconds=400.0, no_op_median={}, no_op_deviation={}, long_run=0)}
"""T is 40 seconds."""
LIMITS = Thresholds()


def active(seconds: float, **facts: object) -> AttemptEvidence:
    """An attempt of twenty actions in so many seconds."""
    return attempt(acts([1] * 20, apart=seconds / 20), **facts)


def session(tried: int, rushed: int) -> list[AttemptEvidence]:
    return [active(41)] * tried + [active(10)] * rushed


def effort(attempts: list[AttemptEvidence]) -> tuple[float, Strength] | None:
    found = response_time(attempts, USUAL, LIMITS)
    return None if found is None else (found.figures["effort"], found.strength)


@pytest.mark.parametrize(
    ("tried", "rushed", "expected"),
    [
        (0, 0, None),
        (0, 1, None),
        (9, 1, None),
        (9, 2, (9 / 11, Strength.REVIEW)),
        (5, 5, (0.5, Strength.REVIEW)),
        (5, 6, (5 / 11, Strength.STRONG)),
        (0, 2, (0.0, Strength.STRONG)),
    ],
    ids=["none", "one only", "at 0.90", "below it", "at 0.50", "below that", "none tried"],
)
def test_effort_is_the_share_of_environments_tried(
    tried: int, rushed: int, expected: tuple[float, Strength] | None
) -> None:
    assert effort(session(tried, rushed)) == expected


def test_an_attempt_active_for_exactly_t_counts_as_tried() -> None:
    assert effort([active(40.0), active(40.0)]) is None
    assert effort([active(40.0), active(39.9)]) == (0.5, Strength.REVIEW)


def test_t_is_a_tenth_of_the_mean_and_at_most_a_minute() -> None:
    def least(mean: float) -> float:
        return Norms(mean, {}, {}, 0).response_seconds(LIMITS)

    assert [least(mean) for mean in (100.0, 600.0, 5_000.0)] == [10.0, 60.0, 60.0]


def test_waiting_is_not_active_time() -> None:
    waited = attempt(acts([1], apart=900.0), seconds=950.0)
    assert waited.active_seconds(60.0) == 60.0


def test_a_solved_environment_counts_as_tried() -> None:
    assert effort([active(10, outcome=Outcome.COMPLETED)] * 3) is None


@pytest.mark.parametrize("outcome", CUT_SHORT)
def test_an_attempt_that_was_cut_short_does_not_count(outcome: Outcome) -> None:
    assert effort([*session(2, 0), active(5, outcome=outcome)]) is None
    assert effort([*session(1, 1), active(5, outcome=outcome)]) == (0.5, Strength.REVIEW)


def test_the_sentence_names_the_environments_and_leads_to_them() -> None:
    found = response_time([active(41, attempt=1), active(9, attempt=2), active(9, attempt=3)], USUAL, LIMITS)
    assert found is not None
    assert found.moments == ((2, 0), (3, 0))
    assert found.sentence == (
        "Of 3 environments, 1 was tried for long enough (response-time effort 0.33); in environments 2 and 3"
        " the active time was less than 10 % of the mean there, or than 60 s."
    )


def left(seconds: float, actions: int, **facts: object) -> AttemptEvidence:
    return attempt(acts([1] * actions, apart=0.1), seconds=seconds, **facts)


@cases(
    ("attempts", "flagged"),
    {
        "no environment": ([], False),
        "one": ([left(5, 3)], False),
        "two": ([left(5, 3), left(5, 3)], True),
        "within T exactly": ([left(40, 30), left(40, 30)], True),
        "a little later": ([left(40.1, 30), left(40.1, 30)], False),
        "ten actions": ([left(500, 10), left(500, 10)], True),
        "eleven": ([left(500, 11), left(500, 11)], False),
        "a level done": ([left(5, 3), left(5, 3, levels_completed=1)], False),
        "cut off by the session": ([left(5, 3), left(5, 3, outcome=Outcome.SESSION_OVER)], False),
        "cut off by staff": ([left(5, 3), left(5, 3, outcome=Outcome.ENDED_BY_STAFF)], False),
        "concluded": ([left(5, 3), left(5, 3, outcome=Outcome.CONCLUDED)], True),
        "no action at all": ([left(500, 0), left(500, 0)], True),
    },
)
def test_two_environments_left_at_once_are_cycling(attempts: list[AttemptEvidence], flagged: bool) -> None:
    assert (cycling(attempts, USUAL, LIMITS) is not None) == flagged


def test_cycling_lists_its_environments() -> None:
    found = cycling([left(5, 1, attempt=1), active(90, attempt=2), left(8, 3, attempt=3)], USUAL, LIMITS)
    assert found is not None
    assert found.sentence == (
        "2 of 3 environments were left almost at once, with no level completed: 1 after 5 s and 1 action, 3"
        " after 8 s and 3 actions."
    )
    assert found.moments == ((1, 0), (3, 0))


def early(seconds: float = 60, actions: int = 35, levels: int = 0, **facts: object) -> AttemptEvidence:
    """Given up so long after entering a level, with so many actions on it."""
    before = acts([1] * 10 * levels, apart=1.0)
    on_it = acts([1] * actions, apart=seconds / (actions + 1), level=levels + 1)
    moved = [act._replace(seq=act.seq + len(before), at=act.at + len(before)) for act in on_it]
    made = (*before, *moved)
    return attempt(made, levels_completed=levels, seconds=len(before) + seconds, **facts)


ON_THE_LEVEL = Thresholds(early_attempt_seconds=0)
"""Leaving early by what was done on the level that was left alone, however long the attempt took."""


def rule_of(
    attempts: list[AttemptEvidence], norms: Mapping[int, Norms] = USUAL, limits: Thresholds = ON_THE_LEVEL
) -> Rule | None:
    found = left_early(attempts, norms, limits)
    assert found is None or found.strength == Strength.STRONG
    return found.rule if found else None


@pytest.mark.parametrize(
    ("attempts", "rule"),
    [
        ([], None),
        ([early()] * 2, None),
        ([early()] * 3, Rule.LEFT_EARLY),
        ([early(75, 40)] * 3, Rule.LEFT_EARLY),
        ([early(76, 40)] * 3, None),
        ([early(75, 41)] * 3, None),
        ([early(0.0, 0)] * 3, Rule.LEFT_EARLY),
        ([early(levels=1)] * 3, Rule.TUTORIAL_ONLY),
        ([early(levels=2)] * 3, Rule.TUTORIAL_ONLY),
        ([early(levels=3)] * 3, None),
        ([early(levels=1), early(levels=1), early(), early()], Rule.TUTORIAL_ONLY),
        ([early(levels=1), early(), early()], Rule.LEFT_EARLY),
        ([early()] * 4 + [active(400)], Rule.LEFT_EARLY),
        ([early()] * 2 + [active(400)], Rule.LEFT_EARLY),
        ([early()] * 3 + [active(400)] * 2, None),
        ([early()] * 4 + [early(outcome=Outcome.COMPLETED)], Rule.LEFT_EARLY),
        ([early()] * 3 + [early(outcome=Outcome.COMPLETED)] * 2, None),
        ([early()] * 3 + [early(outcome=Outcome.SESSION_OVER)], Rule.LEFT_EARLY),
        ([early()] * 3 + [early(outcome=Outcome.ENDED_BY_STAFF)], Rule.LEFT_EARLY),
        ([early(outcome=Outcome.CONCLUDED)] * 3, None),
        ([early(outcome=Outcome.TIMED_OUT)] * 3, None),
    ],
)
def test_most_environments_given_up_early_is_strong(
    attempts: list[AttemptEvidence], rule: Rule | None
) -> None:
    assert rule_of(attempts) == rule


@cases(
    ("left", "rule"),
    {
        "within two minutes": (early(120, 200), Rule.LEFT_EARLY),
        "a moment later": (early(121, 200), None),
        "with two levels completed": (early(100, 200, levels=2), Rule.TUTORIAL_ONLY),
        "with more levels completed": (early(90, 200, levels=3), None),
        "timed out": (early(120, 200, outcome=Outcome.TIMED_OUT), None),
    },
)
def test_leaving_within_two_minutes_is_early_whatever_was_pressed(
    left: AttemptEvidence, rule: Rule | None
) -> None:
    assert rule_of([left] * 3, limits=LIMITS) == rule
    assert rule_of([left] * 2 + [active(400)] * 2, limits=LIMITS) is None, "half are not most"


def test_leaving_soon_says_after_how_long() -> None:
    found = left_early([early(100, 90, attempt=pk) for pk in (1, 2, 3)], USUAL, LIMITS)
    assert found is not None
    assert "75 s on the level that was left, or in at most 2:00 min altogether: 1 on" in found.sentence
    assert "3 on level 1 after 90 actions there (100 s altogether)." in found.sentence


def needed(actions: int, level: int = 1) -> dict[int, Norms]:
    """Half of the others who completed a level needed this many actions or more."""
    return {7: replace(USUAL[7], actions_to_complete={level: actions})}


def test_a_long_wait_on_the_level_is_leaving_early_only_with_fewer_actions_than_others_needed() -> None:
    """Two pauses of a minute before the person gives up: pauses count up to a minute each."""
    looked = attempt(acts([1] * 2, apart=100.0), seconds=201.0)
    assert rule_of([looked] * 3) is None, "nobody else completed the level"
    assert rule_of([looked] * 3, needed(2)) is None
    assert rule_of([looked] * 3, needed(3)) == Rule.LEFT_EARLY
    assert rule_of([looked] * 3, needed(3, level=2)) is None, "that is another level"


@pytest.mark.parametrize(
    ("slow", "rule"),
    [
        (early(300, 39), Rule.LEFT_EARLY),
        (early(300, 40), Rule.LEFT_EARLY),
        (early(300, 41), None),
        (early(300, 39, outcome=Outcome.CONCLUDED), None),
        (early(300, 39, outcome=Outcome.TIMED_OUT), None),
        (early(300, 39, levels=1), None),
    ],
    ids=["few", "forty", "more than forty", "concluded", "timed out", "nobody completed level 2"],
)
def test_who_leaves_slowly_is_compared_with_others_up_to_the_same_limits(
    slow: AttemptEvidence, rule: Rule | None
) -> None:
    assert rule_of([slow] * 3, needed(500)) == rule


def test_leaving_slowly_says_what_others_needed() -> None:
    found = left_early(
        [early(attempt=1), *(early(300, 9, 1, attempt=pk) for pk in (2, 3))], needed(12, 2), LIMITS
    )
    assert found is not None
    assert found.rule == Rule.TUTORIAL_ONLY
    assert found.sentence == (
        "3 of 3 environments were given up soon after the first levels, each with at most 40 actions and 75 s"
        " on the level that was left, or fewer actions there than most others needed: 1 on level 1 after 35"
        " actions there, 2 on level 2 after 9 actions there (half of those who completed it needed 12 or"
        " more), 3 on level 2 after 9 actions there (half of those who completed it needed 12 or more)."
    )
    assert [left["others_needed"] for left in found.figures["left"]] == [None, 12, 12]


def test_a_person_without_norms_is_not_too_fast() -> None:
    assert response_time([active(1), active(1)], {}, LIMITS) is None
    assert cycling([left(5, 11), left(5, 11)], {}, LIMITS) is None
    assert cycling([left(5, 10), left(5, 10)], {}, LIMITS) is not None
