"""Services of tests, the embedded broker, what shares Redis, and threads of linear algebra."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import Any

import psycopg
import pytest
import redis
from django.conf import settings
from django.core.cache import caches
from kombu import Connection
from redis import Redis

import playtest.celery
from playtest.serve.broker import Transport
from tools.faults import services

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


BODY = "x" * 5_000_000
"""Long enough in the writing for a reader to come upon it."""
MESSAGES = 8


def channel(folder: Path) -> Any:
    options = {name: str(folder) for name in ("data_folder_in", "data_folder_out", "control_folder")}
    return Connection(transport=Transport, transport_options=options).channel()


def test_a_worker_never_finds_a_message_that_is_still_being_written(tmp_path: Path) -> None:
    def write() -> None:
        writer = channel(tmp_path)
        for number in range(MESSAGES):
            writer._put("work", {"number": number, "body": BODY})

    reader = channel(tmp_path)
    seen: list[int] = []
    thread = Thread(target=write)
    thread.start()
    while len(seen) < MESSAGES:
        try:
            seen.append(reader._get("work")["number"])
        except Empty:
            assert thread.is_alive() or reader._size("work"), "a message was lost"
    thread.join()
    assert seen == list(range(MESSAGES))
    assert list(tmp_path.iterdir()) == []


def test_celery_uses_the_embedded_broker() -> None:
    transport: object = playtest.celery.app.connection_for_write("filesystem://").transport
    assert isinstance(transport, Transport)


COUNT = """
import os
from playtest import settings
before = len(os.listdir("/proc/self/task"))
import numpy, scipy.linalg
print(len(os.listdir("/proc/self/task")) - before)
"""


def test_numpy_and_scipy_start_no_threads() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    found = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, env=environment, check=True)
    assert int(found.stdout) == 0


@pytest.mark.postgresql
def test_clearing_the_cache_leaves_the_queues() -> None:
    redis, name = Redis.from_url(settings.REDIS_URL), f"{settings.REDIS_PREFIX}:queue"
    redis.rpush(name, b"a task")
    caches["default"].set_many({"one": 1, "two": 2})
    caches["default"].clear()
    assert caches["default"].get_many(["one", "two"]) == {}
    assert redis.lrange(name, 0, -1) == [b"a task"]
    redis.delete(name)


@pytest.mark.parametrize("command", [["sleep", "60"], ["true"]], ids=["never answers", "ends at once"])
def test_a_service_of_faults_that_does_not_answer_is_given_up(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "_START_SECONDS", 0.5)
    with pytest.raises(AssertionError, match="does not answer"):
        services.Service(command, tmp_path, lambda: False)
