"""A static study as a data package: its program finds the figures, flags and chain again, from it alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from playtest.insight.package.write import write_package
from playtest.people.roles import Role
from playtest.play.models import Attempt, Session, Study
from playtest.play.sessions.going_back import finish, set_aside, take_up
from playtest.review.models import DecisionKind
from playtest.review.services.effort import assess
from tests import sittings
from tests.insight.test_package import polars_alone as polars_alone
from tests.insight.test_package import recomputed
from tests.review.cases import settled
from tests.staff import staff
from tests.task_sittings import SUBMIT, play_task, small_task, submitted

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FIRST, SECOND = [[1, 2], [3, 0]], [[4, 4, 4]]
BOTH = [*submitted(FIRST), *submitted(SECOND)]
AT_THE_SECOND = [*submitted([[5]]), *submitted(FIRST), *submitted([[5]]), *submitted(SECOND)]
TRIED = [*submitted([[5]]), *submitted([[6]]), *submitted([[7]]), *submitted([[8]])]


@pytest.fixture
def study() -> Study:
    """People who solved all, some, nothing, who only looked, whose view was too short, who are excluded, who
    went back and forth.
    """
    pool = [small_task("abcde", FIRST, SECOND), small_task("fghij", FIRST, SECOND)]
    study = sittings.study(pool=pool, people=100)
    for edits in (BOTH, AT_THE_SECOND, submitted(FIRST), TRIED, [SUBMIT, SUBMIT], []):
        session = sittings.sit_down(study)
        for _ in pool:
            play_task(session, edits, seconds_after=30)
    play_task(sittings.sit_down(study), [], seconds_after=4)
    excluded = sittings.sit_down(study)
    play_task(excluded, BOTH)
    settled(excluded, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    play_task(sittings.sit_down(study), BOTH[:2], None)
    wanderer = sittings.sit_down(study)
    for _ in pool:
        set_aside(play_task(wanderer, [], None).pk)
    for number in (1, 2, 1):
        take_up(wanderer.pk, number)
        set_aside(Attempt.objects.get(session=wanderer, number=number).pk)
    finish(wanderer.pk)
    assess(Session.objects.filter(study=study).select_related("study", "protocol"))
    return study


@pytest.fixture
def package(study: Study, tmp_path: Path) -> Path:
    write_package(study, tmp_path / "package", identified=False)
    return tmp_path / "package"


def test_the_figures_of_a_static_study_are_found_again(package: Path, polars_alone: Path) -> None:
    done = recomputed(package, polars_alone)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    figures = json.loads((package / "published.json").read_text())
    tasks = figures["tasks"]
    assert (tasks["people"], tasks["attempts"], tasks["solved_tasks"], tasks["solved_pairs"]) == (
        6,
        12,
        4,
        10,
    )
    assert {(row["environment"], row["input"], row["people"], row["solved"]) for row in tasks["pairs"]} == {
        (code, number, 6, 3 if number == 1 else 2) for code in ("abcde", "fghij") for number in (1, 2)
    }
    assert all(row["solved_at_first"] == row["solved"] - 1 for row in tasks["pairs"])
    rules = {rule for _, _, rule, _ in figures["flags"]}
    assert rules == {"unedited_tasks", "repeated_submissions", "empty_submissions", "idle_returns"}


def test_recordings_are_of_environments_alone(package: Path) -> None:
    assert list((package / "recordings").iterdir()) == []
    assert Attempt.objects.exists()


def _published(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def changed(package: Path) -> None:
        file = package / "published.json"
        figures = json.loads(file.read_text())
        change(figures)
        file.write_text(json.dumps(figures))

    return changed


def _table(name: str, column: str, value: Any) -> Callable[[Path], None]:
    def changed(package: Path) -> None:
        file = package / "parquet" / f"{name}.parquet"
        table = pl.read_parquet(file).with_row_index("row")
        found = table.filter(pl.col(column).is_not_null() & (pl.col(column) != value))["row"][0]
        here = pl.when(pl.col("row") == found).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
        table.with_columns(here).drop("row").write_parquet(file)

    return changed


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_published(lambda figures: figures["tasks"].update(solved_pairs=11)), "tasks, solved_pairs: 10"),
        (_published(lambda figures: figures["tasks"]["pairs"].pop()), "pair fghij"),
        (_published(lambda figures: figures["flags"].pop()), "is only computed"),
        (_table("submissions", "right", value=True), "the journal says otherwise what it solved"),
        (_table("submissions", "number", 7), "its number is not that of the journal"),
        (_table("entries", "edit", '{"op":"clear"}'), "is not what was recorded"),
        (_table("attempts", "outcome", "completed"), "its end is not what was sealed"),
        (_table("attempts", "counted", value=False), "counted is not what the protocol says"),
    ],
)
def test_what_is_changed_is_named(
    package: Path, polars_alone: Path, change: Callable[[Path], None], said: str
) -> None:
    change(package)
    done = recomputed(package, polars_alone)
    assert (done.returncode, done.stderr) == (1, "")
    assert said in done.stdout


def test_the_public_variant_has_the_figures_without_chain_and_flags(
    study: Study, tmp_path: Path, polars_alone: Path
) -> None:
    write_package(study, tmp_path / "public", identified=False, public=True)
    done = recomputed(tmp_path / "public", polars_alone)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert not (tmp_path / "public" / "recompute_chain.py").exists()
