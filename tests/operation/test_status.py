"""The status page says what needs attention, and shows empty and failing states."""

import re
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from playtest.operation import presence
from playtest.operation.installation import record_maintenance, status
from playtest.operation.models import MaintenanceKind, RunningProcess
from playtest.people.release import release, version
from playtest.people.roles import Role
from playtest.play.clock import machine_now, now
from playtest.play.models import Event, EventKind, OutsideStudy, Session
from tests import make
from tests.staff import signed_in

ROOT = Path(__file__).parents[2]


@pytest.mark.django_db
@pytest.mark.once
def test_the_page_shows_what_runs_and_what_was_done() -> None:
    lead = signed_in(Role.LEAD)
    empty = lead.get("/staff/operation/").content.decode()
    assert "No process has reported yet" in empty
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


@pytest.mark.django_db
def test_an_outage_is_of_the_servers_here() -> None:
    here, elsewhere = (make.session(make.study(name=name)) for name in ("here", "elsewhere"))
    OutsideStudy.objects.create(study=elsewhere.study, source="a data set", licence="MIT", imported_at=now())
    ended = machine_now() - timedelta(hours=1)
    own = {"reason": "", "all": False, "outage": True, "own": True}
    servers = {"reason": "", "all": True, "outage": True}

    def seen(session: Session, details: dict[str, Any]) -> tuple[datetime, datetime] | None:
        times = {EventKind.PAUSED: ended - timedelta(seconds=7), EventKind.RESUMED: ended}
        for kind, at in times.items():
            Event.objects.create(session=session, kind=kind, server_time=at, details=details)
        return status().outage

    assert seen(here, own) is None
    assert seen(elsewhere, servers) is None
    assert seen(here, servers) == (ended - timedelta(seconds=7), ended)


def test_the_version_tells_two_states_of_one_number_apart(tmp_path: Path, settings: Any) -> None:
    """Without a repository, as in an image, and where git refuses to read another owner's folder."""
    settings.BASE_DIR = tmp_path
    (tmp_path / "VERSION").write_text("1.2.3\n")
    (tmp_path / "engine").mkdir()
    found = []
    for text in ("a = 1", "a = 2"):
        (tmp_path / "engine" / "one.py").write_text(text)
        found.append(version.__wrapped__())
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \([0-9a-f]{8}\)", one) for one in found)
    assert found[0] != found[1]


def test_the_version_is_a_release_or_the_next_one() -> None:
    number = tuple(map(int, release().split(".")))
    notes = (ROOT / "CHANGELOG.md").read_text()
    newest = max(
        tuple(map(int, one)) for one in re.findall(r"^## (\d+)\.(\d+)\.(\d+) \(", notes, re.MULTILINE)
    )
    assert number == newest or (number > newest and "\n## Next" in notes)


def test_each_tag_is_a_release_of_the_changelog_with_its_number_and_date() -> None:
    """Where the history is there with its tags; `make release` asks the same of the commit that is tagged."""
    listed = [
        "git",
        "for-each-ref",
        "refs/tags/v*",
        "--format=%(refname:lstrip=2) %(objecttype) %(*committerdate:short)",
    ]
    tags = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    notes = re.findall(r"^## (\d+\.\d+\.\d+) \((\S+)\)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert set(tags) <= {f"v{number} tag {day}" for number, day in notes}
    for tag in (line.split()[0] for line in tags):
        shown = subprocess.run(["git", "show", f"{tag}:VERSION"], cwd=ROOT, capture_output=True, text=True)
        assert shown.returncode or f"v{shown.stdout.strip()}" == tag


@pytest.mark.django_db
@pytest.mark.once
def test_a_start_says_its_version_and_who_runs_another(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "playtest.operation.presence")
    now = machine_now()
    RunningProcess.objects.create(
        name="worker", machine="room-1", pid=7, version="0.0.1 (aa)", started_at=now, seen_at=now
    )
    presence._say_version("web 127.0.0.1:8000")
    assert f"web 127.0.0.1:8000 starts, Playtest {version()}" in caplog.text
    assert "worker on room-1 runs 0.0.1 (aa)" in caplog.text
