"""A whole day of the center, rehearsed on a running product with its worker, adds up."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ROOT, Server

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


def test_a_day_with_no_shows_a_broken_station_and_a_pause_adds_up(make_server: Callable[..., Server]) -> None:
    server = make_server()
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
    assert server.rows("SELECT COUNT(*) FROM play_attempt") == [(result["attempts"],)]
    [(paid,)] = server.rows("SELECT SUM(amount) FROM center_payline")
    assert float(result["paid"]) == float(paid)
