"""Who does not try is asked about, who tries is not: simulated people on the shipped environments."""

from functools import cache

import pytest

from playtest.rules.effort import AttemptEvidence, Finding, NormSample, Rule, Strength, Thresholds, findings
from playtest.rules.effort import opens_review as opens
from tests.rehearsal.simulated import CARELESS, ENVIRONMENTS, careless, honest

LIMITS = Thresholds()
HONEST = 12

type Sitting = list[AttemptEvidence]


@cache
def room() -> tuple[Sitting, ...]:
    """Twelve who try and one of each kind that does not: everybody is in everybody else's norms."""
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
def test_who_tries_opens_no_review(number: int) -> None:
    assert not opens_review(room()[number]), found_in(room()[number])


@pytest.mark.parametrize("place", range(len(CARELESS)), ids=list(CARELESS))
def test_every_kind_of_low_effort_opens_a_review(place: int) -> None:
    assert opens_review(room()[HONEST + place]), found_in(room()[HONEST + place])


def test_the_honest_differ_some_solve_and_some_give_up() -> None:
    """Else the test above would only say that winners are not flagged."""
    outcomes = {attempt.outcome for sitting in room()[:HONEST] for attempt in sitting}
    least = min(attempt.levels_completed for sitting in room()[:HONEST] for attempt in sitting)
    assert {"completed", "gave_up"} <= outcomes
    assert least <= 3


def strong(place: int) -> set[Rule]:
    return {found.rule for found in found_in(room()[HONEST + place]) if found.strength == Strength.STRONG}


def test_what_each_kind_is_known_by() -> None:
    known = dict(zip(CARELESS, map(strong, range(len(CARELESS))), strict=True))
    assert Rule.RESPONSE_TIME in known["hurries"]
    assert known["gives up early"] == {Rule.LEFT_EARLY}
    assert known["leaves after the tutorial"] == {Rule.TUTORIAL_ONLY}
    assert Rule.RANDOM in known["presses at random"]


def test_a_minute_on_each_is_not_too_fast_nor_cycling() -> None:
    """So only the rule about leaving early can find who gives everything up after a minute."""
    rules = {found.rule for found in found_in(room()[HONEST + list(CARELESS).index("gives up early")])}
    assert not rules & {Rule.RESPONSE_TIME, Rule.CYCLING}
    assert len({one.version for one in room()[0]}) == len(ENVIRONMENTS)
