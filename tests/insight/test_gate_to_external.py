"""The gate to External needs a full qualification and a bound on the chance of random play."""

import pytest

from playtest.insight.services.pipeline import move
from playtest.jobs.models import JobStatus
from playtest.play.clock import now
from playtest.studio.models import Environment, Exploration, Qualification
from tests import make
from tests.insight.stages import (
    card,
    newer_version,
    played_by_the_team,
    qualify,
    ready_inside,
    record,
    search,
    tried,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def walk() -> Environment:
    return make.environment()


def test_the_gate_requires_a_full_qualification_of_the_current_version(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    played_by_the_team(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    assert card().blocks == ("It needs a full qualification.",)
    qualify(walk, full=False)
    assert card().blocks == ("It needs a full qualification.",)
    qualify(walk, passed=False)
    assert card().blocks == ("The latest full qualification did not pass.",)
    qualify(walk)
    assert card().blocks == ()
    newer_version(walk)
    assert card().blocks[0].startswith("2 of the team who do not own it have to play this version")
    assert card().blocks[1] == "It needs a full qualification."
    assert card().blocks[2].startswith("Level 2: no win is known")
    assert card().blocks[2].endswith("Also not shown to be hard enough: levels 3, 4, 5, 6.")


def test_a_qualification_by_older_checks_must_be_repeated(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    played_by_the_team(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    qualify(walk, rules=1)
    assert card().blocks == ("The full qualification passed by older rules. Qualify it again.",)
    assert walk.current is not None
    Qualification.objects.create(
        version=walk.current, seed=1, steps=1, status=JobStatus.DONE, full=True, passed=True,
        requested_at=now(),
    )  # fmt: skip
    assert card().blocks == ("The full qualification passed by older rules. Qualify it again.",)
    qualify(walk)
    assert card().blocks == ()


def test_levels_past_the_first_must_be_too_hard_for_a_random_player(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    played_by_the_team(walk)
    qualify(walk)
    record(walk)
    search(walk, 1, 1.0)
    search(walk, 2, 0.0001)
    search(walk, 3, 1.0, within=0.00009)
    tried(walk, 4, 30_000)
    search(walk, 5, 0.001, within=0.001, lower=0.001)
    assert card().blocks[0].startswith("Level 5: a random player wins it within 15 actions with a chance of")
    Exploration.objects.filter(level=5).delete()
    search(walk, 5, 0.00005)
    tried(walk, 6, 12_400)
    assert card().blocks == (
        "Level 6: no win in 12,400 tries of 15 actions: at most 2.42 in 10,000 (95 %)."
        " 17,600 more tries are needed.",
    )
    tried(walk, 6, 17_600, seed=2)
    made = move(walk, "external", None, "")
    levels = made.evidence["unguessable"]["data"]["levels"]
    assert levels["4"] == "no win in 30,000 tries of 15 actions: at most 1 in 10,000 (95 %)"
    assert "1" not in levels
