"""An export is enough for somebody who knows docs/journal.md only to see that nothing was changed."""

import csv
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from playtest.play.journal.days import sign_days
from playtest.play.models import SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.review.services.dataset import write_dataset
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from tests import make
from tests.make import days_later
from tests.review import outside, tampering

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study(settings: Settings, tmp_path: Path) -> Study:
    """Three people's attempts, one with a fault whose message a spreadsheet would take for a formula."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    study = make.study("ck01", people=100)
    make.play(make.session(study), [(1, 1), 0, (3, 60)])
    make.play(
        make.session(study), [(5, 5)], Outcome.FAULT, fault_code="environment_raised",
        fault_message="=1/0 | ä",
    )  # fmt: skip
    make.play(make.session(study), [])
    sign_days(days_later(1))
    return study


def exported(study: Study, folder: Path) -> Path:
    write_dataset(study, folder, "csv", identified=False)
    return folder


@pytest.mark.services
def test_an_export_agrees_with_what_was_recorded_and_signed(study: Study, tmp_path: Path) -> None:
    folder = exported(study, tmp_path / "export")
    assert outside.check(folder) == []
    assert len(outside.rows(folder / "entries.csv")) == 7
    [day] = json.loads((folder / "signed_days.json").read_text())["days"]
    assert len(json.loads(day["document"])["attempts"]) == 3


def test_the_program_needs_nothing_of_the_product(study: Study, tmp_path: Path) -> None:
    folder = exported(study, tmp_path / "export")
    [day] = json.loads((folder / "signed_days.json").read_text())["days"]
    command = [sys.executable, outside.__file__, str(folder), day["public_key"]]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ran.returncode, ran.stdout) == (0, "Everything is as it was recorded and signed.\n")
    command[-1] = "00" * 32
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 1
    assert "the signature is not one of this list" in ran.stdout


CHANGED = [
    ("entries", "server_time", "2026-01-01T00:00:00.000000Z", "entry 1 is not what was recorded"),
    ("entries", "input", "touch", "entry 1 is not what was recorded"),
    ("entries", "x", "9", "entry 1 is not what was recorded"),
    ("entries", "frames_digest", "00", "entry 1 is not what was recorded"),
    ("attempts", "outcome", "completed", "the end is not what was sealed"),
    ("attempts", "first_frame_at", "", "the end is not what was sealed"),
    ("attempts", "seed", "1", "entry 0 is not what was recorded"),
    ("attempts", "seal", "00", "the list of"),
]


def test_a_changed_cell_is_found(study: Study, tmp_path: Path) -> None:
    folder = exported(study, tmp_path / "export")
    for table, column, value, finding in CHANGED:
        path = folder / f"{table}.csv"
        before, rows = path.read_bytes(), outside.rows(path)
        rows[1 if table == "entries" else 0][column] = value
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        assert any(finding in sentence for sentence in outside.check(folder)), column
        path.write_bytes(before)


def test_a_chain_computed_anew_in_the_database_differs_from_the_list(study: Study, tmp_path: Path) -> None:
    attempt = study.sessions.earliest("pk").attempts.get()
    tampering.set_entry(attempt, 1, previous_paint_ms=5)
    tampering.chain_again(attempt)
    found = outside.check(exported(study, tmp_path / "export"))
    assert [sentence.split(":")[0] for sentence in found] == [f"attempt {attempt.pk}"] * 2


def test_who_withdrew_is_in_the_lists_only(study: Study, tmp_path: Path) -> None:
    attempt = study.sessions.earliest("pk").attempts.get()
    end_session(attempt.session, SessionEnd.ENDED_BY_STAFF)
    withdraw(attempt.participant, None)
    sign_days(days_later(2))
    folder = exported(study, tmp_path / "export")
    assert outside.check(folder) == []
    days = json.loads((folder / "signed_days.json").read_text())["days"]
    assert [json.loads(day["document"])["withdrawn"] for day in days] in ([[], [attempt.pk]], [[attempt.pk]])


def test_the_command_writes_the_lists_as_an_export_has_them(study: Study, tmp_path: Path) -> None:
    out = StringIO()
    call_command("signed_days", "--json", stdout=out)
    folder = exported(study, tmp_path / "export")
    assert json.loads(out.getvalue()) == json.loads((folder / "signed_days.json").read_text())
