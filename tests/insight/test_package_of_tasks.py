"""A static study as a data package: its program finds success, who counts and the chain again."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from playtest.insight.paper.package.write import write_package
from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.play.sessions.going_back import finish, set_aside, take_up
from playtest.review.models import DecisionKind
from tests import make
from tests.insight.test_package import package as package
from tests.insight.test_package import polars_alone as polars_alone
from tests.insight.test_package import recomputed
from tests.insight.test_package import written as written
from tests.make_tasks import SUBMIT, play_task, small_task, submitted
from tests.review.cases import settled
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FIRST, SECOND = [[1, 2], [3, 0]], [[4, 4, 4]]
BOTH = [*submitted(FIRST), *submitted(SECOND)]
AT_THE_SECOND = [*submitted([[5]]), *submitted(FIRST), *submitted([[5]]), *submitted(SECOND)]
TRIED = [*submitted([[5]]), *submitted([[6]]), *submitted([[7]]), *submitted([[8]])]


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    """People who solved all, some, nothing, who only looked, whose view was too short, who are excluded, who
    went back and forth.
    """
    pool = [small_task("abcde", FIRST, SECOND), small_task("fghij", FIRST, SECOND)]
    study = make.study(pool=pool, people=100)
    for edits in (BOTH, AT_THE_SECOND, submitted(FIRST), TRIED, [SUBMIT, SUBMIT], []):
        session = make.session(study)
        for _ in pool:
            play_task(session, edits, seconds_after=30)
    play_task(make.session(study), [], seconds_after=4)
    excluded = make.session(study)
    play_task(excluded, BOTH)
    settled(excluded, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    play_task(make.session(study), BOTH[:2], None)
    wanderer = make.session(study)
    for _ in pool:
        set_aside(play_task(wanderer, [], None).pk)
    for number in (1, 2, 1):
        take_up(wanderer.pk, number)
        set_aside(Attempt.objects.get(session=wanderer, number=number).pk)
    finish(wanderer.pk)
    return study


def test_the_figures_of_a_static_study_are_found_again(package: Path, polars_alone: Path) -> None:
    done = recomputed(package, polars_alone)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    figures = json.loads((package / "published.json").read_text())
    assert figures["baselines"] == []
    assert figures["success"] == [
        {"environment": code, "people": 6, "solved": 2} for code in ("abcde", "fghij")
    ]


def test_recordings_are_of_environments_alone(package: Path) -> None:
    assert list((package / "recordings").iterdir()) == []
    assert Attempt.objects.exists()


def _change(package: Path, name: str, column: str, value: Any, row: int) -> None:
    """Writes another value into the row-th of those that have one."""
    file = package / "parquet" / f"{name}.parquet"
    table = pl.read_parquet(file).with_row_index("row")
    found = table.filter(pl.col(column).is_not_null() & (pl.col(column) != value))["row"][row]
    here = pl.when(pl.col("row") == found).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    table.with_columns(here).drop("row").write_parquet(file)


def test_what_is_changed_is_named(package: Path, polars_alone: Path) -> None:
    _change(package, "entries", "edit", '{"op":"clear"}', 0)
    _change(package, "attempts", "outcome", "completed", 1)
    _change(package, "attempts", "counted", value=False, row=2)
    done = recomputed(package, polars_alone)
    assert (done.returncode, done.stderr) == (1, "")
    for said in (
        "is not what was recorded",
        "its end is not what was sealed",
        "counted is not what the protocol says",
    ):
        assert said in done.stdout


def test_the_public_variant_has_the_figures_without_the_chain(
    study: Study, tmp_path: Path, polars_alone: Path
) -> None:
    write_package(make.closed(study), tmp_path / "public", identified=False, public=True)
    done = recomputed(tmp_path / "public", polars_alone)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert not (tmp_path / "public" / "recompute_chain.py").exists()
