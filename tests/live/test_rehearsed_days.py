"""A whole day of the center, and the demonstration of a fresh installation, add up."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.live.games import WALK
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ENVIRONMENTS, ROOT, Server

pytestmark = [pytest.mark.once, pytest.mark.long]


SPEED = "150"
"""Everybody has time to check in before the fire alarm of the last slot, on a busy machine too."""
STATIONS = ("--stations", "4")


@contextmanager
def sweeping(server: Server) -> Iterator[None]:
    """The worker with its clock, which ends the sessions of people who walk out."""
    schedule = server.folder / "celerybeat-schedule"
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "playtest", "--quiet", "worker", "--beat", "--pool", "solo",
         "--loglevel", "WARNING", "--schedule", str(schedule)],
        cwd=ROOT, env=server.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield
    finally:
        worker.terminate()
        worker.wait(PATIENCE_SECONDS)


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
def test_a_day_with_no_shows_a_broken_station_and_a_pause_adds_up(
    make_server: Callable[..., Server], zone: str
) -> None:
    server = make_server(CENTER_TIME_ZONE=zone)
    root = f"http://127.0.0.1:{server.start()}"
    with sweeping(server):
        said = server.manage("simulate", "--day", "--json", *STATIONS, "--speed", SPEED, "--url", root)
    result = json.loads(said)
    told = {name: result[name] for name in ("stations", "sessions", "no_shows", "walk_ins", "adds_up")}
    assert told == {"stations": 4, "sessions": 9, "no_shows": 3, "walk_ins": 3, "adds_up": True}
    recorded = server.rows("SELECT kind, COUNT(*) FROM play_event GROUP BY kind")
    counts = dict(recorded)
    assert counts["checked_in"] == 9
    assert counts["station_changed"] == 1
    assert counts["paused"] == counts["resumed"] >= 1
    assert counts["proctor_called"] == counts["call_answered"] >= 1
    assert server.rows("SELECT COUNT(*) FROM play_attempt") == [(result["attempts"],)]
    assert not any(is_open for _, rehearsal, is_open in studies(server) if rehearsal)
    [(paid,)] = server.rows("SELECT SUM(amount) FROM center_payline")
    assert float(result["paid"]) == float(paid)
    [(earned,)] = server.rows(
        "SELECT SUM(115 + 5 * (SELECT COUNT(*) FROM play_attempt attempt"
        " WHERE attempt.session_id = session.id AND attempt.outcome = 'completed'))"
        " FROM play_session session WHERE session.consent_id IS NOT NULL AND session.ended_at IS NOT NULL"
    )
    assert float(earned) == float(paid)


ONE_SESSION = timedelta(minutes=90)
WHILE_ANSWERED = timedelta(seconds=3)
"""Virtual time advances by so much at most while an action is answered (`rehearsal.session`)."""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A games folder with one small environment and its winning recording."""
    folder = tmp_path / "games"
    shutil.copytree(ENVIRONMENTS / "wk01", folder / "wk01")
    (folder / "wk01" / "recordings").mkdir()
    (folder / "wk01" / "recordings" / "win.jsonl").write_text(f"{[0, *WALK]}\n")
    return folder


def test_the_demonstration_is_recorded_again_by_one_command(
    make_server: Callable[..., Server], games: Path, tmp_path: Path
) -> None:
    installation, to = make_server(GAMES_DIR=str(games)), tmp_path / "demonstration"
    assert "Demonstration: 14 finished" in installation.run(
        "-m", "tools.record_demonstration", "--to", str(to)
    )
    assert studies(installation) == [("Pilot", False, True), ("Demonstration", True, False)]
    assert {file.name for file in to.iterdir()} == {"interactive.zip", "simulated_reference.json"}
    assert json.loads((to / "simulated_reference.json").read_text())[0]["environment"] == "wk01"
    assert "14 checked, 0 differ" in installation.manage("verify_attempts")
    baseline = json.loads(installation.manage("baseline", "wk01", "--json"))
    assert [level["completers"] for level in baseline["levels"]] == [0] * 6
    check_people(installation)
    check_times(installation)


def studies(installation: Server) -> list[tuple[str, bool, bool]]:
    rows = installation.rows("SELECT name, rehearsal, open FROM play_study ORDER BY id")
    return [(name, bool(rehearsal), bool(is_open)) for name, rehearsal, is_open in rows]


def check_people(installation: Server) -> None:
    """Checks for fourteen simulated people; each at a station of a rehearsal."""
    rows = installation.rows(
        "SELECT simulated, COUNT(*) FROM people_participant WHERE id IN"
        " (SELECT participant_id FROM play_session) GROUP BY simulated"
    )
    assert [(bool(simulated), count) for simulated, count in rows] == [(True, 14)]
    assert installation.rows("SELECT COUNT(*) FROM play_session WHERE ended_at IS NULL") == [(0,)]
    solved = "SELECT COUNT(*) FROM play_attempt WHERE outcome = 'completed'"
    assert 3 <= installation.rows(solved)[0][0] <= 12
    stations = installation.rows("SELECT station FROM play_session ORDER BY station")
    assert len({station for (station,) in stations if station > 9000}) == 14, "a room of their own"


def check_times(installation: Server) -> None:
    """Checks that all times are within their session of ninety minutes, in the past."""
    rows = installation.rows(
        "SELECT session.checked_in_at, MIN(entry.server_time), MAX(entry.server_time),"
        " MAX(entry.client_time), session.ended_at FROM play_entry entry"
        " JOIN play_attempt attempt ON attempt.id = entry.attempt_id"
        " JOIN play_session session ON session.id = attempt.session_id GROUP BY session.id"
    )
    for row in rows:
        checked_in, first, last, last_sent, ended = map(moment, row)
        assert checked_in < first < last <= ended <= checked_in + ONE_SESSION
        assert ended < datetime.now(UTC)
        assert last - WHILE_ANSWERED <= last_sent <= last
    assert max(moment(row[2]) - moment(row[1]) for row in rows) > timedelta(minutes=1)


def moment(stored: str | datetime) -> datetime:
    """Parses a time, which SQLite returns as text."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC) if isinstance(stored, str) else stored
