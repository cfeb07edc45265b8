"""`/healthz` and `/readyz` answer 200 only if participants can be served, and answer whatever hangs."""

import asyncio
import json
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import Message
from typing import Any
from unittest.mock import AsyncMock
from urllib.error import HTTPError, URLError

import psycopg
import pytest

from playtest.serve import health
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ROOT, Server, free_port, wait_until_healthy
from tests.live.station import Station
from tests.live.visitor import Visitor
from tests.play.processes import wait_until


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
        with closing(sqlite3.connect(server.database, timeout=20, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            yield
            connection.execute("ROLLBACK")


def test_a_prepared_installation_is_healthy_and_each_request_writes(server: Server, port: int) -> None:
    status, said, headers = ask(port)
    assert (status, said) == (200, {"status": "ok"})
    assert headers["cache-control"] == "no-store"
    [before] = server.rows("SELECT max(at) FROM play_heartbeat")
    assert ask(port, "HEAD")[0] == 200
    [after] = server.rows("SELECT max(at) FROM play_heartbeat")
    assert after > before
    assert ask(port, "POST")[0] == 405


def test_an_unwritable_journal_is_reported_until_it_recovers(server: Server, port: int) -> None:
    execute(server, "ALTER TABLE play_heartbeat RENAME TO elsewhere")
    try:
        assert problem(port) == "journal_unwritable"
    finally:
        execute(server, "ALTER TABLE elsewhere RENAME TO play_heartbeat")
    wait_until_healthy(port, server.processes[port])


async def test_a_hanging_database_is_reported_before_its_timeout(server: Server, port: int) -> None:
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
    # It first records what waited and, after three seconds, an outage: that may take longer than an answer.
    await asyncio.to_thread(wait_until_healthy, port, server.processes[port])


async def answer_here(monkeypatch: pytest.MonkeyPatch, path: str) -> tuple[int, dict[str, Any]]:
    """The answer of this process, of which only disk and Redis are asked."""
    for name in ("_stored", "_hosts"):
        monkeypatch.setattr(health, name, AsyncMock(return_value=None))
    send = AsyncMock()
    await health.application({"method": "GET", "path": path}, None, send)
    (start,), (body,) = (call.args for call in send.await_args_list)
    return start["status"], json.loads(body["body"])


@pytest.mark.once
async def test_everything_that_is_missing_is_listed(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.DISK_FREE_MEGABYTES, settings.REDIS_URL = 1e12, f"redis://127.0.0.1:{free_port()}/0"
    status, said = await answer_here(monkeypatch, "/healthz")
    assert (status, said["code"]) == (503, "disk_full")
    status, said = await answer_here(monkeypatch, "/readyz")
    assert status == 503
    assert [one["code"] for one in said["problems"]] == ["disk_full", "redis_unreachable"]
    assert settings.REDIS_URL not in str(said)


@pytest.mark.once
async def test_a_redis_without_answers_is_reported(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        status, said = await answer_here(monkeypatch, "/readyz")
    assert (status, [one["code"] for one in said["problems"]]) == (200, ["redis_unreachable"])


@pytest.mark.once
def test_missing_migrations_are_reported_and_people_check_in_without_redis(server: Server) -> None:
    person = server.seed(stage="new")["people"][0]
    execute(server, "UPDATE django_migrations SET app = 'away' WHERE app = 'play'")
    try:
        with started(server, REDIS_URL=f"redis://127.0.0.1:{free_port()}/0") as port:
            assert problem(port) == "migrations_missing"
            wait_until(lambda: "no_engine_host" not in ready(port)[1])
            assert ready(port) == (503, ["redis_unreachable", "migrations_missing"])
            execute(server, "UPDATE django_migrations SET app = 'play' WHERE app = 'away'")
            assert ask(port)[0] == 200
            assert "redis_unreachable" in ready(port)[1]
            check_in(port, person["code"])
    finally:
        execute(server, "UPDATE django_migrations SET app = 'play' WHERE app = 'away'")


def check_in(port: int, code: str) -> None:
    visitor = Visitor(port)
    visitor.get("/")
    answer = visitor.post("/", code=code)
    assert answer.status == 200
    assert "I agree" in answer.text


@pytest.mark.postgresql
def test_commits_that_do_not_wait_for_the_disk_are_reported(server: Server) -> None:
    with started(server, PGOPTIONS="-c synchronous_commit=off") as port:
        assert problem(port) == "journal_not_durable"


def execute(server: Server, statement: str) -> None:
    if server.database.startswith("postgres"):
        with psycopg.connect(server.database, autocommit=True) as connection:
            connection.execute(statement.encode())
    else:
        with closing(sqlite3.connect(server.database, timeout=20, isolation_level=None)) as connection:
            connection.execute(statement)
