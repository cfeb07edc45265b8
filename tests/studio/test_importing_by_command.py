"""`manage.py import_environments`: the report of each environment, faulty ones included."""

import json
import shutil
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from playtest.studio.models import Environment, Recording
from tests.insight.games_folder import record, with_walk
from tests.live.games import WALK
from tests.make import ENVIRONMENTS

pytestmark = [pytest.mark.django_db, pytest.mark.once]

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
    settings.INSPECTION_SECONDS = 4
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
        '{"game_id": "wk01-' + "x" * 80 + '", "class_name": "Wk01"}',
    )
    for number, metadata in enumerate(no_database_keeps):
        (with_walk(tmp_path / f"{number}") / "metadata.json").write_text(metadata)
    found = [(one["status"], one["reason"].partition(": ")[0]) for one in import_all(tmp_path)]
    assert found == [("rejected", "metadata_invalid")] * len(no_database_keeps)


def test_a_missing_folder_is_an_error_with_a_code(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"^folder_missing: "):
        import_all(tmp_path / "nowhere")


@pytest.mark.services
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
