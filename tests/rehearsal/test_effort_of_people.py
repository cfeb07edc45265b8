"""Effort rules flag simulated people who do not try and nobody who tries."""

from functools import cache

import pytest

from playtest.rules.effort import AttemptEvidence, Finding, NormSample, Rule, Strength, Thresholds, findings
from playtest.rules.effort import opens_review as opens
from tests.rehearsal.simulated import CARELESS, ENVIRONMENTS, careless, honest

pytestmark = pytest.mark.once

LIMITS = Thresholds()
HONEST = 12

type Sitting = list[AttemptEvidence]


@cache
def room() -> tuple[Sitting, ...]:
    """Twelve people who try and one of each type that does not, all in each other's norms."""
    who_try = [honest(number) for number in range(HONEST)]
    who_do_not = [careless(HONEST + place, behave) for place, behave in enumerate(CARELESS.values())]
    return (*who_try, *who_do_not)


def found_in(sitting: Sitting) -> list[Finding]:
    norms = {}
    for attempt in sitting:
        everyone = [one for other in room() for one in other if one.version == attempt.version]
        found = NormSample(everyone, LIMITS).without(attempt.attempt)
        assert found is not None
        norms[attempt.version] = found
    return findings(sitting, norms, LIMITS, {one.attempt: one.attempt for one in sitting})


def opens_review(sitting: Sitting) -> bool:
    return opens((finding.rule, finding.strength) for finding in found_in(sitting))


@pytest.mark.parametrize("number", range(HONEST))
def test_people_who_try_cause_no_review(number: int) -> None:
    assert not opens_review(room()[number]), found_in(room()[number])


@pytest.mark.parametrize("place", range(len(CARELESS)), ids=list(CARELESS))
def test_every_type_of_low_effort_causes_a_review(place: int) -> None:
    assert opens_review(room()[HONEST + place]), found_in(room()[HONEST + place])


def test_people_who_try_differ_in_what_they_solve() -> None:
    """Without a difference the test above would only cover people who win."""
    outcomes = {attempt.outcome for sitting in room()[:HONEST] for attempt in sitting}
    least = min(attempt.levels_completed for sitting in room()[:HONEST] for attempt in sitting)
    assert {"completed", "gave_up"} <= outcomes
    assert least <= 3


def strong(place: int) -> set[Rule]:
    return {found.rule for found in found_in(room()[HONEST + place]) if found.strength == Strength.STRONG}


def test_each_type_of_low_effort_raises_its_flag() -> None:
    known = dict(zip(CARELESS, map(strong, range(len(CARELESS))), strict=True))
    assert Rule.RESPONSE_TIME in known["hurries"]
    assert known["gives up early"] == {Rule.LEFT_EARLY}
    assert known["leaves after the tutorial"] == {Rule.TUTORIAL_ONLY}
    assert Rule.RANDOM in known["presses at random"]


def test_a_minute_on_each_environment_is_neither_fast_nor_cycling() -> None:
    """Only the rule about leaving early can find people who give up after a minute."""
    rules = {found.rule for found in found_in(room()[HONEST + list(CARELESS).index("gives up early")])}
    assert not rules & {Rule.RESPONSE_TIME, Rule.CYCLING}
    assert len({one.version for one in room()[0]}) == len(ENVIRONMENTS)
