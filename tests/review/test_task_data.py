"""A study's data has a row for each submission and each edit of static tasks, and can be checked outside."""

import json
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.play.sessions import clocks
from playtest.play.sessions.attempts import end_attempt
from playtest.review.services.dataset import write_dataset
from playtest.rules.attempt import Outcome
from tests import make
from tests.make_tasks import SUBMIT, play_task, small_task
from tests.review import outside, tampering
from tests.review.task_replays import EDITS, FIRST, SECOND
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return make.study(pool=[small_task("abcde", FIRST, SECOND)], people=100)


def tables(study: Study, folder: Path) -> dict[str, pl.DataFrame]:
    write_dataset(study, folder, "parquet", identified=False)
    return {file.stem: pl.read_parquet(file) for file in folder.glob("*.parquet")}


def test_each_submission_is_a_row(study: Study, tmp_path: Path) -> None:
    attempt = play_task(make.session(study), EDITS)
    rows = tables(study, tmp_path)["submissions"].to_dicts()
    assert [row["input"] for row in rows] == [1, 1, 2]
    assert [row["number"] for row in rows] == [1, 2, 1]
    assert [row["right"] for row in rows] == [False, True, False]
    assert [row["edits"] for row in rows] == [1, 6, 5]
    assert [row["seconds"] for row in rows] == [4.0, 22.0, 32.0]
    assert json.loads(rows[1]["grid"]) == FIRST
    assert (rows[1]["height"], rows[1]["width"]) == (2, 2)
    assert {(row["attempt"], row["environment"], row["version"]) for row in rows} == {
        (attempt.pk, "abcde", attempt.version.digest)
    }


def test_each_edit_is_a_row(study: Study, tmp_path: Path) -> None:
    play_task(make.session(study), EDITS)
    found = tables(study, tmp_path)
    rows = found["edits"].to_dicts()
    assert [json.loads(row["edit"]) for row in rows] == [dict(edit) for edit in EDITS]
    assert [row["op"] for row in rows] == [edit["op"] for edit in EDITS]
    assert [row["input"] for row in rows[:5]] == [1, 1, 1, 2, 2]
    assert (rows[3]["height"], rows[3]["width"]) == (1, 1)
    assert found["entries"]["edit"].to_list() == [None, *found["edits"]["edit"].to_list()]
    assert found["attempts"]["kind"].to_list() == ["task"]


def test_level_results_are_those_of_the_pages(study: Study, tmp_path: Path) -> None:
    attempt = play_task(make.session(study), EDITS)
    rows = tables(study, tmp_path)["level_results"].to_dicts()
    bring_up_to_date(Attempt.objects.all())
    stored = LevelResult.objects.filter(attempt=attempt).order_by("level")
    assert [(row["level"], row["completed"], row["actions"], row["seconds"]) for row in rows] == [
        (one.level, one.completed, one.actions, one.seconds) for one in stored
    ]
    assert [(row["level"], row["completed"]) for row in rows] == [(1, True), (2, False)]


def test_submissions_beyond_the_tries_are_rows_that_do_not_count(tmp_path: Path) -> None:
    study = make.study(pool=[small_task("abcde", FIRST)], tries=1, most_submissions=3)
    play_task(make.session(study), [SUBMIT, SUBMIT])
    assert tables(study, tmp_path)["submissions"]["counted"].to_list() == [True, False]


def test_pauses_are_left_out_of_the_seconds(study: Study, tmp_path: Path) -> None:
    session = make.session(study)
    attempt = play_task(session, [SUBMIT], None, seconds_an_edit=100)
    began = attempt.first_frame_at
    assert began is not None
    with make.at(began + timedelta(seconds=10)):
        clocks.pause(session, staff(Role.PROCTOR), "fire alarm")
    with make.at(began + timedelta(seconds=70)):
        clocks.resume(session, staff(Role.PROCTOR))
    end_attempt(attempt.pk, Outcome.GAVE_UP, began + timedelta(seconds=110))
    assert tables(study, tmp_path)["submissions"]["seconds"].to_list() == [40.0]


def test_a_damaged_attempt_is_left_out_and_the_others_are_written(study: Study, tmp_path: Path) -> None:
    damaged = play_task(make.session(study), EDITS)
    other = play_task(make.session(study), EDITS)
    tampering.set_entry(damaged, 1, edit="{")
    found = tables(study, tmp_path)
    assert set(found["edits"]["attempt"]) == {other.pk}
    assert set(found["entries"]["attempt"]) == {damaged.pk, other.pk}


def test_the_chain_with_edits_is_checked_outside(study: Study, tmp_path: Path) -> None:
    attempt = play_task(make.session(study), EDITS)
    write_dataset(study, tmp_path / "whole", "csv", identified=False)
    assert outside.check(tmp_path / "whole") == []
    tampering.set_entry(Attempt.objects.get(pk=attempt.pk), 1, edit='{"op":"clear"}', action=5)
    write_dataset(study, tmp_path / "changed", "csv", identified=False)
    assert outside.check(tmp_path / "changed") == [f"attempt {attempt.pk}: entry 1 is not what was recorded"]
