"""Stores the evidence that the gates of the pipeline read, without running jobs."""

from datetime import timedelta

from engine.prove.qualification.plan import RULES
from playtest.insight.pages.board.board import Card, board
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.rules.pipeline import Need
from playtest.studio.models import (
    Environment,
    Exploration,
    Qualification,
    RandomPlay,
    Recording,
    RecordingKind,
    Version,
)
from playtest.studio.services.waivers import waive
from tests import make
from tests.live.games import WALK
from tests.staff import staff

NOTE = """**Goal.** Walk to the goal.

**Controls.** Directions.

**Mechanics, in the order they appear**
1. Walls.

**What each level asks for**

| level | fewest | insight |
| --- | --- | --- |
| 1 | 3 | walking |
"""


def card() -> Card:
    (found,) = [card for column in board() for card in column.cards]
    return found


def ready_inside(walk: Environment) -> None:
    """Stores all that the move from Specification to Internal needs."""
    walk.note, walk.owner = NOTE, staff(Role.DESIGNER)
    walk.save()
    waive(walk, Need.CARD, "It is a test.", None)


def played_by_the_team(walk: Environment) -> None:
    """Two others than the owner complete a level of the current version."""
    assert walk.current is not None
    for role in (Role.LEAD, Role.ENGINEER):
        make.play_internally(walk.current, staff(role), WALK[:3])


def qualify(walk: Environment, *, full: bool = True, passed: bool = True, rules: int = RULES) -> None:
    assert walk.current is not None
    Qualification.objects.create(
        version=walk.current,
        seed=1,
        steps=1,
        status=JobStatus.DONE,
        full=full,
        passed=passed,
        report={"rules": rules},
        requested_at=now(),
    )


def record(walk: Environment) -> None:
    """Stores a recording that wins each level in three moves."""
    assert walk.current is not None
    Recording.objects.create(
        version=walk.current,
        kind=RecordingKind.WIN,
        name="win",
        actions=[[act, None, None] for act in WALK],
        levels_completed=[done // 3 for done in range(len(WALK) + 1)],
        made_at=now(),
    )


def search(
    walk: Environment,
    level: int,
    upper: float,
    *,
    fully: bool = True,
    within: float = 1.0,
    lower: float = 0.0,
    budget: int = 15,
) -> None:
    assert walk.current is not None
    report = {
        "nodes": 20,
        "fully_explored": fully,
        "stopped_by": None if fully else "nodes",
        "p_win": {"lower": 0.0, "upper": upper, "exact": None},
        "p_win_within": {"steps": budget, "lower": lower, "upper": within, "exact": None},
    }
    Exploration.objects.create(
        version=walk.current, seed=1, level=level, status=JobStatus.DONE, report=report, requested_at=now()
    )


def tried(walk: Environment, level: int, tries: int, *, seed: int = 1, budget: int = 15) -> None:
    assert walk.current is not None
    RandomPlay.objects.create(
        version=walk.current,
        level=level,
        seed=seed,
        number=0,
        budget=budget,
        status=JobStatus.DONE,
        report={"tries": tries, "wins": []},
        requested_at=now(),
    )


def newer_version(walk: Environment) -> Version:
    """Creates another version and makes it current."""
    assert walk.current_id is not None
    newer = Version.objects.get(pk=walk.current_id)
    newer.pk, newer.digest, newer.imported_at = None, "e" * 64, now() + timedelta(seconds=1)
    newer.source += "\n# newer\n"
    newer.save()
    Environment.objects.filter(pk=walk.pk).update(current=newer)
    return newer
