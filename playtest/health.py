"""`/healthz`: whether this process can serve a participant.

Answered beside Django, on the event loop: Django's threads may all be waiting for a database that hangs.
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
SECONDS = 1.8  # the answer is there within two
MEGABYTE = 1024 * 1024

MESSAGES = {
    "database_unreachable": "The database cannot be reached. Check DATABASE_URL, or DATA_DIR and its disk.",
    "migrations_missing": "The database is older than the program. Run: manage.py prepare",
    "journal_unwritable": "The journal cannot be written. Check the database's disk, rights and locks.",
    "journal_not_durable": "Commits do not wait for the disk. Set PostgreSQL's synchronous_commit to on.",
    "clock_disagrees": "This machine's clock is not the database's. Set it right, then start again.",
    "disk_full": "The disk of DATA_DIR is nearly full. Make room on it (DISK_FREE_MEGABYTES).",
    "redis_unreachable": "Redis cannot be reached, so nobody can check in or play. Check REDIS_URL.",
}

type Scope = dict[str, Any]
type Send = Callable[[dict[str, Any]], Awaitable[None]]


async def application(scope: Scope, receive: object, send: Send) -> None:
    """200, or 503 with a coded reason, as JSON; 405 for what is no GET or HEAD."""
    if scope["method"] not in ("GET", "HEAD"):
        await _answer(send, HTTPStatus.METHOD_NOT_ALLOWED, {"status": "method_not_allowed"})
        return
    code = await problem()
    if code is None:
        await _answer(send, HTTPStatus.OK, {"status": "ok"})
    else:
        said = {"status": "unavailable", "code": code, "message": MESSAGES[code]}
        await _answer(send, HTTPStatus.SERVICE_UNAVAILABLE, said)


async def problem() -> str | None:
    """What keeps this process from serving, as a code of MESSAGES; known within two seconds."""
    if _free_megabytes() < settings.DISK_FREE_MEGABYTES:
        return "disk_full"
    try:
        async with asyncio.timeout(SECONDS):
            if settings.REDIS_URL and not await _redis_answers():
                return "redis_unreachable"
            return await _migrations() or _judged(await _beats())
    except (TimeoutError, JournalFailed):
        return "journal_unwritable"


def _free_megabytes() -> float:
    return shutil.disk_usage(settings.DATA_DIR).free / MEGABYTE


async def _redis_answers() -> bool:
    client = redis.asyncio.from_url(
        settings.REDIS_URL, socket_connect_timeout=SECONDS / 2, socket_timeout=SECONDS / 2
    )
    try:
        await client.ping()
    except (RedisError, OSError):
        return False
    finally:
        await client.aclose()
    return True


def _judged(beat: Beat) -> str | None:
    if settings.DURABLE and not beat.durable:
        return "journal_not_durable"
    return "clock_disagrees" if abs(beat.seconds_ahead) > MOST_SECONDS_APART else None


class _Shared[T]:
    """What is asked for again while it is under way is not begun a second time."""

    def __init__(self, begin: Callable[[], Awaitable[T]]) -> None:
        self._begin = begin
        self._running: asyncio.Future[T] | None = None

    async def __call__(self) -> T:
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._begin())
        return await asyncio.shield(self._running)


class _Migrations:
    """The problem with migrations, if any; once all are applied nothing is asked again."""

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


async def _answer(send: Send, status: HTTPStatus, said: dict[str, str]) -> None:
    body = json.dumps(said).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
