"""A study's data as files: what is in them, whose names are not, and the same digest for the same data."""

import json
import re
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any, get_type_hints

import polars as pl
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from engine.tasks.edits import EditKind
from playtest.insight.scope import Scope
from playtest.insight.tables import results
from playtest.jobs.models import JobStatus
from playtest.people.models import Participant, Survey
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import EventKind, SessionEnd, Study
from playtest.play.sessions.debriefs import answer_debrief
from playtest.review import codebook
from playtest.review.models import Comment, Decision, DecisionKind, Export, Flag, Opening, Strength
from playtest.review.services import export_files, table_files
from playtest.review.services.dataset import Dataset, write_dataset
from playtest.review.services.table_files import FORMATS
from playtest.review.tasks.exports import make_export
from playtest.rules.attempt import Outcome
from playtest.rules.debrief import Answers
from playtest.rules.results import LevelResult
from playtest.rules.survey import Kind, Question
from playtest.rules.survey_questions import QUESTIONS
from tests import make
from tests.center.test_same_person import link
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

REFERENCE = "RECRUIT-17"


@pytest.fixture(scope="module")
def person(module_db: None) -> Participant:
    return new_participant(REFERENCE)


@pytest.fixture(scope="module")
def study(person: Participant) -> Study:
    """Two people: one of whom plays two levels with a reset, is flagged and excluded; one still plays."""
    study = make.study(people=100)
    session = make.session(study, person)
    attempt = make.play(session, [4, 0, 4, 4, 4, 2], Outcome.CONCLUDED)
    make.play(make.session(study), [2] * 3, None)
    Comment.objects.create(
        attempt=attempt, seq=1, seconds=1, text="=stuck", author=staff(Role.RESEARCHER), created_at=now()
    )
    answer_debrief(attempt.pk, Answers(4, "=doors"))
    Flag.objects.create(
        session=session, attempt=attempt, rule="no_ops", rule_version="1", strength=Strength.REVIEW,
        figures={"share": 0.7}, sentence="70 % did nothing.", raised_at=now(), judged_at=now(),
    )  # fmt: skip
    Decision.objects.create(
        session=session, attempt=attempt, kind=DecisionKind.EXCLUDE_FROM, from_seq=3, reason="no_effort",
        explanation="=Ann was asleep.", rule_version="1", reviewer=staff(Role.RESEARCHER), decided_at=now(),
    )  # fmt: skip
    return study


def written(study: Study, folder: Path, form: str = "parquet", *, identified: bool = False) -> Dataset:
    return write_dataset(study, folder, form, identified=identified)


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    return pl.read_parquet(folder / f"{name}.parquet").to_dicts()


def test_every_table_has_the_columns_of_the_codebook(study: Study, tmp_path: Path) -> None:
    written(study, tmp_path)
    for declared in codebook.TABLES:
        found = pl.read_parquet(tmp_path / f"{declared.name}.parquet")
        assert tuple(found.columns) == declared.column_names
        assert found.is_empty() == (declared.name in ("submissions", "edits")), declared.name
        assert found.select(declared.key).is_unique().all(), declared.name
    assert (tmp_path / "codebook.md").read_text() == codebook.markdown(codebook.TABLES)


def test_the_columns_of_sessions_are_the_questions_that_the_study_asks_or_asked(
    study: Study, tmp_path: Path
) -> None:
    hours = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
    make.change(study, survey=(hours,))
    session = make.session(study)
    assert session.survey is not None
    session.survey = Survey.objects.create(
        participant=session.participant, answers={"hours": 7}, answered_at=now()
    )
    session.save()
    written(study, tmp_path)
    found = pl.read_parquet(tmp_path / "sessions.parquet")
    assert found.columns[-6:] == ["survey_hours", *(f"survey_{question.name}" for question in QUESTIONS)]
    assert found["survey_hours"].to_list()[-1] == 7
    assert "| `survey_hours` | integer | “Hours?” A whole number" in (tmp_path / "codebook.md").read_text()


def test_the_columns_of_results_are_what_the_pages_count(study: Study, tmp_path: Path) -> None:
    """Of attempts in part excluded, too short, cut short, under review, and of a person with two records."""
    for first in (6, 7, 1):
        attempt = make.play(make.session(study), [*WALK[:6], 1])
        settled(
            attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_FROM, "disturbed",
            attempt_id=attempt.pk, from_seq=first,
        )  # fmt: skip
    long, other = [*WALK[:6], *[0] * 31], new_participant()
    one = make.play(make.session(study), long, Outcome.SESSION_OVER)
    make.play(make.session(study, new_participant(simulated=True)), long)
    again = make.play(make.session(study, other), long)
    link(one.session.participant, other)
    Flag.objects.create(
        session=one.session, rule="pace", rule_version="1", strength=Strength.STRONG,
        figures={}, sentence="Fast.", raised_at=now(), judged_at=now(),
    )  # fmt: skip
    written(study, tmp_path)
    up_to_date()
    scope = Scope(study)
    counted = results.attempts(scope).filter(pl.col("outcome") != "")
    levels = results.levels(counted, scope)
    rows = {row["attempt"]: row for row in table(tmp_path, "attempts")}
    ofs = table(tmp_path, "level_results")
    completed = levels.filter("completed").select("attempt", "level", "actions").rows()
    assert [(row["attempt"], row["level"], row["actions"]) for row in ofs if row["in_baseline"]] == completed
    assert {pk for pk, row in rows.items() if row["counts"]} == {one.pk}
    assert {row["attempt"] for row in ofs if row["counts"]} == {one.pk}
    assert {pk for pk, row in rows.items() if row["under_review"]} == {one.pk}
    assert {pk for pk, row in rows.items() if row["cut_short"]} == {one.pk}
    assert [row["level"] for row in ofs if row["cut_short"]] == [
        max(row["level"] for row in ofs if row["attempt"] == one.pk)
    ]
    assert rows[again.pk]["person"] == rows[one.pk]["participant"] == rows[one.pk]["person"]
    assert rows[again.pk]["excluded_why"] == "met_before"
    assert len({row["person"] for row in rows.values()}) == len(rows) - 1


def test_the_codebook_names_what_the_code_has() -> None:
    """Its tables are read from docs/codebook.md, its lists and the fields of level results are not."""
    said = {f"{table.name}.{one.name}": one.meaning for table in codebook.TABLES for one in table.columns}
    assert f"One of {', '.join(kind.value for kind in EventKind)}." == said["events.kind"]
    assert f"One of {', '.join(kind.op for kind in EditKind)}." == said["edits.op"]
    assert ", ".join(f"{kind.value} {kind.op}" for kind in EditKind) in said["entries.action"]
    assert f": {', '.join(Opening)}; " in said["decisions.opened_by"]
    assert set(SessionEnd) <= set(re.findall(r"\w+", said["sessions.end_reason"]))
    fields = [*get_type_hints(LevelResult), "no_op_rate", "repeated_state_rate"]
    assert sorted(codebook.RESULTS) == sorted(fields)
    assert codebook.markdown(codebook.tables_of(QUESTIONS)) == codebook.DOCUMENT.read_text()


@pytest.mark.services
def test_the_rows_say_what_happened(study: Study, tmp_path: Path) -> None:
    written(study, tmp_path)
    assert len(table(tmp_path, "sessions")) == 2
    [attempt] = table(tmp_path, "attempts")
    assert (attempt["environment"], attempt["outcome"], attempt["actions"]) == ("wk01", "concluded", 6)
    assert (attempt["seconds"], attempt["counted"], attempt["levels"]) == (12.0, False, 6)
    assert (attempt["excluded_from"], attempt["excluded_why"]) == (3, "no_effort")
    entries = table(tmp_path, "entries")
    assert [(entry["seq"], entry["action"]) for entry in entries] == list(enumerate([0, 4, 0, 4, 4, 4, 2]))
    assert (entries[0]["input"], entries[1]["input"], len(entries[1]["state_hash"])) == ("unknown", "key", 17)
    levels = table(tmp_path, "level_results")
    assert [(row["level"], row["actions"], row["resets"], row["completed"]) for row in levels] == [
        (1, 5, 1, True),
        (2, 1, 0, False),
    ]
    assert [row["seconds"] for row in levels] == [10.0, 2.0]
    assert [(row["entered_seq"], row["last_seq"], row["first_score_change"]) for row in levels] == [
        (0, 5, 5),
        (5, 6, None),
    ]
    assert [(row["no_op_rate"], row["repeated_state_rate"]) for row in levels] == [(0.0, 0.25), (0.0, 0.0)]
    [flag] = table(tmp_path, "flags")
    assert (flag["rule"], json.loads(flag["figures"])) == ("no_ops", {"share": 0.7})
    [decision] = table(tmp_path, "decisions")
    assert (decision["kind"], decision["from_seq"], decision["reason"]) == ("exclude_from", 3, "no_effort")
    [said] = table(tmp_path, "debriefs")
    assert (said["attempt"], said["difficulty"], said["about"]) == (attempt["attempt"], 4, "=doors")


def text_of(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.glob("*.csv")))


def test_nobody_is_named_unless_asked_for(study: Study, person: Participant, tmp_path: Path) -> None:
    written(study, tmp_path / "hashed", "csv")
    written(study, tmp_path / "named", "csv", identified=True)
    for name in (person.label, REFERENCE, "researcher", "Ann"):
        assert name not in text_of(tmp_path / "hashed")
        assert name in text_of(tmp_path / "named")


def test_a_person_has_one_name_within_a_study_and_another_elsewhere(
    study: Study, person: Participant, tmp_path: Path
) -> None:
    other = make.study("ck01")
    make.play(make.session(other, person), [(1, 1)])
    written(study, tmp_path / "one")
    written(other, tmp_path / "other")
    [one] = {row["participant"] for row in table(tmp_path / "one", "attempts")}
    [other] = {row["participant"] for row in table(tmp_path / "other", "attempts")}
    assert one in {row["participant"] for row in table(tmp_path / "one", "sessions")}
    assert one != other


def test_the_same_data_has_the_same_digest_in_every_form(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = written(study, tmp_path / "first")
    assert written(study, tmp_path / "again").digest == first.digest
    for path in (tmp_path / "first").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name
    assert written(study, tmp_path / "csv", "csv").digest == first.digest
    monkeypatch.setattr(table_files, "_ROWS_A_CHUNK", 2)
    assert written(study, tmp_path / "small chunks").digest == first.digest
    assert table(tmp_path / "small chunks", "entries") == table(tmp_path / "first", "entries")


def test_other_data_has_another_digest(study: Study, tmp_path: Path) -> None:
    first = written(study, tmp_path)
    assert written(study, tmp_path, identified=True).digest != first.digest
    make.play(make.session(study), [2])
    assert written(study, tmp_path).digest != first.digest


def test_formulas_are_text_in_csv_and_unchanged_in_parquet(study: Study, tmp_path: Path) -> None:
    digests = {written(study, tmp_path, form, identified=True).digest for form in FORMATS}
    assert len(digests) == 1
    assert pl.read_csv(tmp_path / "decisions.csv")["words"].to_list() == ["'=Ann was asleep."]
    assert pl.read_parquet(tmp_path / "decisions.parquet")["words"].to_list() == ["=Ann was asleep."]


def test_a_study_nobody_played_has_empty_tables(tmp_path: Path) -> None:
    found = written(make.study(), tmp_path)
    assert set(found.rows.values()) == {0}
    assert table(tmp_path, "entries") == []


def test_the_command_writes_the_files_and_prints_the_digest(study: Study, tmp_path: Path) -> None:
    out = StringIO()
    call_command("export_study", study.name, "--to", str(tmp_path / "data"), "--format", "csv", stdout=out)
    facts = json.loads((tmp_path / "data" / "dataset.json").read_text())
    assert "entries: 7" in out.getvalue()
    assert f"digest: {facts['digest']}" in out.getvalue()
    assert facts["tables"]["sessions"]["rows"] == 2
    assert Export.objects.get().digest == facts["digest"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nothing"], "study_unknown"),
        (["{study}", "--identified"], "identified_needs_right"),
        (["{study}", "--identified", "--by", "researcher"], "identified_needs_right"),
        (["{study}", "--by", "nobody"], "staff_unknown"),
    ],
)
def test_the_command_says_what_it_refuses(
    study: Study, tmp_path: Path, arguments: list[str], code: str
) -> None:
    given = [argument.format(study=study.name) for argument in arguments]
    with pytest.raises(CommandError, match=code):
        call_command("export_study", *given, "--to", str(tmp_path / "data"))
    assert not (tmp_path / "data").exists()


def test_who_took_identified_data_stays_on_record(study: Study, tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    lead = staff(Role.LEAD)
    call_command(
        "export_study", study.name, "--to", str(tmp_path / "data"), "--identified", "--by", lead.username,
        stdout=StringIO(),
    )  # fmt: skip
    export_files.discard(Export.objects.get())
    taken = Export.objects.get()
    assert (taken.requested_by, taken.options, taken.study) == (lead, {"identified": True}, study)


def test_the_page_has_the_data_made(
    study: Study,
    settings: Settings,
    tmp_path: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.DATA_DIR = tmp_path
    researcher = signed_in(Role.RESEARCHER)
    page = researcher.get(reverse("review:data")).content.decode()
    assert "previous_paint_ms" in page
    assert "The files contain what reviewers excluded" in page
    export = asked_for(researcher, study, django_capture_on_commit_callbacks)
    make_export(export.pk)
    export.refresh_from_db()
    assert export.status == JobStatus.DONE
    taken = researcher.get(reverse("review:export-file", args=[export.pk]))
    (tmp_path / "taken.zip").write_bytes(taken.getvalue())
    with zipfile.ZipFile(tmp_path / "taken.zip") as packed:
        assert json.loads(packed.read("dataset.json"))["digest"] == export.digest
        assert {f"{declared.name}.parquet" for declared in codebook.TABLES} < set(packed.namelist())
    assert export.digest[:16] in researcher.get(reverse("review:exports")).content.decode()


def asked_for(client: Client, study: Study, capture: DjangoCaptureOnCommitCallbacks, **more: str) -> Export:
    with capture() as handed_over:
        answer = client.post(reverse("review:data"), {"study": study.pk, "kind": "study_parquet"} | more)
    assert (answer.status_code, len(handed_over)) == (302, 1)
    return Export.objects.get()


def test_only_those_with_the_right_are_offered_identified_data(
    study: Study, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    address = reverse("review:data")
    assert 'name="identified"' not in signed_in(Role.RESEARCHER).get(address).content.decode()
    values = {"study": study.pk, "kind": "study_csv", "identified": "on"}
    refused = signed_in(Role.RESEARCHER).post(address, values).content.decode()
    assert "identified_needs_right" in refused
    export = asked_for(signed_in(Role.LEAD), study, django_capture_on_commit_callbacks, identified="on")
    assert export.options == {"identified": True}
