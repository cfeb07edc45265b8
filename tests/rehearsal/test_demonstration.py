"""The demonstrations as they are shipped: people who play like people, and references of their counts."""

import json
import zipfile
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.conf import settings

from engine.play import source as sources
from playtest.arena.models import BoardEntry
from playtest.arena.scores.baselines import simulated_references
from playtest.insight.pages.baseline.report import baseline_report
from playtest.insight.paper.package.importing import import_package
from playtest.insight.scope import EVERYONE, Scope
from playtest.people.roles import Role
from playtest.play.models import Attempt, Session
from playtest.play.models.study import Study
from playtest.rehearsal.demonstration import ALL, INTERACTIVE, REFERENCE, TASKS, load
from playtest.rehearsal.demonstration_agents import FILE, load_agents
from playtest.review.services.verification import check_record
from playtest.studio.models import Environment
from playtest.studio.services import load_environments
from playtest.studio.services.tasks import load_tasks
from tests import make
from tests.staff import signed_in

GAMES = Path(settings.BASE_DIR) / "games"
MOST_BYTES = 3_000_000
MOST_WON, MOST_FEWEST = 0.42, 0.05

pytestmark = pytest.mark.once


def table(name: str) -> pl.DataFrame:
    """A table of the interactive demonstration."""
    with zipfile.ZipFile(INTERACTIVE.path) as packed:
        return pl.read_parquet(BytesIO(packed.read(f"{INTERACTIVE.name}/parquet/{name}.parquet")))


def fewest(code: str) -> dict[int, int]:
    """The actions of the shortest recording, by level from 1."""
    lines = (GAMES / code / "recordings" / "shortest.jsonl").read_text().splitlines()
    completed = [json.loads(line)["data"]["levels_completed"] for line in lines]
    return Counter(before + 1 for before in completed[:-1])


def test_they_are_small_and_of_what_is_shipped_today() -> None:
    assert sum(file.stat().st_size for file in settings.DEMONSTRATION_DIR.iterdir()) < MOST_BYTES
    played = dict(table("attempts").select("environment", "version").unique().rows())
    shipped = {folder.name: sources.load(folder).digest for folder in sorted(GAMES.glob("????"))}
    assert played == shipped, "an environment was changed: make demonstration records it again"
    references = json.loads((settings.DEMONSTRATION_DIR / REFERENCE).read_text())
    assert {one["environment"]: one["version"] for one in references} == shipped


def test_simulated_people_play_like_people() -> None:
    attempts = table("attempts").filter("counted")
    won = attempts["outcome"] == "completed"
    assert 0.25 < won.mean() <= MOST_WON  # type: ignore[operator]
    lost, of_won = (attempts.filter(one)["seconds"].median() for one in (~won, won))
    assert 120 < lost < of_won < 1200  # type: ignore[operator]
    assert {"gave_up", "completed"} < set(attempts["outcome"])
    flagged = table("flags").filter(pl.col("strength") == "strong")["session"].n_unique()
    assert 2 <= flagged <= 4, "four of fourteen do not try, or not all the time"


def test_few_completions_past_the_first_level_equal_the_fewest_known() -> None:
    known = {folder.name: fewest(folder.name) for folder in GAMES.glob("????")}
    completed = table("level_results").filter("completed", pl.col("level") > 1)
    rows = completed.join(table("attempts"), on="attempt").select("environment", "level", "actions").rows()
    equal = [actions <= known[code][level] for code, level, actions in rows]
    assert len(equal) > 150
    assert sum(equal) / len(equal) < MOST_FEWEST
    ratios = pl.Series([actions / known[code][level] for code, level, actions in rows])
    assert 1.5 < ratios.median() < 3  # type: ignore[operator]


def test_they_look_around_and_take_fewer_actions_with_skill_and_practice() -> None:
    entries = table("entries").filter(pl.col("seq").is_between(1, 4)).sort("attempt", "seq")
    openings = entries.group_by("attempt").agg("action", "x", "y").join(table("attempts"), on="attempt")
    of_one = openings.group_by("environment").agg(pl.struct("action", "x", "y").n_unique(), pl.len())
    assert (of_one["action"] > of_one["len"] / 2).all(), "not all of them open alike"


@pytest.fixture(scope="module")
def loaded(module_db: None) -> list[Study]:
    """The studies in an installation that has the shipped environments and tasks."""
    load_environments(GAMES, with_recordings=False)
    load_tasks(GAMES / "tasks")
    return load(*ALL)


@pytest.mark.django_db
def test_those_of_tasks_are_a_rehearsal_of_simulated_people() -> None:
    """The short form of what follows: environments are loaded and played again in the long one."""
    load_tasks(GAMES / "tasks")
    [study] = load(TASKS)
    people = Session.objects.filter(study=study, participant__simulated=True)
    assert (study.name, study.rehearsal, study.open, people.count()) == (
        TASKS.name,
        True,
        False,
        TASKS.people,
    )


@pytest.mark.long
@pytest.mark.django_db
def test_a_new_installation_has_them_as_rehearsals_of_simulated_people(loaded: list[Study]) -> None:
    assert [study.name for study in loaded] == [one.name for one in ALL]
    assert all(study.rehearsal and not study.open for study in loaded)
    sessions = Session.objects.filter(study__in=loaded)
    assert sessions.count() == sum(one.people for one in ALL)
    assert not sessions.filter(participant__simulated=False).exists()
    assert not EVERYONE.attempts.exists()
    attempt = Attempt.objects.filter(session__in=sessions, outcome="completed").order_by("pk")[0]
    [verified] = check_record([attempt.pk])
    assert not verified.differences
    again = import_package(INTERACTIVE.path)
    assert (again.new, again.differences) == (0, ())
    watched = signed_in(Role.RESEARCHER).get(f"/staff/attempts/{attempt.pk}/")
    assert watched.status_code == 200


@pytest.mark.long
@pytest.mark.django_db
def test_the_simulated_reference_is_what_the_demonstration_says_today(loaded: list[Study]) -> None:
    expected = {}
    for environment in Environment.objects.filter(kind=INTERACTIVE.kind).select_related("current"):
        assert environment.current is not None
        levels = [one.baseline for one in baseline_report(environment.current, Scope(loaded[0])).levels]
        if all(level.completers for level in levels):
            expected[environment.current.digest] = tuple(level.upper_median for level in levels)
        assert not any(one.baseline.completers for one in baseline_report(environment.current).levels)
    assert len(expected) == 12
    assert simulated_references() == expected


@pytest.mark.django_db
def test_reference_agents_play_again_what_is_still_here(tmp_path: Path, settings: Any) -> None:
    settings.DEMONSTRATION_DIR = tmp_path
    here = make.environment()
    assert here.current is not None
    Environment.objects.update(release_set="public")
    common = {"agent": "random", "settings": {"seed": 0}, "environment": "wk01"}
    known = {"version": here.current.digest, "actions": "4 4 3 4"}
    runs = [common | known, common | {"version": "0" * 64, "actions": "1"}]
    (tmp_path / FILE).write_text(json.dumps(runs))
    assert load_agents() == 1
    entry = BoardEntry.objects.get()
    assert entry.agent == "Random (reference agent of the demonstration)"
    assert entry.card.key.revoked_at is not None
    attempt = Attempt.objects.get(version=here.current)
    assert (attempt.is_run, attempt.actions) == (True, 4)
    [verified] = check_record([attempt.pk])
    assert not verified.differences
    assert load_agents() == 0, "an arena that is used gets none"
