"""A recording from elsewhere is watched and analysed without becoming anybody's attempt."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from engine.play.recording import write
from playtest.arena.scores import dropped
from playtest.people.roles import Role
from playtest.play.models import Attempt, Entry
from playtest.rules.run_analysis import Failure
from playtest.studio.models import Recording, Sighting
from tests import make
from tests.engine.sources import moves
from tests.engine.test_recording import recorded
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def _folder(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def lines(acts: list[int]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in write(recorded("wk01", moves("".join(map(str, acts)))))]


def drop(client: Client, text: str, name: str = "a.jsonl", code: str = "") -> HttpResponse:
    file = SimpleUploadedFile(name, text.encode())
    return client.post(reverse("arena:drop"), {"file": file, "code": code})  # type: ignore[return-value]


def watched(
    client: Client, values: list[dict[str, Any]], name: str = "a.jsonl", code: str = ""
) -> dict[str, Any]:
    """The journal that the replay of these lines loads."""
    answer = drop(client, "\n".join(map(json.dumps, values)), name, code)
    assert answer.status_code == 302, answer.content.decode()
    page = client.get(answer["Location"])
    assert page.status_code == 200
    found: dict[str, Any] = client.get(f"{answer['Location']}journal.json").json()
    return found


def test_a_run_of_a_version_that_is_here_plays_again_and_is_nobodys_attempt() -> None:
    make.environment()
    client = signed_in(Role.ENGINEER)
    before = Attempt.objects.count(), Entry.objects.count(), Recording.objects.count()
    journal = watched(client, lines(WALK))
    assert [entry["action"] for entry in journal["entries"]] == [0, *WALK]
    assert journal["otherwise"].startswith("It plays as on version")
    assert (Attempt.objects.count(), Entry.objects.count(), Recording.objects.count()) == before
    assert Sighting.objects.get().environment.code == "wk01"


def test_frames_of_a_version_that_is_not_here_are_shown_as_recorded_and_analysed() -> None:
    client = signed_in(Role.ENGINEER)
    journal = watched(client, lines([2] * 25))
    assert (journal["version"], len(journal["entries"])) == ("", 26)
    assert journal["otherwise"].startswith("No version here plays it")
    (found,) = dropped.all_dropped(staff(Role.ENGINEER))
    ((named, address),) = dropped.analysed(found["plays"][0]).plays[0].failures
    assert (named.failure, address) == (Failure.NO_EFFECT, "#action=1")


def test_frames_without_their_actions_are_shown() -> None:
    make.environment()
    client = signed_in(Role.ENGINEER)
    frames_only = lines(WALK[:3])
    for line in frames_only:
        del line["data"]["action_input"]
    lost = lines(WALK[:3])
    for line in lost:
        line["data"]["action_input"]["id"] = 0
    without_cells = lines(WALK[:3])
    for line in without_cells[1:]:
        line["data"]["action_input"] = {"id": 6}
    for values in (frames_only, lost, without_cells):
        journal = watched(client, values)
        assert [entry["action"] for entry in journal["entries"]][1:] == [dropped.UNKNOWN] * 3


def test_events_of_sessions_and_logs_of_the_official_harness_are_read() -> None:
    make.environment()
    client = signed_in(Role.ENGINEER)
    shared = {"v": 1, "t": "2026-03-27T19:01:25.000Z", "session_id": "s", "game_id": "wk01"}
    acted = {**shared, "event": "act", "action": "UP", "row": None, "col": None, "level": 1, "result": "ok"}
    pairs = zip(WALK[:3], lines(WALK[:3])[1:], strict=True)
    events = [
        {**shared, "event": "session_start", "harness": "h"},
        {**shared, "event": "llm_call", "response": "right", "state": "thinking"},
        *(acted | {"action_id": act, "grid": line["data"]["frame"][-1]} for act, line in pairs),
        {**shared, "event": "session_end", "result": "LOSS"},
    ]
    logged = [{"step": 1, "model": "m", "parsed_action": f"ACTION{act}"} for act in WALK[:3]]
    for values, code in ((events, ""), (logged, "wk01")):
        journal = watched(client, values, code=code)
        assert [entry["action"] for entry in journal["entries"]][-3:] == WALK[:3]


def test_only_who_dropped_a_recording_opens_it_until_it_is_erased() -> None:
    make.environment()
    client = signed_in(Role.ENGINEER)
    address = drop(client, "\n".join(map(json.dumps, lines(WALK))))["Location"]
    assert signed_in(Role.LEAD).get(address).status_code == 404
    assert signed_in(Role.PROCTOR).get(reverse("arena:drop")).status_code == 403
    dropped.erase_old()
    assert client.get(address).status_code == 200
    (file,) = dropped.folder().iterdir()
    then = time.time() - dropped.DAYS * 86_400 - 1
    os.utime(file, (then, then))
    dropped.erase_old()
    assert client.get(address).status_code == 404
    address = drop(client, "\n".join(map(json.dumps, lines(WALK))))["Location"]
    client.post(f"{address}remove/")
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "recording_without_actions"),
        ('{"prompt": "a"}', "recording_unknown"),
        ("[4, 4]", "environment_missing"),
        ('{"action_input": {"id": 9}}', "recording_malformed"),
        (json.dumps([4] * 5001), "recording_too_long"),
    ],
)
def test_what_cannot_be_watched_is_refused_with_a_code(text: str, code: str) -> None:
    answer = drop(signed_in(Role.ENGINEER), text)
    assert (answer.status_code, code in answer.content.decode()) == (400, True)
