"""Sessions played without a server follow the protocol's limits and give the evidence of a real one."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.population import BY_NAME, GROUPS
from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import AttemptEvidence
from playtest.rules.limits import Limits
from playtest.rules.protocol import DEFAULT
from tools.effort_flags.offline import Playable, play_session, playable

pytestmark = pytest.mark.once

GAMES = Path(__file__).parents[2] / "games"
LIMITS = replace(DEFAULT.limits, soft_seconds=300, hard_seconds=450)
"""Shorter than the protocol's: how people play does not depend on them."""
SEED = 2
OF_EACH_KIND = [*{group.kind: group.name for group in GROUPS}.values()]


@cache
def pool() -> tuple[Playable, ...]:
    return playable(GAMES / "ws72", 1), playable(GAMES / "tb46", 2)


def session(name: str, number: int = 1, limits: Limits = LIMITS) -> list[AttemptEvidence]:
    return play_session(BY_NAME[name].person(number, SEED), pool(), limits, 100)


@pytest.mark.parametrize(
    "group", [*OF_EACH_KIND[:3], *(pytest.param(name, marks=pytest.mark.long) for name in OF_EACH_KIND[3:])]
)
def test_a_session_is_repeated_exactly_and_its_evidence_is_in_order(group: str) -> None:
    attempts = session(group)
    assert attempts == session(group)
    assert [attempt.attempt for attempt in attempts] == [100, 101][: len(attempts)]
    assert len({attempt.environment for attempt in attempts}) == len(attempts)
    for attempt in attempts:
        assert [act.seq for act in attempt.acts] == list(range(1, len(attempt.acts) + 1))
        assert all(before.at < after.at for before, after in pairwise(attempt.acts))
        assert not attempt.acts or attempt.acts[-1].at <= attempt.seconds <= LIMITS.hard_seconds
        assert attempt.away_seconds <= attempt.seconds


def test_the_order_of_environments_differs_between_people() -> None:
    orders = {tuple(one.environment for one in session("cycler", number)) for number in range(1, 12)}
    assert len(orders) == 2


def test_who_wins_has_the_levels_of_the_recording() -> None:
    attempts = session("good", limits=DEFAULT.limits)
    assert {attempt.outcome for attempt in attempts} == {Outcome.COMPLETED}
    assert [attempt.levels_completed for attempt in attempts] == [
        len(next(one for one in pool() if one.code == attempt.environment).solutions.levels)
        for attempt in attempts
    ]


def test_the_hard_limit_ends_an_attempt_and_the_sessions_end_another() -> None:
    short = replace(LIMITS, soft_seconds=40, hard_seconds=60)
    [first, second] = session("slow", limits=short)
    assert {first.outcome, second.outcome} <= {Outcome.TIMED_OUT, Outcome.CONCLUDED}
    assert max(first.seconds, second.seconds) == pytest.approx(60)
    [only] = session("slow", limits=replace(LIMITS, session_seconds=560))
    assert only.outcome == Outcome.SESSION_OVER
    assert only.seconds < 80


def test_who_is_late_plays_nothing() -> None:
    assert session("slow", limits=replace(LIMITS, session_seconds=400)) == []


def test_who_leaves_the_room_does_not_come_back() -> None:
    people = (Person(number, 1, Kind.QUITTER) for number in range(1, 60))
    sessions = [play_session(person, pool(), LIMITS, 1) for person in people]
    [left, *_] = [one for one in sessions if len(one) == 1]
    assert (left[0].outcome, left[0].seconds) == (Outcome.TIMED_OUT, LIMITS.hard_seconds)
