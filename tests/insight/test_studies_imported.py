"""Data from elsewhere become a study from outside, whatever its form."""

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from email.header import decode_header, make_header
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import av
import polars as pl
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import Settings

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.source import Source, load
from engine.play.turns import EncodedTurn
from playtest.insight.models import LevelResult, StudyImport
from playtest.insight.outside import importing, replaying
from playtest.insight.outside.importing import import_data
from playtest.insight.outside.jobs import cancel, do_import, request_import
from playtest.insight.outside.storing import store
from playtest.insight.pages.environment.figures import PAGE
from playtest.insight.pages.study.figures import FIGURES
from playtest.insight.paper.package.write import write_package
from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.tables.results import attempts, levels
from playtest.jobs import lifecycle
from playtest.jobs.queue import Queue
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.journal.entries import seal_value
from playtest.play.models import Attempt, Entry, OutsideAttempt, OutsideStudy, Session, Study
from playtest.review.attempt_film import FilmOptions
from playtest.review.journal_document import journal_document
from playtest.review.models import ExportKind
from playtest.review.services.export_files import folder as export_folder
from playtest.review.services.exports import request_dataset, request_film
from playtest.review.services.read_tokens import create_token
from playtest.review.services.verification import check_record
from playtest.review.tasks.exports import make_export
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment
from playtest.studio.processes.game import play
from tests import make
from tests.insight.test_package import polars_alone as polars_alone
from tests.insight.test_package import recomputed
from tests.live.games import ENVIRONMENTS, WALK
from tests.review.tampering import unprotect
from tests.staff import signed_in, staff
from tools.published import BEGAN, Form, recording, write_zip

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SOURCE = load(ENVIRONMENTS / "wk01")
WINS = [Action(number) for number in WALK]
RESET = Action(0)

type Write = Callable[..., Path]


@pytest.fixture(scope="module", autouse=True)
def plays_are_remembered() -> Iterator[None]:
    """Most recordings here are of the same actions: each is played once in a host, then again from memory."""
    played: dict[tuple[object, ...], list[EncodedTurn | EngineError]] = {}

    def remembered(
        source: Source, seed: int, actions: Sequence[Action], *, as_arcengine: bool
    ) -> Iterator[EncodedTurn | EngineError]:
        key = (source.text, seed, tuple(actions), as_arcengine)
        if key not in played:
            played[key] = [*play(source, seed, actions, as_arcengine=as_arcengine)]
        yield from played[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replaying, "play", remembered)
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make.environment("wk01")
    made = tmp_path / "data"
    made.mkdir()
    return made


@pytest.fixture
def write(folder: Path) -> Write:
    """Writes a file of these actions in a form; returns it."""

    def written(actions: Sequence[Action] = WINS, name: str = "a", **form: Any) -> Path:
        path = folder / f"{name}.recording.jsonl"
        path.write_text("".join(recording(SOURCE, actions, f"guid-{name}", Form(**form))))
        return path

    return written


def imported(path: Path, **options: Any) -> dict[str, Any]:
    said = StringIO()
    call_command("import_study", str(path), "--json", "--processes", "1", stdout=said, **options)
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def only_attempt() -> Attempt:
    return Attempt.objects.select_related("outside").get()


def changed(path: Path, change: Callable[[int, dict[str, Any]], object]) -> None:
    """Changes the data of every line but the last."""
    *lines, last = map(json.loads, path.read_text().splitlines())
    for number, line in enumerate(lines):
        change(number, line["data"])
    path.write_text("".join(json.dumps(line) + "\n" for line in [*lines, last]))


def test_the_published_data_set_is_imported_once(tmp_path: Path) -> None:
    """From a zip with shadow files, ratings beside it, text ids without a leading RESET, odd last lines."""
    make.environment("wk01")
    path = tmp_path / "public.zip"
    wins = tmp_path / "wk01"
    (wins / "recordings").mkdir(parents=True)
    for file in (ENVIRONMENTS / "wk01").glob("*.*"):
        (wins / file.name).write_bytes(file.read_bytes())
    (wins / "recordings/win.jsonl").write_text("".join(recording(SOURCE, WINS, "", Form(last_line=False))))
    assert write_zip(path, [wins], 12, gigabytes=0.02) == pytest.approx(0.02e9, rel=0.1)
    assert write_zip(path, [wins], 12, gigabytes=0.001) == pytest.approx(0.001e9, rel=0.1)
    write_zip(path, [wins], 12)
    Environment.objects.update(stage=Stage.SPECIFICATION)  # nobody is seated here, so no gate asks
    found = imported(path, source="the official set", licence="CC BY 4.0")
    assert (found["attempts"], found["wins"], found["participants"]) == (12, 5, 12)
    assert (found["skipped"], found["differences"], found["unproven"]) == ([], [], 0)
    first = found["levels"][0]
    assert [first[name] for name in ("environment", "level", "completers", "baseline")] == ["wk01", 1, 11, 3]
    stored = OutsideAttempt.objects.order_by("name")
    assert {one.dialect for one in stored} == {"server"}
    assert sorted(one.ratings.keys() == {"fun", "hard"} for one in stored) == [False] * 6 + [True] * 6
    assert all(one.attempt.entries.filter(seq=1, action=0).count() == 0 for one in stored), "no leading RESET"
    outside = OutsideStudy.objects.get()
    assert (outside.source, outside.licence, outside.people_known) == ("the official set", "CC BY 4.0", False)
    before = list(Entry.objects.values_list("pk", flat=True))
    assert imported(path) == found
    assert list(Entry.objects.values_list("pk", flat=True)) == before
    assert not EVERYONE.attempts.exists()


def test_counts_are_checked_against_the_source(write: Write, folder: Path) -> None:
    """A last line that leaves undo out, one with more, and metadata: each difference with a likely reason."""
    version = make.environment("wk01").current
    assert version is not None
    unprotect()
    version.metadata = {**version.metadata, "baseline_actions": [3, 3, 3, 3, 3, 9]}
    version.save()
    undone = [Action(2), Action(7), *WINS]
    for name in "abcd":
        write(undone, name=name)
    path = write(undone, name="e")
    *lines, last = path.read_text().splitlines()
    path.write_text(
        "\n".join(
            [
                *lines,
                last.replace(f'"total_actions": {len(WINS) + 1}', '"total_actions": 40').replace(
                    f'"actions": [{len(WINS) + 1}]', '"actions": [40]'
                ),
            ]
        )
    )
    found = imported(folder)
    assert found["undo"] == "undo not counted"
    assert [(one["file"], one["ours"], one["source"]) for one in found["counts"]] == [
        ("e.recording.jsonl", len(WINS) + 1, 40)
    ]
    reasons = {(one["level"], one["baseline"], one["metadata"]): one["reason"] for one in found["levels"]}
    assert reasons[1, 4, 3] == reasons[6, 3, 9] == "not known"
    assert {reason for key, reason in reasons.items() if key[0] not in (1, 6)} == {""}
    study = Study.objects.get()
    assert [one.value.undo_counts for one in study.protocol_versions.order_by("number")] == [True, False]
    page = signed_in(Role.LEAD).get(reverse("insight:study-source", args=[study.pk])).content.decode()
    assert "4 of 6 levels and 4 of 5 recordings agree" in page
    assert "Nobody here completed" not in page
    assert "Its people are not known to be different people." in page
    again = imported(folder, undo="counted")
    assert again["undo"] == "undo counted"
    assert {one["reason"] for one in again["counts"] if one["file"] != "e.recording.jsonl"} == {
        "undo is not counted there"
    }


def test_several_processes_store_the_same(write: Write, folder: Path) -> None:
    for name in "abc":
        write(name=name)
    made = import_data(folder, processes=2)
    assert (made.skipped, Scope(made.study).attempts.count()) == ([], 3)


def test_actions_after_the_win_are_no_entries_and_explain_a_count(write: Write, folder: Path) -> None:
    path = write()
    *lines, last = path.read_text().splitlines()
    for counted in ('"total_actions": {}', '"actions": [{}]'):
        last = last.replace(counted.format(len(WINS)), counted.format(len(WINS) + 2))
    path.write_text("\n".join([*lines, lines[-1], lines[-1], last]))
    (difference,) = imported(folder)["counts"]
    assert (only_attempt().actions, only_attempt().outside.left_out) == (len(WINS), 2)
    assert difference["reason"] == "actions after a loss or the win are counted there"


@pytest.mark.parametrize(
    "form",
    [
        {"text_ids": True, "leading_reset": False},
        {"last_grid": True, "times": False, "facts": False, "last_line": False},
        {"game_id": "wk01-ffffffff"},
        {"by_level": [[]]},
    ],
    ids=["text ids without leading RESET", "last grids alone", "another version named", "empty counts"],
)
def test_a_recording_in_another_form_is_the_same_attempt(
    write: Write, folder: Path, form: dict[str, Any]
) -> None:
    write(**form)
    found = imported(folder)
    attempt = only_attempt()
    assert (found["wins"], attempt.actions, attempt.outside.differs_from) == (1, len(WINS), None)
    assert [level["baseline"] for level in found["levels"]] == [3] * 6


def test_a_recording_without_times_counts_in_no_figure_of_time(write: Write, folder: Path) -> None:
    write(times=False)
    imported(folder)
    attempt = only_attempt()
    document = journal_document(attempt)
    assert [entry["time"] for entry in document["entries"]][:3] == [0.0, 1000.0, 2000.0]
    assert "It has no times" in document["otherwise"]
    study = attempt.session.study
    results = Scope(study)
    table = attempts(results)
    assert table["attempt_seconds"].to_list() == [None]
    assert "1 of 1 plays have no times: no figure of time counts them." in results.origin
    page = signed_in(Role.LEAD).get(reverse("insight:study", args=[study.pk])).content.decode()
    assert results.origin in page
    assert set(levels(table, results)["seconds"].to_list()) == {None}


def test_what_no_recording_says_is_not_said(write: Write, folder: Path) -> None:
    """Neither a time, nor that somebody gave up where the recording just ends."""
    write([*WINS[:4], *[Action(1), Action(2)] * 20], times=False)
    imported(folder, undo="left-out")
    attempt, reader = only_attempt(), signed_in(Role.LEAD)
    session = attempt.session
    for address in (
        f"{reverse('review:attempts')}?study={session.study_id}",
        reverse("center:session", args=[session.pk]),
    ):
        page = reader.get(address).content.decode()
        assert "recording ends" in page, address
        assert "not recorded" in page, address
        assert not re.search(r"<td[^>]*>\s*(0:0|gave up)", page), address
    study = reverse("insight:study", args=[session.study_id])
    assert "Of actions, undo not counted." in reader.get(study).content.decode()
    shown = reader.get(f"{reverse('insight:environment', args=['wk01'])}?study={session.study_id}")
    assert "recording ends on level" in shown.content.decode()
    assert not re.search(r"<td[^>]*>\s*0:0", shown.content.decode())
    assert "Median time: 0" not in shown.content.decode()
    at = reverse("insight:environment", args=["wk01"])
    for name in ("funnel", "incidence-actions", "incidence-time"):
        figure = reader.get(f"{at}figures/{name}.json?study={session.study_id}").json()
        said = json.dumps({**figure, "rows": [], "options": {}})
        assert "ecording ends" in said or "no times" in said, name
    pages = [at, f"{at}levels/1/", f"{at}levels/2/", f"{at}levels/2/ends/", f"{at}split/", f"{at}baseline/"]
    pages += [study, f"{study}report/", f"{study}source/", reverse("insight:portfolio")]
    pages += [f"{at}figures/{name}.json" for name in [*PAGE, "dwell-2"]]
    pages += [f"{study}figures/{name}.json" for name in FIGURES]
    pages += [f"{study}figures/time/{number}/" for number in range(2)]
    for address in pages:
        answer = reader.get(address, {"study": session.study_id})
        assert answer.status_code == 200, address
        said = re.sub(
            r"<script.*?</script>|<option.*?</option>", "", answer.content.decode(), flags=re.DOTALL
        )
        assert not re.search("(?i)gave up|given? up|left at once", said), address
    for address in (
        f"{study}figures/{next(iter(FIGURES))}",
        f"{at}figures/funnel",
        f"{at}baseline/figures/levels",
        f"{reverse('arena:environment', args=['wk01'])}figures/progress",
    ):
        (row, *_) = csv.DictReader(
            StringIO(reader.get(f"{address}.csv?study={session.study_id}").content.decode())
        )
        origin = session.study.outside.full_origin
        assert (row["of_actions"], row["origin"]) == ("undo not counted", origin), address
        figure = reader.get(f"{address}.json?study={session.study_id}").json()
        assert (figure["of_actions"], figure["protocols"]["origins"]) == ("undo not counted", [origin]), (
            address
        )


def test_its_tables_say_where_they_are_from_and_whether_undo_is_an_action(
    write: Write, folder: Path, tmp_path: Path, settings: Settings
) -> None:
    """To people in the README, to scripts in headers: of the data sent, whatever is chosen later."""
    settings.DATA_DIR = tmp_path
    write()
    imported(folder, undo="left-out", source="an older\nstudy \u4eba")
    study = Study.objects.get()
    _, secret = create_token(study, "Notebook", 30, staff(Role.RESEARCHER))
    origin = " ".join(study.outside.full_origin.split())
    assert origin.startswith("Source: an older study \u4eba, licence: not given, dated 2026-03-02, SHA-256 ")
    for kind in (ExportKind.STUDY_CSV, ExportKind.STUDY_PARQUET):
        made = request_dataset(study, kind, staff(Role.LEAD), lambda export: None, identified=False)
        make_export(made.pk)
        made.refresh_from_db()
        with ZipFile(export_folder() / made.file) as packed:
            assert "Of actions in `level_results`, undo not counted." in packed.read("README.md").decode()
    for undo, known in ("counted", {}), ("left-out", {"if-none-match": "*"}):
        imported(folder, undo=undo)
        for table in ("attempts.csv", "entries.parquet"):
            headers = {"authorization": f"Bearer {secret}", **known}
            answer = Client(headers=headers).get(f"/api/data/{study.pk}/{table}")
            if known:
                assert (answer.status_code, answer.content, "X-Origin" in answer) == (304, b"", False)
                continue
            assert answer.status_code == 200
            assert answer.getvalue()
            assert answer["X-Of-Actions"] == "undo not counted"
            assert str(make_header(decode_header(answer["X-Origin"]))) == origin


def test_times_are_those_of_the_recording(write: Write, folder: Path) -> None:
    write()
    imported(folder)
    attempt = only_attempt()
    assert attempt.first_frame_at == BEGAN
    assert attempt.last_action_at == attempt.entries.latest("seq").server_time
    assert attempt.session.consent_id is None
    assert (attempt.session.end_reason, attempt.session.station) == ("imported", None)


@pytest.mark.parametrize("facts", [True, False], ids=["with state", "without state and win_levels"])
def test_one_changed_cell_is_no_clean_win(write: Write, folder: Path, facts: bool) -> None:
    path = write(facts=facts)

    def change(number: int, data: dict[str, Any]) -> None:
        if number == 4:
            data["frame"][-1][63][63] ^= 1

    changed(path, change)
    found = imported(folder)
    assert found["differences"] == [{"file": path.name, "attempt": only_attempt().pk, "action": 4}]
    assert not LevelResult.objects.exists()
    assert {level["completers"] for level in found["levels"]} == {0}
    document = journal_document(only_attempt())
    assert len(document["entries"]) == len(WINS) + 1
    assert "From action 4 on this is what was recorded" in document["otherwise"]


@pytest.mark.programs
def test_what_does_not_play_as_recorded_is_no_finding_and_is_named(write: Write, folder: Path) -> None:
    def change(number: int, data: dict[str, Any]) -> None:
        if number == 4:
            data["frame"][-1][63][63] ^= 1

    changed(write(), change)
    imported(folder)
    said, found = StringIO(), StringIO()
    call_command("verify_attempts", stdout=said)
    assert "from entry 4 on they are as imported, and were not played again" in said.getvalue()
    assert "1 checked, 0 differ" in said.getvalue()
    call_command("verify_attempts", "--json", stdout=found)
    assert json.loads(found.getvalue().splitlines()[0])["recorded_from"] == 4
    call_command("audit", "--rebuild", stdout=said)
    assert "1 of them played again (1 only up to where they do not play" in said.getvalue()
    assert "0 findings" in said.getvalue()


def test_without_frames_nothing_is_proven(write: Write, folder: Path) -> None:
    (folder / "wk01-list.jsonl").write_text(json.dumps(WALK))
    found = imported(folder)
    assert (found["wins"], found["unproven"]) == (1, 1)
    assert only_attempt().outside.dialect == "actions only"


def without_frames(data: dict[str, Any]) -> None:
    del data["frame"]
    data["score"], data["win_score"] = data.pop("levels_completed"), data.pop("win_levels")


def with_costs(data: dict[str, Any]) -> None:
    data["action_input"]["reasoning"] = json.dumps({"usage": {"total_tokens": 9}, "cost_usd": 0.01})


def without_actions(data: dict[str, Any]) -> None:
    data["action_input"] = {"id": 0, "data": {}}


def with_two_plays(data: dict[str, Any]) -> None:
    (card,) = data["cards"].values()
    card |= {"guids": ["a", "b"], "total_plays": 2, "actions_by_level": None}


@pytest.mark.parametrize(
    ("change", "last", "expected"),
    [
        (without_frames, None, (1, 1, 1, [])),
        (with_costs, None, (1, 1, 0, [])),
        (None, with_two_plays, (1, 1, 0, [])),
        (without_actions, None, (0, 0, 0, ["recording_without_actions"])),
    ],
    ids=["score and no frames", "reasoning with costs", "two plays on the card", "every id 0"],
)
def test_what_was_met_in_published_files(
    write: Write,
    folder: Path,
    change: Callable[[dict[str, Any]], None] | None,
    last: Callable[[dict[str, Any]], None] | None,
    expected: tuple[int, int, int, list[str]],
) -> None:
    """Each gives (attempts, wins, attempts without proof, reasons of what is left out)."""
    path = write()
    *lines, end = map(json.loads, path.read_text().splitlines())
    for line in lines:
        if change:
            change(line["data"])
    if last:
        last(end)
    path.write_text("".join(json.dumps(line) + "\n" for line in [*lines, end]))
    found = imported(folder)
    skipped = [one["reason"].partition(":")[0] for one in found["skipped"]]
    assert (found["attempts"], found["wins"], found["unproven"], skipped) == expected
    assert found["counts"] == found["differences"] == []


def test_a_clock_that_goes_back_at_a_reset_begins_another_play(write: Write, folder: Path) -> None:
    path = write(last_line=False)
    path.write_text(path.read_text() * 2)
    found = imported(folder)
    assert (found["attempts"], found["wins"], found["participants"]) == (2, 2, 2)
    assert imported(folder) == found


def test_ratings_of_a_play_that_is_not_there_are_left_out(write: Write, folder: Path) -> None:
    write()
    rows = "session_id,game_id,fun,hard\nguid-a,wk01-1,4,2\nguid-of-nobody,wk01-1,1,1\n"
    (folder / "testing_feedback_ratings.csv").write_text(rows)
    assert imported(folder)["attempts"] == 1
    assert only_attempt().outside.ratings == {"fun": "4", "hard": "2"}


def test_another_guid_is_another_play(write: Write, folder: Path) -> None:
    one, two = write(name="a", last_line=False), write(WINS[:5], name="b", last_line=False)
    one.write_text(one.read_text() + two.read_text())
    two.unlink()
    found = imported(folder)
    assert (found["attempts"], found["wins"], found["participants"]) == (2, 1, 2)


def test_a_full_reset_is_found_by_playing_and_repeats_nothing(write: Write, folder: Path) -> None:
    """After level 1 and 2 the first action is RESET, which restarts all: level 3 counts it and its own."""
    write([*WINS[:6], RESET, *WINS[:6], *WINS[6:]])
    found = imported(folder)
    attempt = only_attempt()
    assert attempt.outside.full_resets == [7]
    assert found["wins"] == 1
    assert [level["baseline"] for level in found["levels"]] == [3, 3, 4, 3, 3, 3]
    *_, third = LevelResult.objects.filter(attempt=attempt, level__lte=3).order_by("level")
    assert (third.entered_seq, third.resets, third.last_seq) == (6, 1, 16)


def test_a_package_with_a_full_reset_is_recomputed_alike(
    write: Write, folder: Path, tmp_path: Path, polars_alone: Path
) -> None:
    """Also with one that differs and has ratings; imported again, all of this is known as before."""
    write([*WINS[:6], RESET, *WINS[:6], *WINS[6:]])
    write(name="b")
    write(name="d", times=False)
    changed(write(name="c"), lambda number, data: data["frame"][-1][63].reverse() if number == 4 else None)
    imported(folder)
    rated = OutsideAttempt.objects.get(guid="guid-b")
    unprotect()
    OutsideAttempt.objects.filter(pk=rated.pk).update(ratings={"fun": "4", "hard": "2"})
    write_package(Study.objects.get(), tmp_path / "package", identified=False)
    done = recomputed(tmp_path / "package", polars_alone)
    assert done.returncode == 0, done.stdout
    again = import_data(tmp_path / "package", name="Again")
    assert again.differences == ()
    facts = ["name", "guid", "dialect", "differs_from", "as_arcengine", "full_resets", "last_line", "ratings"]
    facts += ["timed", "left_out", "notes"]
    first, second = (
        list(OutsideAttempt.objects.filter(attempt__session__study=study).order_by("pk").values(*facts))
        for study in (rated.attempt.session.study, again.study)
    )
    assert first == second
    assert "of recordings from outside, with the hash chains" in again.study.outside.source
    played = Attempt.objects.filter(session__study=again.study)
    assert {one.differences for one in check_record(played.values_list("pk", flat=True))} == {()}
    write_package(again.study, tmp_path / "again", identified=False)
    for name in ("parquet/attempts.parquet", "parquet/level_results.parquet"):
        assert pl.read_parquet(tmp_path / "again" / name).equals(pl.read_parquet(tmp_path / "package" / name))
    assert '"fun": "4"' in (tmp_path / "again" / "data").glob("*attempts*").__next__().read_text().replace(
        '""', '"'
    )


def test_a_manifest_names_people_and_when_they_began(write: Write, folder: Path) -> None:
    for name in "abc":
        write(WINS[: 3 if name == "a" else 18], name=name, times=False)
    with (folder / "manifest.csv").open("w", newline="") as table:
        rows = csv.writer(table)
        rows.writerow(["file", "participant", "started"])
        rows.writerows(
            [f"{name}.recording.jsonl", who, "2026-01-02T03:04:05"]
            for name, who in (("a", "p1"), ("b", "p2"), ("c", "p1"))
        )
    found = imported(folder)
    assert (found["attempts"], found["participants"]) == (2, 2)
    (skipped,) = found["skipped"]
    assert skipped["reason"].startswith("person_played_before")
    assert OutsideStudy.objects.get().people_known
    assert {f"{one.checked_in_at:%Y-%m-%d %H:%M}" for one in Session.objects.all()} == {"2026-01-02 03:04"}


def test_a_bad_file_is_left_out_with_its_reason(write: Write, folder: Path) -> None:
    write()
    (folder / "b.jsonl").write_text('{"data": {"game_id": "zz99-1", "action_input": {"id": 1}}}\n')
    (folder / "c.jsonl").write_text("nothing\n")
    (folder / "d.pkl").write_bytes(b"\x80\x04]\x94.")
    found = imported(folder)
    reasons = [one["reason"].partition(":")[0] for one in found["skipped"]]
    assert found["attempts"] == 1
    assert reasons == ["environment_missing", "recording_malformed", "recording_is_pickle"]


def test_the_record_knows_what_was_imported(write: Write, folder: Path) -> None:
    write()
    imported(folder)
    attempt = only_attempt()
    (checked,) = check_record([attempt.pk])
    assert checked.differences == ()
    names = ("first_frame_at", "ended_at", "outcome", "fault_code", "fault_message")
    ended: dict[str, Any] = {name: getattr(attempt, name) for name in names}
    last = bytes(attempt.entries.get(seq=attempt.actions).chain)
    observed = seal_value(last, entries=attempt.actions + 1, **ended)
    assert bytes(attempt.seal or b"") != observed, "an imported attempt is not sealed as one observed here"


def test_the_list_of_attempts_and_films_name_the_source(write: Write, folder: Path) -> None:
    write()
    imported(folder)
    listed = signed_in(Role.RESEARCHER).get(reverse("review:attempts")).content.decode()
    assert "from outside</span>" in listed
    origin = OutsideStudy.objects.get().full_origin
    for kind in (ExportKind.MP4, ExportKind.WEBM, ExportKind.GIF):
        film = request_film(only_attempt(), kind, FilmOptions(scale=2), None, Queue(make_export))
        path = export_folder() / film.file
        with av.open(str(path)) as container:
            said = {name.lower(): value for name, value in container.metadata.items()}
        if kind is ExportKind.GIF:
            with Image.open(path) as picture:
                said["comment"] = picture.info["comment"].decode()
        assert said["comment"] == origin
    address = reverse("review:recording", args=[only_attempt().pk])
    first, second, *_ = signed_in(Role.RESEARCHER).get(address).content.splitlines()
    assert (json.loads(first)["source"], "source" in json.loads(second)) == (origin, False)


def test_data_that_cannot_be_imported_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="data_missing"):
        imported(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="environments_missing"):
        imported(folder)
    (folder / "wk01.jsonl").write_text("[4]")
    make.study(name="data")
    with pytest.raises(CommandError, match="name_taken"):
        imported(folder)


def test_a_page_asks_a_worker_for_an_import(write: Write, folder: Path, settings: Any) -> None:
    write()
    settings.IMPORT_DIR = folder.parent
    researcher = signed_in(Role.LEAD)
    page = reverse("insight:study-imports")
    assert "data" in researcher.get(page).content.decode()
    refused = researcher.post(page, {"path": "../etc"})
    assert refused.status_code == 409
    assert researcher.post(page, {"path": "data", "undo_counts": "perhaps"}).status_code == 409
    researcher.post(page, {"path": "data", "undo_counts": "left-out"})
    asked = StudyImport.objects.get()
    assert asked.undo_counts is False
    cancel(asked.pk)
    made = request_import("data", lambda key: None, by=staff(Role.LEAD), name="Theirs", undo_counts=False)
    with pytest.raises(Refusal, match="already"):
        request_import("data", lambda key: None, by=staff(Role.LEAD))
    waiting = researcher.get(reverse("insight:study-import", args=[made.pk])).content.decode()
    assert "The import waits for a worker." in waiting
    assert "<job-progress" in waiting
    do_import(made.pk)
    done = researcher.get(reverse("insight:study-import", args=[made.pk])).content.decode()
    assert "1 attempt, 1 win, 1 participant" in done
    assert "<job-progress" not in done
    made.refresh_from_db()
    assert (made.status, made.study is not None) == ("done", True)
    assert made.study is not None
    assert not made.study.protocol.undo_counts
    shown = researcher.get(reverse("insight:study", args=[made.study.pk])).content.decode()
    assert "People on each environment" in shown
    assert "Register what is planned" not in shown
    assert "Progress towards" not in shown
    assert signed_in(Role.PROCTOR).get(page).status_code == 403


def test_a_cancelled_import_is_gone_on_with(
    write: Write, folder: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelled on its page while it runs: what was stored stays, and the next import adds only the rest."""
    for name in "abc":
        write(name=name)
    settings.IMPORT_DIR = folder.parent
    monkeypatch.setattr(lifecycle, "_SECONDS_BETWEEN_REPORTS", 0.0)
    lead = signed_in(Role.LEAD)

    def request() -> StudyImport:
        return request_import("data", lambda key: None, by=staff(Role.LEAD))

    def store_and_cancel(*given: Any) -> Any:
        made = store(*given)
        lead.post(reverse("insight:study-import-cancel", args=[first.pk]))
        return made

    first = request()
    monkeypatch.setattr(importing, "store", store_and_cancel)
    do_import(first.pk)
    monkeypatch.setattr(importing, "store", store)
    first.refresh_from_db()
    first_ones = list(Attempt.objects.values_list("pk", flat=True))
    assert (first.status, first.study, len(first_ones)) == ("cancelled", Study.objects.get(), 1)
    page = lead.get(reverse("insight:study-import", args=[first.pk])).content.decode()
    assert "The import was cancelled. What was imported before stays" in page
    assert reverse("insight:study", args=[Study.objects.get().pk]) in page
    do_import(first.pk)
    assert Attempt.objects.count() == 1, "a cancelled job is not begun again"
    for _ in range(2):
        again = request()
        do_import(again.pk)
        again.refresh_from_db()
        assert (again.status, again.done, again.total, again.skipped) == ("done", 3, 3, [])
        stored = list(Attempt.objects.order_by("pk").values_list("pk", flat=True))
        assert (len(stored), stored[:1]) == (3, first_ones)
    assert Study.objects.count() == 1
