"""Environments are loaded from a folder: versions, recordings, and faulty ones with their code."""

import json
import os
import shutil
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from playtest.studio.models import Environment, Recording, Version
from playtest.studio.processes import game
from playtest.studio.queries.given_baseline import baseline_fault, given_baseline
from playtest.studio.services import LoadResult, load_environments
from tests.insight.games_folder import record, with_walk
from tests.live.games import WALK
from tests.make import ENVIRONMENTS

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A games folder with one environment, wk01."""
    shutil.copytree(ENVIRONMENTS / "wk01", tmp_path / "wk01")
    return tmp_path


def append(folder: Path, text: str) -> None:
    with (folder / f"{folder.name}.py").open("a") as file:
        file.write(text)


def test_a_new_environment_is_imported_with_facts_from_running_it(games: Path) -> None:
    assert load_environments(games) == [LoadResult("wk01", "imported")]
    version = Environment.objects.get(code="wk01").current
    assert version is not None
    assert (version.levels, version.available_actions, version.class_name) == (6, [1, 2, 3, 4], "Wk01")
    assert version.source == (games / "wk01" / "wk01.py").read_text()


def test_a_changed_source_is_a_new_version_beside_the_old_one(games: Path) -> None:
    load_environments(games)
    old = Version.objects.get()
    Environment.objects.update(title="Ours")
    assert load_environments(games) == [LoadResult("wk01", "unchanged")]
    assert Environment.objects.get().title == "Ours"
    append(games / "wk01", "\n# changed\n")
    assert load_environments(games) == [LoadResult("wk01", "new_version")]
    environment = Environment.objects.get()
    assert environment.versions.count() == 2
    assert environment.current != old
    assert Version.objects.get(pk=old.pk).source == old.source


@pytest.mark.services
def test_an_old_source_becomes_current_again_only_when_confirmed(games: Path) -> None:
    source = (games / "wk01" / "wk01.py").read_text()
    load_environments(games)
    first = Environment.objects.get().current
    append(games / "wk01", "\n# changed\n")
    load_environments(games)
    (games / "wk01" / "wk01.py").write_text(source)
    (asks,) = load_environments(games)
    assert (asks.status, asks.reason[:12]) == ("asks", "rolls_back: ")
    assert Environment.objects.get().current != first
    said = StringIO()
    call_command("import_environments", games, stdout=said)
    assert "with --yes does it" in said.getvalue()
    call_command("import_environments", games, "--yes", stdout=said)
    assert said.getvalue().endswith("wk01: new version\n")
    assert Environment.objects.get().current == first
    assert Version.objects.count() == 2


def test_of_several_versions_the_last_folder_is_current_each_time(tmp_path: Path) -> None:
    for name in ("v2", "v10"):
        shutil.copytree(ENVIRONMENTS / "wk01", tmp_path / "wk01" / name)
    with (tmp_path / "wk01" / "v10" / "wk01.py").open("a") as file:
        file.write("\n# b\n")
    for status in ("imported", "unchanged"):
        older, last = load_environments(tmp_path)
        current = Environment.objects.get().current
        assert current is not None
        assert current.source.endswith("# b\n")
        assert (older.status, last.status) == ("older_version", status)
        assert last.reason == f"version {current.digest[:8]} in wk01/v10"
        other = Version.objects.exclude(pk=current.pk).get()
        assert older.reason == f"version {other.digest[:8]} in wk01/v2"
    assert load_environments(tmp_path / "wk01" / "v10") == [LoadResult("wk01", "unchanged")]


def test_what_editors_and_systems_change_makes_no_version(games: Path) -> None:
    load_environments(games)
    digest, path = Version.objects.get().digest, games / "wk01" / "wk01.py"
    text = path.read_bytes().rstrip().replace(b"(ARCBaseGame):\n", b"(ARCBaseGame):  \n")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    assert load_environments(games) == [LoadResult("wk01", "unchanged")]
    assert Version.objects.get().digest == digest


def test_a_source_of_another_author_asks_before_it_takes_an_id(games: Path) -> None:
    load_environments(games)
    path = games / "wk01" / "wk01.py"
    path.write_text((ENVIRONMENTS / "ck01" / "ck01.py").read_text().replace("Ck01", "Wk01"))
    (asks,) = load_environments(games)
    assert (asks.status, asks.reason.partition(":")[0]) == ("asks", "other_author")
    assert Version.objects.count() == 1
    (taken,) = load_environments(games, confirmed=["wk01"])
    assert (taken.status, Version.objects.count()) == ("new_version", 2)


def test_another_source_of_one_game_id_asks(games: Path) -> None:
    metadata = games / "wk01" / "metadata.json"
    metadata.write_text(metadata.read_text().replace('"wk01"', '"wk01-v1"'))
    load_environments(games)
    append(games / "wk01", "\n# changed\n")
    assert load_environments(games)[0].reason.startswith("game_id_taken: ")
    assert Version.objects.count() == 1


def test_one_source_in_several_folders_and_ids_is_said_once(games: Path) -> None:
    for name in ("wk02", "wk03"):
        shutil.copytree(games / "wk01", games / name)
    with (games / "wk03" / "wk01.py").open("a") as file:
        file.write("\n# changed\n")
    shutil.copytree(games / "wk01", games / "wk04")
    metadata = games / "wk04" / "metadata.json"
    metadata.write_text(json.dumps({"game_id": "wk04", "class_name": "Wk01"}))
    (games / "wk04" / "wk01.py").rename(games / "wk04" / "wk04.py")
    older, last, other = load_environments(games)
    assert older.reason.endswith("in wk02; the same version is in wk01")
    assert (older.status, last.status) == ("older_version", "imported")
    assert other == LoadResult("wk04", "imported", "equal: wk01 (set: none) is the same")


def test_each_of_several_versions_keeps_its_own_recordings(tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copytree(ENVIRONMENTS / "wk01", tmp_path / "wk01" / name)
        (tmp_path / "wk01" / name / "recordings").mkdir()
    (tmp_path / "wk01" / "a" / "recordings" / "win.jsonl").write_text(json.dumps(WALK))
    (tmp_path / "wk01" / "b" / "recordings" / "win.jsonl").write_text("{")
    with (tmp_path / "wk01" / "b" / "wk01.py").open("a") as file:
        file.write("\n# b\n")
    older, last = load_environments(tmp_path)
    assert "recordings/win.jsonl is left out" in last.reason
    assert "left out" not in older.reason
    assert Recording.objects.get().version.source == (ENVIRONMENTS / "wk01" / "wk01.py").read_text()


def test_a_copy_with_the_id_of_its_original_is_reported(games: Path) -> None:
    shutil.copytree(games / "wk01", games / "zz01")
    append(games / "wk01", "\n# changed\n")
    older, loaded = load_environments(games)
    assert (older.status, loaded.status) == ("older_version", "imported")
    assert older.reason.endswith(" in wk01")
    assert loaded.reason.endswith(" in zz01; the folders wk01 and zz01 have this id, the last is current")


def test_the_note_and_the_title_follow_the_folder(games: Path) -> None:
    (games / "wk01" / "NOTE.md").write_text("Walk to the goal.")
    metadata = json.loads((games / "wk01" / "metadata.json").read_text())
    (games / "wk01" / "metadata.json").write_text(json.dumps({**metadata, "title": "Walking"}))
    load_environments(games)
    environment = Environment.objects.get()
    assert (environment.note, environment.title) == ("Walk to the goal.", "Walking")


@pytest.mark.parametrize(
    ("code", "appended"),
    [
        (
            "construction_failed",
            "\ndel BOARDS\ndef level(board): raise ValueError('no board')\nBOARDS = [1]\n",
        ),
        ("host_died", "\nimport os\nos._exit(3)\n"),
        ("bad_state", "\nWk01.handle_reset = lambda self: setattr(self, '_win_score', 10**30)\n"),
        ("import_failed", "\nraise RuntimeError('\\ud800\\x00')\n"),
    ],
)
def test_a_broken_environment_is_rejected_and_the_others_are_loaded(
    games: Path, code: str, appended: str
) -> None:
    shutil.copytree(ENVIRONMENTS / "ck01", games / "ck01")
    append(games / "wk01", appended)
    rejected, loaded = load_environments(games)
    assert (rejected.environment_id, rejected.status) == ("wk01", "rejected")
    assert rejected.reason.startswith(f"{code}: ")
    assert loaded == LoadResult("ck01", "imported")
    assert not Environment.objects.filter(code="wk01").exists()


def test_too_many_levels_are_reported_in_a_sentence(games: Path) -> None:
    append(games / "wk01", "\nBOARDS *= 50\n")
    (rejected,) = load_environments(games)
    assert rejected.reason == "bad_state: The environment has 300 levels: at most 255 can be played."


def test_a_folder_without_metadata_is_rejected_with_the_missing_file(games: Path) -> None:
    (games / "wk01" / "metadata.json").unlink()
    (rejected,) = load_environments(games)
    assert rejected.reason.startswith("metadata_missing: wk01: ")


def test_the_folder_of_one_environment_is_imported_and_reported_by_name(games: Path) -> None:
    assert load_environments(games / "wk01") == [LoadResult("wk01", "imported")]
    (games / "wk01" / "metadata.json").write_text("{")
    (rejected,) = load_environments(games / "wk01")
    assert (rejected.environment_id, rejected.reason[:32]) == ("wk01", "metadata_invalid: metadata.json:")


def test_an_uninterruptible_environment_is_reported_as_too_slow(
    games: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.INSPECTION_SECONDS = 0.5
    monkeypatch.setattr(game, "_PATIENCE_SECONDS", 1)
    append(games / "wk01", "\nimport collections, itertools\ncollections.deque(itertools.repeat(0), 0)\n")
    (rejected,) = load_environments(games)
    assert rejected.reason.startswith("deadline_exceeded: ")


def test_a_pipe_among_the_recordings_does_not_block(games: Path) -> None:
    (games / "wk01" / "recordings").mkdir()
    os.mkfifo(games / "wk01" / "recordings" / "win.jsonl")
    (loaded,) = load_environments(games)
    assert (loaded.status, loaded.reason[:39]) == ("imported", "recordings/win.jsonl is left out: recor")


BROKEN = {
    "im01": "import_failed",
    "nc01": "no_game_class",
    "wd01": "bad_frame",
    "fk01": "forbidden_operation",
    "mm01": "memory_exceeded",
    "lp01": "deadline_exceeded",
}


def import_all(folder: Path) -> list[dict[str, str]]:
    output = StringIO()
    call_command("import_environments", folder, json=True, stdout=output)
    found: list[dict[str, str]] = json.loads(output.getvalue())
    return found


def statuses(found: Sequence[dict[str, str]]) -> dict[str, str]:
    return {one["id"]: one["status"] for one in found}


def test_faulty_environments_are_reported_with_a_code_and_stop_no_other(
    tmp_path: Path, settings: Any
) -> None:
    settings.INSPECTION_SECONDS = 2
    settings.ENGINE_MEMORY_MEGABYTES = 100
    for code in (*BROKEN, "pf01", "fv01", "wk01"):
        shutil.copytree(ENVIRONMENTS / code, tmp_path / code)
    found = import_all(tmp_path)
    well = dict.fromkeys(("pf01", "fv01", "wk01"), "imported")
    assert statuses(found) == dict.fromkeys(BROKEN, "rejected") | well
    reasons = {one["id"]: one["reason"].partition(": ")[0] for one in found if one["status"] == "rejected"}
    assert reasons == BROKEN
    assert {one["id"]: one["reason"] for one in found if one["status"] == "imported"} == {
        "pf01": "prints: 100,000,100 bytes when it starts, which nobody sees",
        "fv01": "",
        "wk01": "",
    }
    assert all(len(one["reason"]) < 700 for one in found)
    assert {environment.code for environment in Environment.objects.all()} == set(well)


def test_metadata_that_no_database_can_store_is_rejected(tmp_path: Path) -> None:
    no_database_keeps = (
        '{"game_id": "wk01", "title": "\\ud800"}',
        '{"game_id": "wk01", "title": "\\u0000"}',
        '{"game_id": "wk01", "weight": NaN}',
        '{"game_id": "wk01", "default_fps": 100000}',
        '{"game_id": "wk01", "baseline_actions": [3.5, 3, 3, 3, 3, 3]}',
        '{"game_id": "wk01-' + "x" * 80 + '", "class_name": "Wk01"}',
    )
    for number, metadata in enumerate(no_database_keeps):
        (with_walk(tmp_path / f"{number}") / "metadata.json").write_text(metadata)
    found = [(one["status"], one["reason"].partition(": ")[0]) for one in import_all(tmp_path)]
    assert found == [("rejected", "metadata_invalid")] * len(no_database_keeps)


@pytest.mark.parametrize("given", [[0, 1, 2, 3, 4, 5], [-1] * 6, [3] * 5, [3] * 7])
def test_a_baseline_has_a_positive_number_for_each_level(given: list[int]) -> None:
    (fault,) = baseline_fault(given, 6)
    assert "6 whole numbers from 1 on are needed, one for each level, and " in fault


def test_a_baseline_that_does_not_fit_the_levels_is_named_and_not_used(games: Path) -> None:
    given, metadata = [3] * 5, games / "wk01" / "metadata.json"
    metadata.write_text(json.dumps(json.loads(metadata.read_text()) | {"baseline_actions": given}))
    for status in ("imported", "unchanged"):
        (result,) = load_environments(games)
        assert (result.status, result.reason.partition(":")[0]) == (status, "baseline_invalid")
    assert given_baseline(Version.objects.get()) == ()


def test_a_missing_folder_is_an_error_with_a_code(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"^folder_missing: "):
        import_all(tmp_path / "nowhere")


def test_recordings_beside_a_source_are_stored_in_every_dialect(tmp_path: Path) -> None:
    walk = with_walk(tmp_path)
    record(walk, "win", WALK)
    record(walk, "loss", WALK[:4])
    folder = walk / "recordings"
    (folder / "list.jsonl").write_text(json.dumps(["ACTION4", 4, {"id": 4}]))
    server = [
        {"action_input": {"id": 0}, "score": 0, "state": "NOT_FINISHED", "win_score": 6},
        {"action_input": {"id": 4}, "score": 6, "state": "WIN", "win_score": 6},
        {"won": 1, "played": 1, "total_actions": 1},
    ]
    (folder / "agent.jsonl").write_text("".join(json.dumps({"data": line}) + "\n" for line in server))
    (folder / "broken.jsonl").write_text("{")
    (found,) = import_all(tmp_path)
    assert found["status"] == "imported"
    assert "recordings/broken.jsonl is left out: recording_malformed: " in found["reason"]
    assert "recordings/agent.jsonl (unfinished): The replay differs from the recording" in found["reason"]
    stored = {(one.kind, one.name): one for one in Recording.objects.all()}
    assert set(stored) == {
        ("win", "win"),
        ("unfinished", "loss"),
        ("unfinished", "list"),
        ("unfinished", "agent"),
    }
    won = stored["win", "win"]
    assert [action[0] for action in won.actions] == WALK
    assert len(won.state_hashes) == len(WALK) + 1
    assert (won.milliseconds[:2], won.levels_completed[-1]) == ([0, 1000], 6)
    listed = stored["unfinished", "list"]
    assert (listed.actions, listed.state_hashes) == ([[4, None, None]] * 3, [])
    record(walk, "win", [2, *WALK])
    assert statuses(import_all(tmp_path)) == {"wk01": "unchanged"}
    assert len(Recording.objects.get(kind="win", name="win").actions) == len(WALK) + 1
    assert Recording.objects.count() == 4
