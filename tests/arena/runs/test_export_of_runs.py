"""A run is played without a session, and its files can be checked."""

import json
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

import polars as pl
import pytest
import yaml
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine.play.recording import read
from playtest.arena.models import Run, Scorecard
from playtest.arena.runs import export_files
from playtest.people.roles import Role
from playtest.play.models import AgentNote, Attempt, Entry, Event, EventKind
from playtest.review.codebook import ATTEMPTS, ENTRIES, LEVEL_RESULTS, OF_LEVELS
from playtest.review.models import Export
from playtest.review.services.export_files import discard
from playtest.review.services.verification import verify_one
from playtest.review.tasks.exports import make_export
from playtest.rules.attempt import Outcome
from playtest.rules.labels import RUN_OUTCOME_LABELS
from playtest.studio.models import Environment, ReleaseSet
from tests import make
from tests.arena.runs.played import PIT, UNAVAILABLE, on_a_card, play_live, write_run
from tests.arena.runs.test_usage import HARNESS
from tests.arena.scores.agents import version
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def card(module_db: None) -> Scorecard:
    """A won run with usage, and a lost one; an open run, a run of another card and a person are not of it."""
    make.play(make.session(make.study()), WALK, Outcome.COMPLETED)
    environment = make.environment()
    environment.release_set = ReleaseSet.PUBLIC
    environment.save()
    version = environment.current
    assert version is not None
    card = on_a_card(write_run(version, WALK, Outcome.COMPLETED, {1: json.dumps(HARNESS), 2: "=1+1"}))
    on_a_card(write_run(version, [PIT, 0, 4]), card)
    on_a_card(write_run(version, [4], None), card)
    on_a_card(write_run(version, [4, 4]), name="Other")
    return card


def export(folder: Path, *arguments: str) -> str:
    out = StringIO()
    call_command("export_runs", *arguments, "--to", str(folder), stdout=out)
    return out.getvalue()


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    return list(pl.read_parquet(folder / f"{name}.parquet").to_dicts())


def test_a_card_is_exported_alone_with_everything_of_its_runs(card: Scorecard, tmp_path: Path) -> None:
    said = export(tmp_path, "--card", str(card.card_id))
    assert said.splitlines()[:5] == [
        "runs: 2",
        "entries: 23",
        "level_results: 7",
        "notes: 2",
        "recordings: 2",
    ]
    won, lost = table(tmp_path, "runs")
    assert (won["agent"], won["card"], won["start"]) == ("Nimble", str(card.card_id), 1)
    assert (won["outcome"], won["actions"], won["levels_completed"]) == ("completed", 18, 6)
    assert (won["total_tokens"], won["cost"], won["actions_with_usage"]) == (1280, 0.002, 1)
    assert (lost["outcome"], lost["total_tokens"], lost["cost"]) == ("card_closed", None, None)
    first, second = table(tmp_path, "notes")
    assert (json.loads(first["reasoning"]), first["cost"]) == (HARNESS, 0.002)
    assert (second["reasoning"], second["cost"]) == ("=1+1", None)
    assert [row["action"] for row in table(tmp_path, "entries") if row["attempt"] == lost["attempt"]] == [
        0,
        PIT,
        0,
        4,
    ]
    facts = json.loads((tmp_path / "runs.json").read_text())
    assert facts["digest"] == said.splitlines()[-1].removeprefix("digest: ")
    assert facts["of_actions"] == "undo counted"


def test_recordings_are_official_ones(card: Scorecard, tmp_path: Path) -> None:
    export(tmp_path, "--card", str(card.card_id))
    run = Attempt.objects.filter(participant=None, outcome=Outcome.COMPLETED).get()
    path = tmp_path / "recordings" / f"{run.version.game_id}-attempt-{run.pk}.jsonl"
    recording = read(path.read_text().splitlines())
    assert [turn.action.id for turn in recording.turns[1:]] == WALK
    lines = [json.loads(line)["data"]["action_input"] for line in path.read_text().splitlines()]
    assert [line.get("reasoning") for line in lines[:4]] == [None, HARNESS, "=1+1", None]


def test_an_environment_has_the_runs_of_all_cards(card: Scorecard, tmp_path: Path) -> None:
    assert export(tmp_path, "--environment", "wk01", "--format", "csv").startswith("runs: 3\n")
    assert {row["agent"] for row in pl.read_csv(tmp_path / "runs.csv").to_dicts()} == {"Nimble", "Other"}
    assert "'=1+1" in (tmp_path / "notes.csv").read_text(), "no spreadsheet takes it for a formula"


def test_a_folder_for_hugging_face_names_every_table_with_rows(card: Scorecard, tmp_path: Path) -> None:
    said = export(tmp_path, "--card", str(card.card_id), "--format", "huggingface")
    _, header, text = (tmp_path / "README.md").read_text().split("---\n", 2)
    configs = {one["config_name"]: one["data_files"] for one in yaml.safe_load(header)["configs"]}
    assert configs == {one.name: [f"parquet/{one.name}.parquet"] for one in export_files.TABLES}
    assert table(tmp_path / "parquet", "runs")[0]["agent"] == "Nimble"
    assert "| `runs` | 2 |" in text
    assert "recordings: 2" in said


def test_the_tables_have_the_columns_of_the_codebook_which_is_in_the_documents(tmp_path: Path) -> None:
    make.environment()
    export(tmp_path, "--environment", "wk01")
    for declared in export_files.TABLES:
        assert pl.read_parquet_schema(tmp_path / f"{declared.name}.parquet").keys() == {
            *declared.column_names
        }
    codebook = (tmp_path / "codebook.md").read_text()
    assert codebook == export_files.DOCUMENT.read_text()
    runs, entries, levels, _ = export_files.TABLES
    assert (entries, levels.columns) == (
        ENTRIES, tuple(column for column in LEVEL_RESULTS.columns if column.name not in OF_LEVELS)
    )  # fmt: skip
    assert {one for one in ATTEMPTS.columns if one.name in export_files.SAME_AS_PEOPLE} < {*runs.columns}
    assert f"One of {', '.join(RUN_OUTCOME_LABELS)};" in codebook


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--card", "none"], "card_unknown"),
        (["--card", "00000000-0000-0000-0000-000000000000"], "card_unknown"),
        (["--environment", "none"], "environment_unknown"),
    ],
)
def test_what_is_unknown_is_refused_with_a_code(tmp_path: Path, arguments: list[str], code: str) -> None:
    with pytest.raises(CommandError, match=code):
        export(tmp_path / "new", *arguments)
    assert not (tmp_path / "new").exists()


def test_staff_take_runs_on_a_page_and_are_recorded(
    card: Scorecard, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.DATA_DIR = tmp_path
    engineer, address = signed_in(Role.ENGINEER), reverse("arena:export-card", args=[card.card_id])
    with django_capture_on_commit_callbacks(execute=True):
        engineer.post(address, {"kind": "runs_csv"})
    taken = Export.objects.get()
    make_export(taken.pk)
    taken.refresh_from_db()
    assert (taken.requested_by, taken.status, taken.error) == (staff(Role.ENGINEER), "done", "")
    assert taken.options == {"card": str(card.card_id), "runs": 2, "held_back": 0}
    record = signed_in(Role.RESEARCHER).get(reverse("arena:exports")).content.decode()
    assert "engineer" in record
    file = reverse("arena:export-file", args=[taken.pk])
    assert file not in record
    assert signed_in(Role.RESEARCHER).get(file).status_code == 404, "who took it is who is recorded"
    answer = engineer.get(file)
    with ZipFile(BytesIO(b"".join(cast(Any, answer).streaming_content))) as packed:
        assert {"runs.csv", "entries.csv", "notes.csv", "runs.json", "codebook.md"} <= {*packed.namelist()}
        assert len([name for name in packed.namelist() if name.startswith("recordings/")]) == 2
    discard(taken)
    assert Export.objects.get().file == "", "the record stays without its file"
    assert signed_in(Role.LEAD).get(reverse("review:export-file", args=[taken.pk])).status_code == 404


@pytest.mark.parametrize("then_and_now", [("private", "public"), ("public", "semi_private")])
def test_runs_of_held_out_sets_do_not_leave(
    card: Scorecard, tmp_path: Path, then_and_now: tuple[str, str]
) -> None:
    then, today = then_and_now
    Run.objects.update(release_set=then)
    Environment.objects.update(release_set=today)
    address = reverse("arena:export-environment", args=["wk01"])
    answer = signed_in(Role.LEAD).post(address, {"kind": "runs_csv"}, follow=True)
    assert "runs_held_back" in answer.content.decode()
    assert not Export.objects.exists()
    said = export(tmp_path / "held", "--card", str(card.card_id))
    assert "runs: 0" in said
    assert "held back, as their set is not public: 2" in said
    export(tmp_path / "all", "--card", str(card.card_id), "--held-out")
    assert [one.options["held_out"] for one in Export.objects.order_by("pk")] == [False, True]
    assert len(table(tmp_path / "all", "runs")) == 2


# On PostgreSQL, whole servers play runs (`tests/live/test_the_api_for_agents.py`): the threads of the live
# path do not share the transaction of a test there.

ACTS = [UNAVAILABLE, PIT, 0, 4, 4, 4, 2]
"""Nothing, into the pit, back by a level reset, through the first level, and a step in the second."""


@pytest.fixture
def run() -> Attempt:
    return play_live(version(), ACTS, Outcome.CARD_CLOSED, {1: '{"output": "what is 7?"}'})


def test_a_run_is_played_stored_and_verified_without_a_session(run: Attempt) -> None:
    assert (run.is_run, run.actions, run.levels_completed, run.outcome) == (True, 7, 1, "card_closed")
    entries = Entry.objects.filter(attempt=run).order_by("seq")
    states = [entry.state for entry in entries]
    assert states == ["NOT_FINISHED", "NOT_FINISHED", "GAME_OVER", *["NOT_FINISHED"] * 5]
    assert not entries[1].changed, "an unavailable action is carried out, and counts"
    assert AgentNote.objects.get(attempt=run, seq=1).reasoning == '{"output": "what is 7?"}'
    end = Event.objects.get(attempt=run)
    assert (end.kind, end.session_id) == (EventKind.ATTEMPT_ENDED, None)
    assert end.details == {"outcome": "card_closed"}
    assert async_to_sync(verify_one)(run.pk).differences == ()
    up_to_date()
    levels = run.level_results.order_by("level").values_list("level", "completed", "actions", "resets")
    assert [*levels] == [(1, True, 6, 1), (2, False, 1, 0)]
