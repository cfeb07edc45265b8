"""Recordings of every dialect are played as arcengine plays them, which shows what they are."""

import json
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from django.urls import reverse

from engine.prove.player import Player
from engine.prove.qualification.fixed_checks import check_recordings
from playtest.people.roles import Role
from playtest.studio.models import Recording, Version
from playtest.studio.services import load_environments
from playtest.studio.services.qualifications import recordings_of, source_of
from tests.make import ENVIRONMENTS
from tests.staff import signed_in
from tests.studio.versions import fewest

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WIN = [4, 5, 4] * 3
CLICKS = [[6, 3 + 8 * number, 27] for number in range(6)]


def imported(folder: Path, code: str, **files: Sequence[Any] | str) -> tuple[dict[str, Recording], str]:
    """The recordings of an environment that come of these files, by name, and what is said of them.

    A file is its text, or a list of actions: numbers, or [id, x, y].
    """
    place = copytree(ENVIRONMENTS / code, folder / code, dirs_exist_ok=True) / "recordings"
    place.mkdir(exist_ok=True)
    for name, content in files.items():
        text = content if isinstance(content, str) else "".join(map(official_line, content))
        (place / f"{name}.jsonl").write_text(text)
    (loaded,) = load_environments(folder)
    assert loaded.status != "rejected", loaded.reason
    return {one.name: one for one in Recording.objects.all()}, loaded.reason


def official_line(action: Any) -> str:
    """As the official lists of actions have it: without frames, the game's id among an action's data."""
    number, *cell = action if isinstance(action, list) else [action]
    data = {"game_id": "av01-1"} | dict(zip("xy", cell, strict=False))
    said = {"action_input": {"id": number, "data": data, "reasoning": None}}
    return json.dumps({"data": said}) + "\n"


def version_of(recordings: dict[str, Recording]) -> Version:
    return next(iter(recordings.values())).version


def failing(version: Version) -> list[str]:
    """What a qualification says of the recordings that it fails."""
    findings = check_recordings(Player(source_of(version)), recordings_of(version), lambda done: None)
    return [finding.message for finding in findings if finding.code != "no_recordings"]


def watched(recording: Recording) -> dict[str, Any]:
    answer = signed_in(Role.RESEARCHER).get(reverse("review:stored-recording-journal", args=[recording.pk]))
    assert answer.status_code == 200, answer.content
    document: dict[str, Any] = answer.json()
    return document


def test_actions_that_are_not_available_are_carried_out_and_count(tmp_path: Path) -> None:
    found, said = imported(tmp_path, "av01", play=[4, 4, 1, 5, 4, *WIN[3:]])
    won = found["play"]
    assert (won.kind, won.levels_completed[-1], len(won.actions)) == ("win", 3, 11)
    assert "2 actions unavailable at that moment are played and counted, as by arcengine." in won.remark
    assert "recordings/play.jsonl (win): " in said
    entries = watched(won)["entries"]
    assert [entry["levels_completed"] for entry in entries[:6]] == [0, 0, 0, 0, 0, 1]
    assert entries[2]["changed"], "the environment counts the action, and shows it"
    assert failing(won.version) == []
    assert fewest(won.version) == {1: 5, 2: 3, 3: 3}


def test_a_click_only_environment_is_won_between_keys_that_do_nothing(tmp_path: Path) -> None:
    mixed = [act for click in CLICKS for act in (3, click)]
    found, _ = imported(tmp_path, "cl01", mixed=mixed)
    assert (found["mixed"].kind, len(found["mixed"].actions)) == ("win", 12)
    assert failing(found["mixed"].version) == []
    assert fewest(found["mixed"].version) == dict.fromkeys(range(1, 7), 2)


def test_actions_after_the_win_are_not_played_and_this_is_reported(tmp_path: Path) -> None:
    found, said = imported(tmp_path, "av01", play=[*WIN, 4, 0, 5, 4])
    won = found["play"]
    assert (won.kind, len(won.actions), won.remark) == ("win", 9, "4 actions after the win are not played.")
    assert said == "recordings/play.jsonl (win): 4 actions after the win are not played."
    assert watched(won)["entries"][-1]["state"] == "WIN"
    assert failing(won.version) == []
    page = signed_in(Role.RESEARCHER).get(reverse("review:stored-recording", args=[won.pk])).text
    assert "4 actions after the win are not played." in page


def test_a_recording_stored_with_actions_after_its_win_plays_up_to_it(tmp_path: Path) -> None:
    found, _ = imported(tmp_path, "av01", play=WIN)
    won = found["play"]
    won.actions += [[4, None, None], [0, None, None]]
    won.save()
    assert len(watched(won)["entries"]) == 10
    assert failing(won.version) == []


def test_actions_after_a_loss_are_left_out(tmp_path: Path) -> None:
    found, _ = imported(tmp_path, "av01", play=[5] * 8 + [4, 4, 0, *WIN])
    won = found["play"]
    assert (won.kind, len(won.actions)) == ("win", 8 + 1 + 9)
    assert "2 actions after a loss, where only RESET does anything, are left out." in won.remark
    assert failing(won.version) == []
    assert fewest(won.version) == {1: 3, 2: 3, 3: 3}, "what came before the reset is no part of it"


@pytest.mark.parametrize(
    ("name", "actions", "kind", "remark"),
    [
        ("loss", WIN, "win", ""),
        ("win", [4, 5, 4, *[4] * 8], "loss", "7 actions unavailable at that moment"),
        ("1-play", [4, 5], "unfinished", "It ends neither in a win nor in a loss."),
    ],
)
def test_the_type_is_found_by_playing_and_not_by_the_name(
    tmp_path: Path, name: str, actions: list[int], kind: str, remark: str
) -> None:
    found, said = imported(tmp_path, "av01", **{name: actions})
    assert found[name].kind == kind
    assert remark in found[name].remark
    assert remark in said
    assert failing(found[name].version) == [], "an unfinished one fails nothing"


def test_trailing_lines_that_say_of_no_action_are_accepted(tmp_path: Path) -> None:
    text = "".join(map(official_line, WIN))
    footer = json.dumps(
        {"data": {"won": 1, "played": 1, "total_actions": 9, "levels_completed": 3, "cards": {}}}
    )
    found, said = imported(
        tmp_path,
        "av01",
        test=text + '{"test": true}\n',
        footer=f"{text}{footer}\n",
        both=f'{text}{footer}\n{{"test": 1}}\n',
    )
    assert {name: (one.kind, len(one.actions)) for name, one in found.items()} == dict.fromkeys(
        ("test", "footer", "both"), ("win", 9)
    )
    assert said == ""


def test_a_dialect_without_actions_is_skipped_with_a_reason(tmp_path: Path) -> None:
    lost = [
        {"game_id": "av01", "frame": [[[colour] * 64] * 64], "state": state, "score": score, "win_score": 3,
         "action_input": {"id": 0, "data": {}, "reasoning": None}}
        for colour, score, state in [(1, 0, "NOT_FINISHED"), (2, 1, "NOT_FINISHED"), (3, 3, "WIN")]
    ]  # fmt: skip
    text = "".join(json.dumps({"timestamp": "2026-01-05T10:00:00", "data": line}) + "\n" for line in lost)
    found, said = imported(tmp_path, "av01", agent=text + json.dumps({"data": {"won": 1, "played": 1}}))
    assert found == {}
    assert said.startswith("recordings/agent.jsonl is left out: recording_without_actions: ")
    assert "nothing can be replayed from it" in said


def test_a_recording_of_resets_alone_is_reported(tmp_path: Path) -> None:
    found, _ = imported(tmp_path, "av01", agent=[0, 0, 0])
    assert (found["agent"].kind, found["agent"].levels_completed[-1]) == ("unfinished", 0)
    assert "It has no action but RESET" in found["agent"].remark


def test_a_recording_with_another_result_is_reported_and_fails(tmp_path: Path) -> None:
    turn = {"action_input": {"id": 4}, "score": 3, "state": "WIN", "win_score": 3}
    found, said = imported(tmp_path, "av01", claims=json.dumps({"data": turn}))
    assert (found["claims"].kind, found["claims"].levels_completed) == ("unfinished", [])
    assert "(unfinished): The replay differs from the recording from action 1 on." in said
    assert fewest(found["claims"].version) == {}


def test_a_reset_restarts_the_whole_game_unless_the_file_states_otherwise(tmp_path: Path) -> None:
    list_of_actions = [*WIN[:3], 0, *WIN]
    lines = [
        {"action_input": {"id": act}, "levels_completed": done, "win_levels": 3, "state": state}
        for act, done, state in [
            (0, 0, "NOT_FINISHED"), (4, 0, "NOT_FINISHED"), (5, 0, "NOT_FINISHED"), (4, 1, "NOT_FINISHED"),
            (0, 1, "NOT_FINISHED"), (4, 1, "NOT_FINISHED"),
        ]
    ]  # fmt: skip
    text = "".join(json.dumps({"data": line}) + "\n" for line in lines)
    found, _ = imported(tmp_path, "av01", official=list_of_actions, person=text)
    assert (found["official"].kind, found["official"].as_arcengine) == ("win", True)
    assert found["official"].levels_completed[:6] == [0, 0, 0, 1, 0, 0]
    assert (found["person"].kind, found["person"].as_arcengine) == ("unfinished", False)
    assert found["person"].levels_completed == [0, 0, 0, 1, 1, 1]
    assert failing(found["person"].version) == []
    assert fewest(found["official"].version) == {1: 3, 2: 3, 3: 3}
