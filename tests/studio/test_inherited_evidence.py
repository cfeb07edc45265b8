"""A level that plays as in an earlier version keeps its evidence; another says what forces new evidence."""

from __future__ import annotations

import pytest

from engine.play.source import Source
from playtest.jobs.models import JobStatus
from playtest.play.clock import now
from playtest.rules.evidence import Standing
from playtest.studio.models import LevelComparison, RandomPlay, RecordingKind, Version
from playtest.studio.queries import evidence
from playtest.studio.services import random_plays
from playtest.studio.services.inheriting import inherits
from playtest.studio.services.random_plays import gather
from tests.engine.mazes import Rooms, maze
from tests.studio.test_explorations import stored_version
from tests.studio.versions import MADE_AT, record

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ROOMS: Rooms = {0: (1, 0, 0), 1: (2, 0, 0), 2: ("win", 0, 0)}
ELSEWHERE = "if self.level_index == 3 and index == 2: to = 1"


def recorded(version: Version) -> Version:
    record(version, RecordingKind.WIN, [1] * 18, [done // 3 for done in range(19)])
    return version


def newer(first: Version, source: Source) -> Version:
    made = Version.objects.create(
        environment=first.environment, digest=source.digest, game_id=source.game_id,
        class_name=source.class_name,
        source=source.text, metadata=source.metadata, default_fps=first.default_fps, levels=first.levels,
        available_actions=first.available_actions, imported_at=MADE_AT,
    )  # fmt: skip
    first.environment.current = made
    first.environment.save()
    return recorded(made)


@pytest.fixture(name="first")
def version_with_evidence() -> Version:
    first = recorded(stored_version(maze(ROOMS)))
    first.available_actions = [1, 2, 3]
    first.save()
    for level in range(2, 7):
        RandomPlay.objects.create(
            version=first, level=level, seed=1, number=0, budget=15, status=JobStatus.DONE,
            requested_at=now(), report={"clicks": "uniform", "tries": 30_000, "wins": []},
        )  # fmt: skip
    return first


def test_a_level_that_plays_alike_keeps_its_evidence_by_name(first: Version) -> None:
    second = newer(first, maze(ROOMS, step=ELSEWHERE))
    assert evidence.verdict(second, 2).standing == Standing.MISSING
    assert gather(second, lambda key: None, lambda key: None)
    for row in RandomPlay.objects.filter(version=second, level__in=(2, 5)):
        assert not random_plays.do_play(row.pk)
    known = evidence.verdict(second, 2)
    assert known.standing == Standing.HARD_ENOUGH
    assert f"inherited from version {first.digest[:8]}" in known.sentence
    assert {LevelComparison.objects.get(level=level).difference for level in (2, 5)} == {""}
    third = newer(second, maze(ROOMS, step=f"{ELSEWHERE}\npass"))
    assert not random_plays.do_play(random_plays.create(third, 2).pk)
    assert evidence.verdict(third, 2).standing == Standing.HARD_ENOUGH


def test_a_level_that_plays_otherwise_says_what_forces_new_evidence(first: Version) -> None:
    second = newer(first, maze(ROOMS, step=ELSEWHERE))
    assert not inherits(second, 4, lambda: None)
    found = evidence.verdict(second, 4)
    assert found.standing == Standing.MISSING
    assert f"In version {first.digest[:8]} the level plays otherwise: they differ at" in found.sentence
