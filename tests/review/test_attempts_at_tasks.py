"""Static tasks in replays, verification and data."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse

from engine.tasks.edits import KINDS
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions import clocks
from playtest.play.sessions.attempts import end_attempt
from playtest.review.attempt_film import Film, FilmOptions
from playtest.review.journal_document import end_document, journal_document
from playtest.review.official_recording import recording_lines
from playtest.review.record_check import Verification
from playtest.review.recording_document import winning_document
from playtest.review.services.dataset import write_dataset
from playtest.review.services.verification import check_record, verify_one
from playtest.rules.attempt import Outcome
from playtest.rules.labels import edit_label
from playtest.studio.models import Environment, Sighting, SightingKind
from tests import make
from tests.make_tasks import SUBMIT, play_task, small_task, submitted
from tests.review import outside, tampering
from tests.review.task_replays import EDITS, FIRST, SECOND, task_attempt
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


PAINT: dict[str, Any] = {"op": "paint", "colour": 3, "cells": [0, 31]}
SOLUTIONS = [[[1, 2], [3, 0]], [[4]]]
DRAWN = [PAINT, SUBMIT, *submitted(SOLUTIONS[0]), {"op": "copy_input"}, {"op": "undo"}]


def played(**changes: Any) -> Attempt:
    campaign = make.study(pool=[small_task("abcde", *SOLUTIONS)], **changes)
    return play_task(make.session(campaign), DRAWN)


def check(attempt: Attempt) -> Verification:
    return async_to_sync(verify_one)(attempt.pk)


def codes(attempt: Attempt) -> list[tuple[int, str]]:
    return [(one.seq, one.code) for one in check(attempt).differences]


def test_edits_replay_exactly() -> None:
    found = check(played())
    assert (found.entries, found.differences) == (len(DRAWN) + 1, ())


def test_a_protocol_with_other_tries_is_replayed_by_its_own_rule() -> None:
    attempt = played(tries=3, most_submissions=3)
    assert check(attempt).differences == ()
    assert attempt.actions == len(DRAWN)


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"edit": '{"op":"paint","colour":4,"cells":[0,31]}'}, "differs"),
        ({"edit": '{"op":"explode"}'}, "edit_unknown"),
        ({"edit": "{"}, "edit_malformed"),
        ({"edit": '{"op":"fill","colour":1,"cell":899}', "action": 3}, "edit_impossible"),
        ({"edit": None}, "action_unavailable"),
        ({"state_hash": b"12345678"}, "differs"),
    ],
)
def test_a_damaged_edit_is_named_with_a_code(columns: dict[str, Any], code: str) -> None:
    attempt = played()
    tampering.set_entry(attempt, 1, **columns)
    assert set(codes(attempt)) == {(1, code), (1, "chain_broken")}
    [by_record] = check_record([attempt.pk])
    assert [(one.seq, one.code) for one in by_record.differences] == [(1, "chain_broken")]


def test_a_changed_edit_with_a_chain_computed_anew_is_found_by_the_replay() -> None:
    attempt = played()
    tampering.set_entry(attempt, 1, edit='{"op":"paint","colour":4,"cells":[0,31]}')
    tampering.chain_again(attempt)
    assert (1, "differs") in codes(attempt)
    assert (1, "chain_broken") not in codes(attempt)


def test_a_damaged_task_is_a_difference() -> None:
    attempt = played()
    tampering.execute("UPDATE studio_version SET source = '{' WHERE id = %s", attempt.version_id)
    assert {code for _, code in codes(attempt)} == {"task_damaged", "source_changed"}


def test_an_attempt_that_its_last_submission_ended_agrees() -> None:
    campaign = make.study(pool=[small_task("abcde", [[1]])])
    attempt = play_task(make.session(campaign), [SUBMIT, SUBMIT], seconds_an_edit=4, seconds_after=0)
    assert (attempt.outcome, check(attempt).differences) == ("tries_used", ())
    assert attempt.ended_at is not None
    assert attempt.first_frame_at is not None
    assert attempt.ended_at - attempt.first_frame_at == timedelta(seconds=8)


LABELS: dict[str, tuple[dict[str, Any], str]] = {
    "resize": ({"op": "resize", "height": 2, "width": 5}, "resized to 2 by 5"),
    "paint": ({"op": "paint", "colour": 2, "cells": [0, 31]}, "painted 2 cells red"),
    "fill": ({"op": "fill", "colour": 8, "cell": 0}, "filled with azure"),
    "copy_input": ({"op": "copy_input"}, "copied the input"),
    "clear": ({"op": "clear"}, "cleared the grid"),
    "paste": (
        {"op": "paste", "from": "demo_output", "pair": 2, "rect": [0, 0, 2, 3], "cell": 0},
        "pasted 2 by 3 from the output of demonstration 2",
    ),
    "undo": ({"op": "undo"}, "undid an edit"),
    "redo": ({"op": "redo"}, "redid an edit"),
    "open": ({"op": "open", "input": 2}, "opened test input 2"),
    "submit": ({"op": "submit"}, "submitted"),
}


def test_each_edit_is_named() -> None:
    assert list(LABELS) == list(KINDS)
    for edit, label in LABELS.values():
        assert edit_label(edit) == label
    assert edit_label({"op": "paint", "colour": 0, "cells": [4]}) == "painted 1 cell black"


def test_the_journal_says_what_was_edited_opened_and_submitted() -> None:
    document = journal_document(task_attempt())
    entries = document["entries"]
    assert [entry["edit"] for entry in entries[1:]] == [dict(edit) for edit in EDITS]
    assert entries[0]["edit"] is None
    assert entries[1]["label"] == "painted 3 cells red"
    shown = "".join(str(entry["opened"]) for entry in entries)
    assert shown == "111221" + "11111" + "2" * 6
    submissions = [(entry["level"], entry["submission"]) for entry in entries if entry["submission"]]
    assert submissions == [
        (1, {"number": 1, "right": False, "counted": True}),
        (1, {"number": 2, "right": True, "counted": True}),
        (2, {"number": 1, "right": False, "counted": True}),
    ]


def test_a_submission_beyond_the_tries_is_not_counted() -> None:
    attempt = task_attempt(tries=1, most_submissions=3)
    made = [entry["submission"] for entry in journal_document(attempt)["entries"] if entry["submission"]]
    assert [(one["number"], one["counted"]) for one in made] == [(1, True), (2, False), (1, True)]


def test_no_solution_is_in_the_journal_or_the_page() -> None:
    attempt = task_attempt()
    client = signed_in(Role.DESIGNER)
    for name in ("attempt", "journal"):
        text = client.get(reverse(f"review:{name}", args=[attempt.pk])).content.decode()
        assert json.dumps(SECOND, separators=(",", ":")) not in text.replace(" ", "")
        assert json.dumps(SECOND[0], separators=(",", ":")) not in text.replace(" ", "")


def test_the_owner_may_ask_for_the_solution_which_is_recorded_and_no_other_designer() -> None:
    attempt = task_attempt()
    address = reverse("review:solution", args=[attempt.pk])
    designer, researcher = signed_in(Role.DESIGNER), signed_in(Role.RESEARCHER)
    assert address not in designer.get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    assert designer.get(address).status_code == 403
    Environment.objects.filter(pk=attempt.environment_id).update(owner=staff(Role.DESIGNER))
    assert address in designer.get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    assert address not in researcher.get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    assert researcher.get(address).status_code == 403
    sightings = Sighting.objects.filter(environment=attempt.environment, kind=SightingKind.SOURCE)
    assert not sightings.exists()
    assert designer.get(address).json()["outputs"][1] == SECOND
    assert sightings.get().staff == staff(Role.DESIGNER)


def test_what_only_an_environment_has_is_refused() -> None:
    attempt = task_attempt()
    for ask in (
        lambda: list(recording_lines(attempt)),
        lambda: end_document(attempt, 1),
        lambda: winning_document(attempt.version),
    ):
        with pytest.raises(Refusal):
            ask()
    page = signed_in(Role.RESEARCHER).get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    assert reverse("review:recording", args=[attempt.pk]) not in page
    assert "1 of 2 test inputs solved" in page


def captions(attempt: Attempt) -> list[str]:
    return [still.caption for still in Film(attempt, FilmOptions(captions=True)).stills()]


def test_a_film_names_test_inputs_and_edits() -> None:
    found = captions(task_attempt())
    assert found[0] == "Test input 1 of 2"
    assert "Test input 1 of 2   edit 1: painted 3 cells red" in found


@pytest.mark.parametrize("edit", ["{", '{"op":"fill","colour":1,"cell":899}'])
def test_a_damaged_edit_is_said_on_the_page(edit: str) -> None:
    attempt = task_attempt()
    tampering.set_entry(attempt, 1, edit=edit, action=3)
    answer = signed_in(Role.RESEARCHER).get(reverse("review:journal", args=[attempt.pk]))
    assert (answer.status_code, answer.json()["code"]) == (409, "record_damaged")


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
        clocks.change(session, staff(Role.PROCTOR), clocks.pausing("fire alarm"))
    with make.at(began + timedelta(seconds=70)):
        clocks.change(session, staff(Role.PROCTOR), clocks.resuming())
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
