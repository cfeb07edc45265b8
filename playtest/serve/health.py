"""Whether this process runs (`/livez`), can record play (`/healthz`), and should get people (`/readyz`).

All are answered on the event loop, without Django, whose threads may all be waiting for the database.
`/livez` depends on nothing else: restarting a process does not repair a database. `/readyz` lists everything
that is missing, and fails while the process drains.
"""

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from playtest.people.migrated import is_migrated
from playtest.play.attempt.runner import attempt_runner
from playtest.play.journal.heartbeat import MOST_SECONDS_APART, Beat
from playtest.play.journal.writer import JournalFailed, writer
from playtest.serve.deployment import disk_is_full
from playtest.serve.draining import draining

LIVE, HEALTH, READY = "/livez", "/healthz", "/readyz"
PATHS = (LIVE, HEALTH, READY)
TIMEOUT_SECONDS = 1.8  # clients may expect an answer within two

MESSAGES = {
    "database_unreachable": "The database cannot be reached. Check DATABASE_URL, or DATA_DIR and its disk.",
    "migrations_missing": "Migrations have not been applied. Run: manage.py prepare",
    "journal_unwritable": "The journal cannot be written. Check the database's disk, permissions and locks.",
    "journal_not_durable": "Commits do not wait for the disk. Set synchronous_commit of PostgreSQL to on.",
    "clock_disagrees": "The clocks of this machine and of the database differ. Correct them, then restart.",
    "disk_full": "The disk of DATA_DIR is nearly full. Free some space (DISK_FREE_MEGABYTES).",
    "redis_unreachable": "Redis cannot be reached: play goes on, but no worker works. Check REDIS_URL.",
    "no_engine_host": "No process that plays environments can be started. Check memory and log.",
    "draining": "This process is about to end, and takes no new connections. Ask another one.",
}
GOES_ON = frozenset({"redis_unreachable"})
"""Problems with which people check in and play as ever (`playtest.serve.redis_outage`)."""
_HOSTS_KNOWN_SECONDS = 30.0

type Scope = dict[str, Any]
type Send = Callable[[dict[str, Any]], Awaitable[None]]


async def application(scope: Scope, receive: object, send: Send) -> None:
    """Answers 200, or 503 with coded reasons, as JSON; 405 for other methods than GET and HEAD."""
    if scope["method"] not in ("GET", "HEAD"):
        await _answer(send, HTTPStatus.METHOD_NOT_ALLOWED, {"status": "method_not_allowed"})
    elif scope["path"] == LIVE:
        await _answer(send, HTTPStatus.OK, {"status": "ok"})
    elif scope["path"] == READY:
        codes = await problems()
        ready = GOES_ON.issuperset(codes)
        status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
        found = [{"code": code, "message": MESSAGES[code]} for code in codes]
        await _answer(send, status, {"status": "ready" if ready else "not_ready", "problems": found})
    elif (code := await problem()) is None:
        await _answer(send, HTTPStatus.OK, {"status": "ok"})
    else:
        answer = {"status": "unavailable", "code": code, "message": MESSAGES[code]}
        await _answer(send, HTTPStatus.SERVICE_UNAVAILABLE, answer)


async def problem() -> str | None:
    """Why this process cannot record play, as a code of MESSAGES, within two seconds; None if it can."""
    return _disk() or await _in_time(_stored, "journal_unwritable")


async def problems() -> list[str]:
    """What is wrong with this process or what it needs, as codes of MESSAGES, within two seconds."""
    waited = await asyncio.gather(
        _in_time(_redis, "redis_unreachable"),
        _in_time(_stored, "journal_unwritable"),
        _in_time(_hosts, "no_engine_host"),
    )
    return [code for code in ("draining" if draining.begun else None, _disk(), *waited) if code]


async def _in_time(check: Callable[[], Awaitable[str | None]], late: str) -> str | None:
    try:
        return await asyncio.wait_for(check(), TIMEOUT_SECONDS)
    except (TimeoutError, JournalFailed):
        return late


async def _stored() -> str | None:
    return await _migrations() or _problem_of(await _beats())


def _disk() -> str | None:
    return "disk_full" if disk_is_full() else None


async def _redis() -> str | None:
    if not settings.REDIS_URL:
        return None
    import redis.asyncio  # only where it is used: it is slow to import

    client = redis.asyncio.from_url(
        settings.REDIS_URL, socket_connect_timeout=TIMEOUT_SECONDS / 2, socket_timeout=TIMEOUT_SECONDS / 2
    )
    try:
        await client.ping()
    except (redis.RedisError, OSError):
        return "redis_unreachable"
    finally:
        await client.aclose()
    return None


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


async def _problem_of_migrations() -> str | None:
    return await asyncio.get_running_loop().run_in_executor(_thread, _missing_migrations)


def _missing_migrations() -> str | None:
    try:
        migrated = is_migrated()
    except DatabaseError:
        return "database_unreachable"
    finally:
        connection.close()
    return None if migrated else "migrations_missing"


async def _problem_of_hosts() -> str | None:
    return None if await attempt_runner().can_start() else "no_engine_host"


class _Known:
    """A check that, once it has found nothing, does not look again for so many seconds."""

    def __init__(self, check: Callable[[], Awaitable[str | None]], seconds: float) -> None:
        self._check = check
        self._seconds = seconds
        self._until = -math.inf

    async def __call__(self) -> str | None:
        if time.monotonic() < self._until:
            return None
        code = await self._check()
        if code is None:
            self._until = time.monotonic() + self._seconds
        return code


_thread = ThreadPoolExecutor(1, "health")
_beats = _Shared(writer.beat)
_migrations = _Shared(_Known(_problem_of_migrations, math.inf))
_hosts = _Shared(_Known(_problem_of_hosts, _HOSTS_KNOWN_SECONDS))


async def _answer(send: Send, status: HTTPStatus, answer: dict[str, Any]) -> None:
    body = json.dumps(answer).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
