"""The status page says what needs attention, and shows empty and failing states."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from playtest.operation.installation import Status, record_maintenance, sentences
from playtest.operation.models import Maintenance, MaintenanceKind, RunningProcess
from playtest.people.roles import Role
from playtest.play.clock import machine_now
from tests.staff import signed_in

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def process(name: str, version: str = "abc", *, silent: bool = False) -> RunningProcess:
    seen = NOW - timedelta(seconds=90 if silent else 5)
    return RunningProcess(name=name, machine="room-1", version=version, seen_at=seen)


def done(ago: timedelta, *, succeeded: bool = True, summary: str = "") -> Maintenance:
    return Maintenance(ended_at=NOW - ago, succeeded=succeeded, summary=summary)


SOUND = Status(
    NOW,
    processes=[process("web 127.0.0.1:8000"), process("worker"), process("beat")],
    queues={"celery": 2},
    backup=done(timedelta(hours=9)),
    audit=done(timedelta(days=2)),
    free_bytes=int(50e9),
    total_bytes=int(100e9),
)


def test_a_sound_installation_needs_no_attention() -> None:
    assert sentences(SOUND) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"processes": [*SOUND.processes, process("studio", silent=True)]}, "is silent for 90 s"),
        ({"processes": SOUND.processes[1:]}, "No process web runs"),
        ({"processes": [*SOUND.processes, process("studio", "old")]}, "different versions: abc, old"),
        ({"queues": None}, "broker of the queues cannot be reached"),
        ({"queues": {"studio": 101}}, "101 calls wait in the queue studio"),
        ({"backup": None}, "no backup yet"),
        ({"backup": done(timedelta(hours=37))}, "than a day and a half"),
        ({"audit": None}, "never audited"),
        ({"audit": done(timedelta(0), succeeded=False, summary="2 findings")}, "found something: 2"),
        ({"audit": done(timedelta(days=9))}, "older than a week"),
        ({"free_bytes": int(1e9)}, "1.0 GB are free"),
    ],
)  # fmt: skip
def test_each_trouble_is_one_sentence(change: dict[str, Any], said: str) -> None:
    [sentence] = sentences(replace(SOUND, **change))
    assert said in sentence


@pytest.mark.django_db
@pytest.mark.once
def test_the_page_shows_what_runs_and_what_was_done() -> None:
    lead = signed_in(Role.LEAD)
    empty = lead.get("/staff/operation/").content.decode()
    assert "No process has said that it runs" in empty
    assert "No environment has failed today" in empty
    assert "There is no backup yet" in empty
    now = machine_now()
    times = {"started_at": now - timedelta(hours=3), "seen_at": now - timedelta(minutes=5)}
    RunningProcess.objects.create(name="web 10.0.0.1:8001", machine="room-1", pid=7, version="abc", **times)
    record_maintenance(MaintenanceKind.BACKUP, now, "playtest-1: 12 entries, 3.1 MB, 0.4 s", succeeded=True)
    page = lead.get("/staff/operation/").content.decode()
    assert "12 entries, 3.1 MB" in page
    assert "web 10.0.0.1:8001 on room-1 is silent for 300 s" in page
    assert "There is no backup yet" not in page
