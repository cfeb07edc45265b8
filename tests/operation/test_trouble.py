"""What needs attention is one list, which pages, metrics, alarms and docs/alarms.md agree on."""

import fcntl
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from playtest.asgi import counted
from playtest.operation.alarms import all_alarms
from playtest.operation.counted import Lately, locked_sign_ins, server_errors
from playtest.operation.installation import Status, record_maintenance
from playtest.operation.models import Maintenance, MaintenanceKind, RunningProcess
from playtest.operation.tasks import audit_if_due
from playtest.operation.trouble import Code, of_status
from playtest.operation.trouble import now as now_troubled
from playtest.people.roles import Role
from playtest.play.clock import machine_now
from tests.staff import signed_in

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def process(
    name: str, version: str = "abc", *, silent: bool = False, runs: timedelta = timedelta(hours=1)
) -> RunningProcess:
    times = {"started_at": NOW - runs, "seen_at": NOW - timedelta(seconds=90 if silent else 5)}
    return RunningProcess(name=name, machine="room-1", version=version, **times)


def done(ago: timedelta, *, succeeded: bool = True, summary: str = "") -> Maintenance:
    return Maintenance(ended_at=NOW - ago, succeeded=succeeded, summary=summary)


SOUND = Status(
    NOW,
    processes=[process(name) for name in ("web 127.0.0.1:8000", "worker", "exporter", "studio", "beat")],
    queues={"celery": 2},
    backup=done(timedelta(hours=9)),
    audit=done(timedelta(hours=20)),
    free_bytes=int(50e9),
    total_bytes=int(100e9),
    journal_at=NOW - timedelta(seconds=9),
    signed_at=NOW - timedelta(hours=11),
    unsigned_since=NOW - timedelta(hours=11),
)


def without(name: str) -> list[RunningProcess]:
    return [one for one in SOUND.processes if one.kind != name]


def test_a_sound_installation_needs_no_attention() -> None:
    assert of_status(SOUND) == []


TROUBLES: list[tuple[dict[str, Any], str, str]] = [
    ({"processes": [*SOUND.processes, process("studio", silent=True)]}, "process_silent", "silent for 90 s"),
    ({"processes": without("web")}, "process_missing", "No process web runs"),
    ({"processes": without("worker")}, "process_missing", "ends no overdue session"),
    ({"processes": without("exporter")}, "process_missing", "makes no export"),
    ({"processes": without("studio")}, "process_missing", "audits nothing"),
    ({"processes": [*without("beat"), process("beat", silent=True)]}, "process_missing", "silent for 90 s"),
    ({"processes": [*SOUND.processes, process("x", "old")]}, "versions_differ", "versions: abc, old"),
    ({"journal_at": NOW - timedelta(seconds=40)}, "journal_silent", "nobody's play is recorded"),
    ({"queues": None}, "broker_away", "broker of the queues cannot be reached"),
    ({"queues": {"studio": 101}}, "queue_long", "101 calls wait in the queue studio"),
    ({"backup": None}, "backup_missing", "no backup yet"),
    ({"backup": done(timedelta(hours=37))}, "backup_old", "than a day and a half"),
    ({"audit": None}, "audit_missing", "never audited"),
    ({"audit": done(timedelta(0), succeeded=False, summary="2 findings")}, "audit_failed", "something: 2"),
    ({"audit": done(timedelta(hours=37))}, "audit_old", "older than a day and a half"),
    ({"unsigned_since": NOW - timedelta(hours=27)}, "day_unsigned", "since 2026-11-22 09:00 UTC"),
    ({"anchors": ("The signed day 2026-11-20 has not reached mail.",)}, "anchor_waits", "not reached mail"),
    ({"free_bytes": int(1e9)}, "disk_low", "1.0 GB are free"),
    ({"outage": (NOW - timedelta(hours=2), NOW - timedelta(minutes=119))}, "outage", "For 60 s no server"),
    ({"errors": Lately(3, NOW)}, "server_errors", "3 requests"),
    ({"locked": Lately(2, NOW)}, "sign_ins_locked", "2 sign-ins"),
]


@pytest.mark.parametrize(("change", "code", "said"), TROUBLES)
def test_each_trouble_is_one_sentence(change: dict[str, Any], code: str, said: str) -> None:
    [trouble] = of_status(replace(SOUND, **change))
    assert trouble.code == code
    assert said in trouble.sentence


@pytest.mark.parametrize(
    ("runs", "codes"),
    [
        (timedelta(seconds=60), set()),
        (timedelta(seconds=61), {"process_missing"}),
        (timedelta(minutes=10), {"process_missing"}),
        (timedelta(minutes=10, seconds=1), {"process_missing", "audit_missing"}),
    ],
)
def test_what_a_start_has_not_done_yet_is_no_trouble(runs: timedelta, codes: set[str]) -> None:
    found = replace(SOUND, processes=[process("web 127.0.0.1:8000", runs=runs)], audit=None)
    assert {one.code for one in of_status(found)} == codes


def test_every_trouble_is_tried() -> None:
    assert {code for _, code, _ in TROUBLES} == set(Code)


def test_every_alarm_has_its_paragraph_and_every_paragraph_its_alarm() -> None:
    rules = Path("deploy/monitoring/playtest-alerts.yml").read_text()
    summaries = re.findall(r'summary: "(.*)"}', rules)
    assert len(summaries) == rules.count("- alert:")
    named = [summary.rpartition(f"To do: {reverse('operation:alarms')}#")[2] for summary in summaries]
    by_label = "{{ $labels.code }}"
    assert by_label in named
    [listed] = re.findall(r'playtest_troubles{code=~"(.*?)"}', rules)
    alarmed = {*named, *listed.split("|")} - {by_label}
    assert set(Code) - alarmed == set(), "each has a rule"
    written = [one.code for one in all_alarms()]
    assert sorted(written) == sorted(alarmed)
    assert all(one.text for one in all_alarms())


@pytest.fixture
def fresh() -> Iterator[None]:
    """Without what other tests counted and kept, and none of it for them."""
    cache.clear()
    yield
    cache.clear()


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.usefixtures("fresh")
def test_the_home_of_a_lead_says_what_died_and_the_navigation_counts_it() -> None:
    now = machine_now()
    for kind in (MaintenanceKind.BACKUP, MaintenanceKind.AUDIT):
        record_maintenance(kind, now, "well", succeeded=True)
    for number, one in enumerate(SOUND.processes):
        times = {"started_at": now - timedelta(hours=1), "seen_at": now, "version": "abc"}
        RunningProcess.objects.create(name=one.name, machine="room-1", pid=number, **times)
    lead = signed_in(Role.LEAD)
    assert [one.sentence for one in now_troubled()] == []
    assert "of the installation" not in lead.get("/staff/").content.decode()
    RunningProcess.objects.filter(name="beat").update(seen_at=now - timedelta(seconds=61))
    RunningProcess.objects.filter(name="exporter").delete()
    home = lead.get("/staff/").content.decode()
    assert "Nothing waits for you" not in home
    assert "No process beat runs, so the installation starts no job." in home
    assert "No process exporter runs" in home
    assert home.count("No process exporter runs") == 1
    other = lead.get("/staff/sessions/").content.decode()
    assert "2 things of the installation need attention" in other
    assert "of the installation" not in signed_in(Role.PROCTOR).get("/staff/").content.decode()
    help_page = lead.get("/staff/operation/alarms/").content.decode()
    assert help_page.index('id="process_missing"') < help_page.index('id="journal_silent"')


@pytest.mark.django_db
@pytest.mark.usefixtures("fresh")
def test_errors_and_refused_sign_ins_are_counted(client: Client) -> None:
    async def broken(scope: object, receive: object, send: Any) -> None:
        await send({"type": "http.response.start", "status": 500})

    async def ignore(message: object) -> None:
        pass

    async_to_sync(counted(broken))({}, None, ignore)
    assert server_errors.lately().number == 1
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        client.post("/staff/sign-in/", {"username": "lead", "password": "wrong"})
    assert locked_sign_ins.lately().number >= 1
    assert [one.code for one in now_troubled() if one.code in (Code.ERRORS, Code.LOCKED)] == [
        Code.ERRORS,
        Code.LOCKED,
    ]


@pytest.mark.django_db
def test_the_record_is_audited_once_a_day(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    audit_if_due()
    audit_if_due()
    [first] = Maintenance.objects.filter(kind=MaintenanceKind.AUDIT)
    assert first.summary.startswith("0 attempts")


@pytest.mark.django_db
def test_one_audit_at_a_time(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    with (tmp_path / "audit.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        audit_if_due()
    assert not Maintenance.objects.exists()
