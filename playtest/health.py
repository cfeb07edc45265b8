"""`/healthz`: whether this process can serve a participant.

It is answered on the event loop, without Django, whose threads may all be waiting for the database.
"""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

import redis.asyncio
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from redis.exceptions import RedisError

from playtest.play.heartbeat import MOST_SECONDS_APART, Beat
from playtest.play.journal import JournalFailed, writer

PATH = "/healthz"
TIMEOUT_SECONDS = 1.8  # clients may expect an answer within two
MEGABYTE = 1024 * 1024

MESSAGES = {
    "database_unreachable": "The database cannot be reached. Check DATABASE_URL, or DATA_DIR and its disk.",
    "migrations_missing": "Migrations have not been applied. Run: manage.py prepare",
    "journal_unwritable": "The journal cannot be written. Check the database's disk, permissions and locks.",
    "journal_not_durable": "Commits do not wait for the disk. Set synchronous_commit of PostgreSQL to on.",
    "clock_disagrees": "The clocks of this machine and of the database differ. Correct them, then restart.",
    "disk_full": "The disk of DATA_DIR is nearly full. Free some space (DISK_FREE_MEGABYTES).",
    "redis_unreachable": "Redis cannot be reached, so nobody can check in or play. Check REDIS_URL.",
}

type Scope = dict[str, Any]
type Send = Callable[[dict[str, Any]], Awaitable[None]]


async def application(scope: Scope, receive: object, send: Send) -> None:
    """Answers 200, or 503 with a coded reason, as JSON; 405 for other methods than GET and HEAD."""
    if scope["method"] not in ("GET", "HEAD"):
        await _answer(send, HTTPStatus.METHOD_NOT_ALLOWED, {"status": "method_not_allowed"})
        return
    code = await problem()
    if code is None:
        await _answer(send, HTTPStatus.OK, {"status": "ok"})
    else:
        answer = {"status": "unavailable", "code": code, "message": MESSAGES[code]}
        await _answer(send, HTTPStatus.SERVICE_UNAVAILABLE, answer)


async def problem() -> str | None:
    """Why this process cannot serve, as a code of MESSAGES, within two seconds; None if it can."""
    if _free_megabytes() < settings.DISK_FREE_MEGABYTES:
        return "disk_full"
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            if settings.REDIS_URL and not await _redis_answers():
                return "redis_unreachable"
            return await _migrations() or _problem_of(await _beats())
    except (TimeoutError, JournalFailed):
        return "journal_unwritable"


def _free_megabytes() -> float:
    return shutil.disk_usage(settings.DATA_DIR).free / MEGABYTE


async def _redis_answers() -> bool:
    client = redis.asyncio.from_url(
        settings.REDIS_URL, socket_connect_timeout=TIMEOUT_SECONDS / 2, socket_timeout=TIMEOUT_SECONDS / 2
    )
    try:
        await client.ping()
    except (RedisError, OSError):
        return False
    finally:
        await client.aclose()
    return True


def _problem_of(beat: Beat) -> str | None:
    if settings.DURABLE and not beat.durable:
        return "journal_not_durable"
    return "clock_disagrees" if abs(beat.seconds_ahead) > MOST_SECONDS_APART else None


class _Shared[T]:
    """Calls that overlap share one run."""

    def __init__(self, start: Callable[[], Awaitable[T]]) -> None:
        self._start = start
        self._running: asyncio.Future[T] | None = None

    async def __call__(self) -> T:
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._start())
        return await asyncio.shield(self._running)


class _Migrations:
    """Checks whether all migrations are applied; once they are, it does not check again."""

    def __init__(self) -> None:
        self._applied = False
        self._thread = ThreadPoolExecutor(1, "health")

    async def check(self) -> str | None:
        if self._applied:
            return None
        code = await asyncio.get_running_loop().run_in_executor(self._thread, _problem_of_migrations)
        self._applied = code is None
        return code


def _problem_of_migrations() -> str | None:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "database_unreachable"
    finally:
        connection.close()
    return "migrations_missing" if missing else None


_beats = _Shared(writer.beat)
_migrations = _Shared(_Migrations().check)


async def _answer(send: Send, status: HTTPStatus, answer: dict[str, str]) -> None:
    body = json.dumps(answer).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
