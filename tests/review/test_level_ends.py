"""The last seconds of a level, without the journal before them, show what the whole journal shows."""

from base64 import b64decode
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.play.frames import Frame, decode
from playtest.people.roles import Role
from playtest.play.models import Attempt, Entry
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def reader() -> Client:
    return signed_in(Role.DESIGNER)


def end(reader: Client, attempt: Attempt, level: int) -> dict[str, Any]:
    answer = reader.get(reverse("review:end", args=[attempt.pk]), {"level": level})
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def whole(reader: Client, attempt: Attempt) -> dict[str, Any]:
    found: dict[str, Any] = reader.get(reverse("review:journal", args=[attempt.pk])).json()
    return found


def frames(entries: list[dict[str, Any]]) -> dict[int, list[bytes]]:
    """The frames of each entry, by seq."""
    found: dict[int, list[bytes]] = {}
    before: Frame | None = None
    for entry in entries:
        shown = decode(b64decode(entry["frames"]), before)
        before, found[entry["seq"]] = shown[-1], [frame.tobytes() for frame in shown]
    return found


@pytest.mark.services
def test_the_last_20_seconds_are_those_of_the_whole_journal(reader: Client) -> None:
    stall = [1, 2] * 8
    attempt = make.play(make.session(make.study()), [*WALK[:3], *stall, *WALK[3:7]])
    everything = whole(reader, attempt)["entries"]
    for level, first, last in ((1, 0, 3), (2, 12, 22), (3, 22, 23)):
        agrees(end(reader, attempt, level), everything, first, last)


def agrees(document: dict[str, Any], everything: list[dict[str, Any]], first: int, last: int) -> None:
    assert [entry["seq"] for entry in document["entries"]] == list(range(first, last + 1))
    begin = everything[last]["time"] - (document["entries"][-1]["time"])
    assert 0 <= everything[last]["time"] - begin <= 20_000
    shown, known = frames(document["entries"]), frames(everything)
    assert shown.pop(first) == known[first][-1:]
    assert shown == {seq: known[seq] for seq in range(first + 1, last + 1)}
    for entry in document["entries"][1:]:
        assert entry["time"] == everything[entry["seq"]]["time"] - begin


def test_time_of_a_pause_is_none_of_the_last_seconds(reader: Client) -> None:
    study = make.study(people=10)
    usual = make.play(make.session(study), [2] * 20, Outcome.GAVE_UP)
    paused = make.play(make.session(study), [2] * 20, Outcome.GAVE_UP, pause=(15, 600))
    told = [
        [(entry["seq"], entry["time"]) for entry in end(reader, attempt, 1)["entries"]]
        for attempt in (usual, paused)
    ]
    assert told[0] == told[1]
    assert told[0][0] == (10, 0)
    assert [end(reader, attempt, 1)["waited"] for attempt in (usual, paused)] == [1, 1]


def test_a_level_on_which_nothing_was_done_is_its_first_frame(reader: Client) -> None:
    attempt = make.play(make.session(make.study()), WALK[:3])
    document = end(reader, attempt, 2)
    assert [(entry["seq"], entry["time"], entry["level"]) for entry in document["entries"]] == [(3, 0, 2)]
    assert end(reader, attempt, 1)["waited"] is None, "the level was completed"


def test_what_cannot_be_shown_is_refused_with_a_code(reader: Client) -> None:
    attempt = make.play(make.session(make.study()), WALK[:3])
    address = reverse("review:end", args=[attempt.pk])
    for level in ("3", "", "x", "-1", "0"):
        refused = reader.get(address, {"level": level})
        assert (refused.status_code, refused.json()["code"]) == (404, "level_not_reached"), level
    assert signed_in(Role.ENGINEER).get(address, {"level": 1}).status_code == 403
    empty = make.play(make.session(make.study()), [], None)
    Entry.objects.bulk_create([Entry(**damaged(empty))])
    refused = reader.get(reverse("review:end", args=[empty.pk]), {"level": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "record_damaged")


def damaged(attempt: Attempt) -> dict[str, Any]:
    """The next entry of an attempt, with frames that are none."""
    first = attempt.entries.values().get(seq=0)
    return first | {"id": None, "seq": 1, "frames": b"none"}
