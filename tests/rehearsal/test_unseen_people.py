"""The unseen half of the simulated people plays valid sessions, the same for the same seed."""

import pickle
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from engine.play.actions import CLICK, RESET
from playtest.rules.effort.evidence import AttemptEvidence
from playtest.rules.protocol import DEFAULT
from tools.effort_flags.kinds import SimulatedKind
from tools.effort_flags.offline import Playable, play_session, playable
from tools.effort_flags.unseen import KINDS

GAMES = Path(__file__).parents[2] / "games"
LIMITS = replace(DEFAULT.limits, session_seconds=480 + 900)
BY_NAME = {kind.name: kind for kind in KINDS}


@cache
def shipped(code: str) -> Playable:
    return playable(GAMES / code, sum(code.encode()))


@cache
def session(kind: SimulatedKind, number: int = 1) -> tuple[AttemptEvidence, ...]:
    pool = [shipped(code) for code in ("rv64", "kr68", "wz16")]
    return tuple(play_session(kind.person(number, 3), pool, LIMITS, 1, kind.play))


@pytest.mark.parametrize(
    "kind",
    [KINDS[0], *(pytest.param(one, marks=pytest.mark.long) for one in KINDS[1:])],
    ids=lambda kind: kind.name,
)
def test_a_session_is_valid_and_repeated_exactly(kind: SimulatedKind) -> None:
    attempts = session(kind)
    session.cache_clear()
    assert session(pickle.loads(pickle.dumps(kind))) == attempts
    assert session(kind, 2) != attempts
    for attempt in attempts:
        assert attempt.acts
        assert attempt.acts[-1].at <= attempt.seconds <= LIMITS.hard_seconds
        assert all(before.at < after.at for before, after in pairwise(attempt.acts))
        assert all((act.cell is not None) == (act.action == CLICK) for act in attempt.acts)
        assert all(act.offered >> act.action & 1 for act in attempt.acts)


def test_kinds_are_named_once_and_both_sorts_are_among_them() -> None:
    assert len(BY_NAME) == len(KINDS) == len({kind.label for kind in KINDS})
    assert {kind.tries for kind in KINDS} == {True, False}


@pytest.mark.long
def test_who_was_told_plays_most_levels_with_nearly_the_known_actions() -> None:
    levels = [
        (
            sum(act.level == level for act in attempt.acts),
            len(shipped(attempt.environment).solutions.of(level)),
        )
        for number in range(1, 7)
        for attempt in session(BY_NAME["was_told"], number)
        for level in range(1, attempt.levels_completed + 1)
    ]
    assert sum(made <= 1.3 * known for made, known in levels) > 0.6 * len(levels)


@pytest.mark.long
def test_who_tries_gets_on_and_begins_anew() -> None:
    for kind in KINDS:
        if kind.tries:
            attempts = [attempt for number in (1, 2) for attempt in session(kind, number)]
            assert sum(attempt.levels_completed for attempt in attempts) >= 2, kind.name
            assert any(act.action == RESET for attempt in attempts for act in attempt.acts), kind.name
