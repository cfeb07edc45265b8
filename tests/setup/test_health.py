"""`/healthz` and `/readyz` answer 200 only if participants can be served, and answer whatever hangs."""

import asyncio
import json
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from email.message import Message
from pathlib import Path
from typing import Any
from unittest.mock import ANY
from urllib.error import HTTPError, URLError

import psycopg
import pytest

from playtest.play.clock import now
from playtest.rehearsal.clock import VirtualClock
from tests.live.conftest import make_server as make_server
from tests.live.conftest import port as port
from tests.live.conftest import seeder as seeder
from tests.live.conftest import server as server
from tests.live.conftest import templates as templates
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ROOT, Server, free_port
from tests.live.station import Station
from tests.live.visitor import Visitor


def ask(port: int, method: str = "GET", path: str = "/healthz") -> tuple[int, dict[str, Any], dict[str, str]]:
    """Returns status, body and headers of `/healthz`."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, json.loads(answer.read() or b"{}"), lower(answer.headers)
    except HTTPError as error:
        return error.code, json.loads(error.read() or b"{}"), lower(error.headers)


def lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def problem(port: int) -> str:
    """Returns the code of an answer that reports a problem."""
    status, said, _ = ask(port)
    assert status == 503, said
    assert said["message"].endswith((".", "prepare", ")")), "it says what to do"
    return str(said["code"])


def ready(port: int) -> tuple[int, list[str]]:
    """Returns the status of `/readyz`, and the codes of what is missing."""
    status, said, _ = ask(port, path="/readyz")
    assert said["status"] == ("ready" if status == 200 else "not_ready")
    return status, [one["code"] for one in said["problems"]]


@contextmanager
def started(server: Server, program: str = "playtest.serve", **settings: str) -> Iterator[int]:
    """Starts a server that can be unhealthy; returns its port once it answers."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", program],
        cwd=ROOT,
        env={**server.environment, "PORT": str(port), **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not answers(port):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def answers(port: int) -> bool:
    try:
        ask(port)
    except (URLError, ConnectionError):
        return False
    return True


@contextmanager
def nobody_can_write(server: Server) -> Iterator[None]:
    """Holds the lock that every write needs, as a hanging database would."""
    if server.database.startswith("postgres"):
        with psycopg.connect(server.database) as connection:
            connection.execute("LOCK TABLE play_entry, play_heartbeat")
            yield
    else:
        with closing(sqlite3.connect(server.database, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            yield
            connection.execute("ROLLBACK")


def test_a_prepared_installation_is_healthy(server: Server, port: int) -> None:
    status, said, headers = ask(port)
    assert (status, said) == (200, {"status": "ok"})
    assert headers["cache-control"] == "no-store"
    assert ask(port, "HEAD")[0] == 200
    assert ask(port, "POST")[0] == 405


def test_health_writes_to_the_database_in_every_request(server: Server, port: int) -> None:
    ask(port)
    [before] = server.rows("SELECT max(at) FROM play_heartbeat")
    ask(port)
    [after] = server.rows("SELECT max(at) FROM play_heartbeat")
    assert after > before


def test_a_missing_migration_is_reported(make_server: Callable[..., Server]) -> None:
    server = make_server()
    execute(server, "DELETE FROM django_migrations WHERE app = 'play'")
    with started(server) as port:
        assert problem(port) == "migrations_missing"
        assert ready(port) == (503, ["migrations_missing"])


def test_an_unwritable_journal_is_reported_until_it_recovers(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    port = server.start()
    execute(server, "ALTER TABLE play_heartbeat RENAME TO elsewhere")
    assert problem(port) == "journal_unwritable"
    execute(server, "ALTER TABLE elsewhere RENAME TO play_heartbeat")
    assert ask(port)[0] == 200


async def test_a_hanging_database_is_reported_before_its_timeout(make_server: Callable[..., Server]) -> None:
    server = make_server()
    port = server.start()
    person = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Station(port, person["seat"]) as station:
        await station.begin()
        with nobody_can_write(server):
            await station.send_action(2)
            assert await asyncio.to_thread(problem, port) == "journal_unwritable"
            assert (await asyncio.to_thread(ask, port, path="/livez"))[0] == 200, "the process runs"
        assert (await station.hear_turn()).sequence == 1, (
            "what waited for the database did not fail meanwhile"
        )
    assert await asyncio.to_thread(ask, port) == (200, {"status": "ok"}, ANY)


@pytest.mark.once
def test_a_nearly_full_disk_is_reported(make_server: Callable[..., Server]) -> None:
    address = f"redis://127.0.0.1:{free_port()}/0"
    settings = {"DISK_FREE_MEGABYTES": "1e12", "REDIS_URL": address}
    with started(make_server(), **settings) as port:
        assert problem(port) == "disk_full"
        status, said, _ = ask(port, path="/readyz")
    assert status == 503
    codes = [one["code"] for one in said["problems"]]
    assert codes[:2] == ["disk_full", "redis_unreachable"], "everything that is missing is listed"
    assert address not in str(said)


@pytest.mark.once
def test_a_redis_that_is_gone_is_reported_and_people_check_in(make_server: Callable[..., Server]) -> None:
    server = make_server()
    person = server.seed(stage="new")["people"][0]
    with started(server, REDIS_URL=f"redis://127.0.0.1:{free_port()}/0") as port:
        assert ask(port)[0] == 200
        codes = ready(port)[1]
        assert "redis_unreachable" in codes
        status, page = check_in(port, person["code"])
    assert status == 200
    assert "I agree" in page


@pytest.mark.once
def test_a_redis_without_answers_is_reported(make_server: Callable[..., Server]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        with started(make_server(), REDIS_URL=address) as port:
            status, codes = ready(port)
            assert "redis_unreachable" in codes
            assert status == 200 or len(codes) > 1


def test_commits_that_do_not_wait_for_the_disk_are_reported(make_server: Callable[..., Server]) -> None:
    server = make_server()
    if not server.database.startswith("postgres"):
        port = server.start()
        assert ask(port)[0] == 200, "SQLite always waits for it"
        return
    with started(server, PGOPTIONS="-c synchronous_commit=off") as port:
        assert problem(port) == "journal_not_durable"


def check_in(port: int, code: str) -> tuple[int, str]:
    """Checks in with the form of the welcome page."""
    visitor = Visitor(port)
    visitor.get("/")
    answer = visitor.post("/", code=code)
    return answer.status, answer.text


def execute(server: Server, statement: str) -> None:
    if server.database.startswith("postgres"):
        with psycopg.connect(server.database, autocommit=True) as connection:
            connection.execute(statement.encode())
    else:
        with closing(sqlite3.connect(server.database, timeout=20, isolation_level=None)) as connection:
            connection.execute(statement)


def test_a_rehearsals_server_may_lose_a_commit(make_server: Callable[..., Server], tmp_path: Path) -> None:
    VirtualClock.create(tmp_path / "clock", now())
    settings = {
        "DJANGO_SETTINGS_MODULE": "playtest.rehearsal.settings",
        "REHEARSAL_CLOCK": str(tmp_path / "clock"),
    }
    with started(make_server(), "playtest.rehearsal.serve", **settings) as port:
        assert ask(port)[0] == 200
