"""All effort rules together: failure and faults raise no flag, and results repeat."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import CUT_SHORT, Outcome
from playtest.rules.effort import (
    Act,
    AttemptEvidence,
    Finding,
    NormSample,
    Rule,
    Strength,
    Thresholds,
    findings,
    opens_review,
)
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
def test_notes_are_of_two_rules_and_strong_is_what_most_of_a_session_shows(
    attempts: list[AttemptEvidence],
) -> None:
    strong = {Rule.RESPONSE_TIME, Rule.LEFT_EARLY, Rule.TUTORIAL_ONLY, Rule.RANDOM, Rule.IDLE}
    for finding in found(attempts):
        assert finding.strength == Strength.NOTE or finding.rule != Rule.AWAY
        assert finding.strength != Strength.NOTE or finding.rule in {Rule.AWAY, Rule.RANDOM}
        assert finding.strength != Strength.STRONG or finding.rule in strong


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
        for number in range(1, 10)
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
    assert rules == {Rule.FAST, Rule.LEFT_EARLY}
