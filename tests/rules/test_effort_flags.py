"""All effort rules together, the norms that come from others, and the thresholds of a study."""

import math
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import CUT_SHORT, Outcome
from playtest.rules.effort import findings
from playtest.rules.effort.evidence import Act, AttemptEvidence, Finding, Rule, Strength, opens_review
from playtest.rules.effort.norms import NormSample, completed_something
from playtest.rules.effort.thresholds import Thresholds, thresholds
from tests.refusals import rule_refused
from tests.rules.effort import acts, attempt, with_a_favourite

LIMITS = Thresholds(norm_least_people=1)
PURPOSEFUL = ([4] * 6 + [2] * 5 + [3] * 6 + [1] * 5) * 5


def found(attempts: list[AttemptEvidence], limits: Thresholds = LIMITS) -> list[Finding]:
    norms = NormSample(attempts, limits).without(None)
    return findings(
        attempts, {7: norms} if norms else {}, limits, {one.attempt: one.attempt for one in attempts}
    )


@st.composite
def plays(draw: st.DrawFn) -> AttemptEvidence:
    """Any attempt at all."""
    actions = draw(st.lists(st.integers(0, 6), max_size=40))
    made, at, level = [], 0.0, 1
    for seq, action in enumerate(actions, start=1):
        at += draw(st.floats(0, 200))
        level += draw(st.booleans())
        cell = draw(st.tuples(st.integers(0, 63), st.integers(0, 63))) if action == 6 else None
        made.append(
            Act(seq, action, cell, level, draw(st.booleans()), at, at, draw(st.booleans()), 0b1111111)
        )
    return attempt(
        made,
        attempt=draw(st.integers(1, 9)),
        outcome=draw(st.sampled_from(Outcome)),
        levels_completed=level - 1,
        seconds=at + draw(st.floats(0, 200)),
        away_seconds=draw(st.floats(0, 200)),
    )


@given(st.lists(plays(), max_size=4))
def test_every_finding_has_figures_a_sentence_and_a_moment_to_watch(attempts: list[AttemptEvidence]) -> None:
    lengths = {(one.attempt, act.seq) for one in attempts for act in one.acts}
    lengths |= {(one.attempt, 0) for one in attempts}
    for finding in found(attempts):
        assert finding.figures
        assert finding.sentence.endswith(".")
        assert finding.moments
        assert set(finding.moments) <= lengths


@given(st.lists(plays(), max_size=4))
def test_notes_are_of_three_rules_or_of_who_got_far_and_strong_is_what_most_of_a_session_shows(
    attempts: list[AttemptEvidence],
) -> None:
    far = {one.attempt for one in attempts if one.outcome == Outcome.COMPLETED or one.levels_completed > 2}
    for finding in found(attempts):
        assert finding.strength == Strength.NOTE or finding.rule != Rule.AWAY
        noted = finding.rule in {Rule.AWAY, Rule.RANDOM, Rule.IDLE} or finding.attempt in far
        assert finding.strength != Strength.NOTE or noted
        assert finding.strength != Strength.STRONG or finding.rule != Rule.CYCLING


@given(st.lists(plays(), max_size=4))
def test_an_attempt_that_ended_by_a_fault_raises_nothing(attempts: list[AttemptEvidence]) -> None:
    faults = {one.attempt for one in attempts if one.outcome == Outcome.FAULT}
    others = {one.attempt for one in attempts if one.outcome != Outcome.FAULT}
    assert not {finding.attempt for finding in found(attempts)} & (faults - others)


@given(
    levels=st.integers(0, 6), outcome=st.sampled_from([Outcome.GAVE_UP, Outcome.TIMED_OUT, Outcome.CONCLUDED])
)
def test_failure_without_other_signs_is_never_a_flag(levels: int, outcome: Outcome) -> None:
    """Someone who tries everywhere and solves nothing, however far they come."""
    tried = [
        attempt(
            acts(PURPOSEFUL, apart=3.0, level=levels + 1),
            attempt=number,
            outcome=outcome,
            levels_completed=levels,
        )
        for number in range(1, 6)
    ]
    assert found(tried) == []


def waited(levels: int = 0, **facts: Any) -> AttemptEvidence:
    """Four minutes of pauses, on top of so many actions."""
    return attempt(acts([1, 2, 3] * 2, apart=100.0, level=levels + 1), levels_completed=levels, **facts)


def strong_idling(attempts: list[AttemptEvidence]) -> bool:
    limits = Thresholds(norm_least_people=99)
    return any(one.rule == Rule.IDLE and one.strength == Strength.STRONG for one in found(attempts, limits))


def test_idling_in_most_environments_is_strong_unless_more_than_the_first_levels_are_completed() -> None:
    busy = [attempt(acts(PURPOSEFUL), attempt=number) for number in (7, 8, 9)]
    assert not strong_idling([waited(attempt=1)])
    assert strong_idling([waited(attempt=1), waited(2, attempt=2)])
    assert strong_idling([waited(attempt=1), waited(attempt=2), busy[0]])
    assert not strong_idling([waited(attempt=1), waited(attempt=2), *busy[:2]])
    assert not strong_idling([waited(attempt=1), waited(3, attempt=2), waited(4, attempt=3)])
    assert not strong_idling([waited(attempt=pk, outcome=Outcome.COMPLETED) for pk in (1, 2)])


def test_pauses_beside_more_than_hardly_any_actions_are_a_note() -> None:
    pauses = [150.0 if seq % 20 == 0 else 4.0 for seq in range(1, 81)]
    made = acts(PURPOSEFUL[:80])
    paused = [act._replace(at=sum(pauses[: act.seq])) for act in made]
    others = [attempt(acts(PURPOSEFUL, apart=5.0), attempt=number) for number in (7, 8)]
    idle = found([attempt(paused, attempt=1), attempt(paused, attempt=2), *others])
    assert {one.strength for one in idle if one.rule == Rule.IDLE} == {Strength.NOTE}


@pytest.mark.parametrize("rule", [Rule.FAST, Rule.PATTERN])
def test_a_light_flag_in_most_environments_is_strong_below_the_first_levels(rule: Rule) -> None:
    light = {Rule.FAST: acts(PURPOSEFUL, apart=0.05), Rule.PATTERN: acts([1, 4, 4] * 20)}[rule]
    busy = [attempt(acts(PURPOSEFUL), attempt=number) for number in (7, 8)]

    def strengths(attempts: list[AttemptEvidence]) -> set[Strength]:
        return {one.strength for one in found(attempts) if one.rule == rule}

    assert strengths([attempt(light, attempt=1), *busy]) == {Strength.REVIEW}
    assert strengths([attempt(light, attempt=1), attempt(light, attempt=2), busy[0]]) == {Strength.STRONG}
    far = [attempt(light, attempt=pk, levels_completed=3) for pk in (1, 2)]
    assert strengths(far) <= {Strength.NOTE}


def test_light_flags_of_who_completed_an_environment_or_got_beyond_the_first_levels_are_notes() -> None:
    quick = acts(PURPOSEFUL, apart=0.05)

    def strengths(**facts: Any) -> list[Strength]:
        return [one.strength for one in found([attempt(quick, **facts)]) if one.rule == Rule.FAST]

    assert strengths(levels_completed=2) == [Strength.REVIEW]
    assert strengths(levels_completed=3) == [Strength.NOTE]
    assert strengths(outcome=Outcome.COMPLETED) == [Strength.NOTE]


def random_findings(environments: int, busy: int) -> list[Strength]:
    """What is found where so many environments are played with a favourite, among others with a purpose."""
    attempts = [attempt(with_a_favourite(3), attempt=number) for number in range(1, environments + 1)]
    attempts += [attempt(acts(PURPOSEFUL), attempt=number) for number in range(50, 50 + busy)]
    return [one.strength for one in found(attempts) if one.rule == Rule.RANDOM]


def test_a_favourite_is_a_note_in_one_environment_and_strong_in_most() -> None:
    assert random_findings(1, 0) == [Strength.NOTE]
    assert random_findings(2, 2) == [Strength.NOTE] * 2
    assert random_findings(2, 1) == [Strength.STRONG] * 2


@given(st.lists(plays(), min_size=1, max_size=4), st.data())
def test_completing_an_environment_instead_never_makes_leaving_early_of_it(
    attempts: list[AttemptEvidence], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(attempts) - 1))
    better = [*attempts]
    better[place] = replace(attempts[place], outcome=Outcome.COMPLETED)
    kinds = {Rule.LEFT_EARLY, Rule.TUTORIAL_ONLY}
    counted = attempts[place].outcome not in (*CUT_SHORT, Outcome.FAULT)
    if counted and not kinds & {one.rule for one in found(attempts)}:
        assert not kinds & {one.rule for one in found(better)}


def test_one_strong_or_two_other_findings_open_a_review_and_notes_none() -> None:
    assert opens_review([("response_time", "strong")])
    assert opens_review([("cycling", "review"), ("fast", "review")])
    assert not opens_review([("fast", "review")])
    assert not opens_review([("no_ops", "review"), ("repeats", "review")])
    assert not opens_review([("fast", "review"), ("away", "note")])
    assert not opens_review([("away", "note")])
    assert not opens_review([])


def test_rules_that_need_norms_are_skipped_without_them() -> None:
    attempts = [attempt(acts([2] * 40, apart=0.05, changed=False), attempt=number) for number in (1, 2, 3)]
    rules = {one.rule for one in findings(attempts, {}, LIMITS, {1: 1, 2: 2, 3: 3})}
    assert rules == {Rule.FAST, Rule.LEFT_EARLY, Rule.PATTERN}


@pytest.mark.parametrize(
    ("outcome", "levels", "completed"),
    [
        (Outcome.GAVE_UP, 0, False),
        (Outcome.GAVE_UP, 2, False),
        (Outcome.GAVE_UP, 3, True),
        (Outcome.TIMED_OUT, 3, True),
        (Outcome.SESSION_OVER, 1, False),
        (Outcome.COMPLETED, 1, True),
    ],
    ids=["nothing", "the first levels", "a third level", "timed out later", "cut short", "all there were"],
)
def test_something_is_an_environment_or_a_level_after_the_first(
    outcome: Outcome, levels: int, completed: bool
) -> None:
    assert completed_something(outcome, levels) == completed


def person(key: int, *actions: int, levels: int) -> AttemptEvidence:
    """So many actions on each level, of which the first `levels` were completed."""
    made = [
        act
        for level, count in enumerate(actions, start=1)
        for act in acts([1, 2] * count, level=level)[:count]
    ]
    numbered = [act._replace(seq=seq, at=2.0 * seq) for seq, act in enumerate(made, start=1)]
    return attempt(numbered, attempt=key, levels_completed=levels)


def test_actions_to_complete_are_the_lower_median_of_those_who_completed_the_level() -> None:
    people = [
        person(1, 10, 30, levels=2),
        person(2, 20, 50, levels=1),
        person(3, 40, 70, levels=2),
        person(4, 80, levels=0),
    ]
    norms = NormSample(people, LIMITS).without(None)
    assert norms is not None
    assert norms.actions_to_complete == {1: 20, 2: 30}
    assert norms.people == 4


def test_resets_are_actions_that_others_needed() -> None:
    tried_twice = attempt(acts([1, 0, 1]), levels_completed=1)
    assert tried_twice.actions_to_complete() == {1: 3}


people = st.builds(
    lambda key, counts, completed: person(key, *counts, levels=min(completed, len(counts))),
    st.integers(1, 99),
    st.lists(st.integers(1, 12), max_size=4),
    st.integers(0, 4),
)


@given(st.lists(people, max_size=6, unique_by=lambda one: one.attempt), people, st.floats(0, 5_000))
def test_nobody_changes_their_own_norms(
    others: list[AttemptEvidence], own: AttemptEvidence, seconds: float
) -> None:
    """Whatever a person did, and whether they belong to the sample at all."""
    own = replace(own, attempt=100)
    other = replace(own, acts=(), levels_completed=0, seconds=seconds)
    without = NormSample(others, LIMITS).without(100)
    assert NormSample([*others, own], LIMITS).without(100) == without
    assert NormSample([other, *others], LIMITS).without(100) == without


def test_default_thresholds_apply_without_changes() -> None:
    assert thresholds({}) == Thresholds()


def test_a_changed_threshold_leaves_the_others_unchanged() -> None:
    changed = thresholds({"no_op_share": 0.7})
    assert asdict(changed) == {**asdict(Thresholds()), "no_op_share": 0.7}


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("effort_thresholds_malformed", ["no_op_share"]),
        ("effort_thresholds_malformed", 0.7),
        ("effort_threshold_unknown", {"no_op": 0.7}),
        ("effort_threshold_invalid", {"no_op_share": 1.01}),
        ("effort_threshold_invalid", {"no_op_share": -0.01}),
        ("effort_threshold_invalid", {"no_op_share": "0.7"}),
        ("effort_threshold_invalid", {"no_op_share": True}),
        ("effort_threshold_invalid", {"no_op_share": None}),
        ("effort_threshold_invalid", {"idle_gap_seconds": math.inf}),
        ("effort_threshold_invalid", {"idle_gap_seconds": math.nan}),
        ("effort_threshold_invalid", {"cycling_actions": 10.5}),
        ("effort_threshold_invalid", {"run_percentile": 101}),
        ("effort_thresholds_crossed", {"response_strong_below": 0.95}),
    ],
)
def test_invalid_thresholds_are_refused(code: str, changes: Any) -> None:
    with rule_refused(code):
        thresholds(changes)


@pytest.mark.parametrize("changes", [{"no_op_share": 0}, {"no_op_share": 1}, {"run_percentile": 100}])
def test_the_limits_of_a_range_are_accepted(changes: dict[str, Any]) -> None:
    assert thresholds(changes) != Thresholds()
