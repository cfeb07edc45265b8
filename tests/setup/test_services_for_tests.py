"""scripts/with-services runs PostgreSQL and Redis for one command and removes them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis

WITH_SERVICES = Path(__file__).parents[2] / "scripts" / "with-services"

REPORT = """
import os, psycopg, redis
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    print(connection.execute("show fsync").fetchone()[0])
with redis.from_url(os.environ["REDIS_URL"]) as client:
    print(client.ping())
print(os.environ["DATABASE_URL"], os.environ["REDIS_URL"])
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([WITH_SERVICES, *command], capture_output=True, text=True, check=False)


def assert_gone(database_url: str, redis_url: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="refused"):
        psycopg.connect(database_url)
    with redis.from_url(redis_url) as client, pytest.raises(redis.ConnectionError):
        client.ping()


def test_the_command_has_both_services_and_they_end_with_it() -> None:
    finished = run("--durable", sys.executable, "-c", f"{REPORT}\nraise SystemExit(7)")
    fsync, pong, database_url, redis_url = finished.stdout.split()
    assert (finished.returncode, fsync, pong) == (7, "on", "True")
    assert_gone(database_url, redis_url)


def test_termination_stops_the_command_and_both_services() -> None:
    with subprocess.Popen(
        [WITH_SERVICES, sys.executable, "-c", REPORT + "\nprint(flush=True)\nimport time\ntime.sleep(600)"],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for _ in range(2):
            process.stdout.readline()
        database_url, redis_url = process.stdout.readline().split()
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert_gone(database_url, redis_url)


def test_unknown_command_is_named() -> None:
    failed = run("no-such-command")
    assert failed.returncode == 1
    assert "cannot run no-such-command" in failed.stderr
