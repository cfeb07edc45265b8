"""The real worker ends overdue attempts without a connection, with either broker."""

import asyncio
import subprocess
import sys
import time

import pytest

from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ROOT, Server
from tests.live.station import Station
from tests.live.visitor import Visitor

CELERY = ["-m", "celery", "-A", "playtest", "--quiet"]


@pytest.mark.postgresql
async def test_an_overdue_attempt_is_ended_by_the_worker(server: Server, port: int) -> None:
    study = {"soft_seconds": 1, "hard_seconds": 1, "away_seconds": 0}
    person = server.seed(pool=["wk01"], study=study)["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
    await asyncio.sleep(1)
    assert Visitor(port).get("/healthz").status == 200  # it says that it is up, so nothing since is an outage
    worker = start_worker(server)
    try:
        server.run(*CELERY, "call", "playtest.play.tasks.end_overdue")
        assert outcome_in_time(server, person["session"]) == "timed_out"
    finally:
        worker.terminate()
        worker.wait(PATIENCE_SECONDS)


def start_worker(server: Server) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *CELERY, "worker", "--pool", "solo", "--loglevel", "WARNING"],
        cwd=ROOT,
        env=server.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def outcome_in_time(server: Server, session: int, seconds: float = PATIENCE_SECONDS) -> str:
    """Waits for the attempt's outcome; returns an empty text at the time limit."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        [(outcome,)] = server.rows(f"SELECT outcome FROM play_attempt WHERE session_id = {session}")
        if outcome:
            return str(outcome)
        time.sleep(0.2)
    return ""
