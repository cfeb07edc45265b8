"""`/metrics`: what this process has measured, in Prometheus' text format. Plain ASGI beside Django.

It is for those who have METRICS_TOKEN, and for METRICS_NETWORKS (by default this machine) when they ask this
process directly: behind a proxy everybody has the proxy's address, so a request that was passed on needs the
token. Each process answers for itself, on its own port. What the database says is read in its own thread,
at most every five seconds.
"""

import asyncio
import hmac
import shutil
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.db.models import Count, Max
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from playtest.operation.installation import Status, queue_lengths, status
from playtest.operation.models import Maintenance
from playtest.operation.trouble import MEANINGS, Code, of_status
from playtest.play.attempt.runner import attempt_runner
from playtest.play.journal.writer import writer
from playtest.play.models import Attempt, Session
from playtest.review.models import Flag
from playtest.review.queries.attempts import unacknowledged_faults
from playtest.rules.attempt import PlayedBy
from playtest.serve.draining import draining

_FRESH_SECONDS = 5.0
_MOST_SECONDS = 4.0  # a Redis that does not answer takes two of them


@dataclass(frozen=True)
class Stored:
    """Counts by label; `known` is False if the database did not answer in time."""

    known: bool = False
    sessions: int = 0
    attempts: dict[str, int] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    faults: int = 0
    maintenance: dict[str, float] = field(default_factory=dict)
    queues: dict[str, int] = field(default_factory=dict)
    status: Status | None = None

    def families(self) -> Iterator[Metric]:
        """The metrics; of the database only whether it answered, if it did not."""
        yield _gauge("playtest_database_answers", "1 if the database answered for this page", int(self.known))
        yield _labelled("playtest_queue_length", "Calls that wait for a worker", "queue", self.queues)
        if self.status is None:
            return
        yield from _of_installation(self.status)
        yield _gauge("playtest_open_sessions", "Sessions that have begun and not ended", self.sessions)
        yield _labelled("playtest_open_attempts", "Attempts that have not ended", "player", self.attempts)
        yield _labelled("playtest_effort_flags", "Effort flags that stand", "strength", self.flags)
        yield _gauge("playtest_unacknowledged_faults", "Faults that nobody has acknowledged", self.faults)
        yield _labelled(
            "playtest_maintenance_timestamp_seconds",
            "When the last one that succeeded ended",
            "kind",
            self.maintenance,
        )


class StoredReader:
    """Reads `Stored` for one event loop; an old one is given out while the database hangs, as unknown."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "metrics")
        self._running: asyncio.Future[Stored] | None = None
        self._read_at = float("-inf")

    async def __call__(self) -> Stored:
        if self._running is None or (
            self._running.done() and time.monotonic() - self._read_at > _FRESH_SECONDS
        ):
            self._read_at = time.monotonic()
            self._running = asyncio.get_running_loop().run_in_executor(self._thread, _read_stored)
        try:
            return await asyncio.wait_for(asyncio.shield(self._running), _MOST_SECONDS)
        except TimeoutError:
            return Stored()


def _read_stored() -> Stored:
    close_old_connections()
    try:
        found = status()
        return Stored(
            known=True,
            sessions=Session.objects.filter(checked_in_at__isnull=False, ended_at__isnull=True).count(),
            attempts=_open_attempts(),
            flags=dict(
                Flag.objects.filter(superseded_at__isnull=True)
                .values_list("strength")
                .annotate(Count("pk"))
                .order_by()
            ),
            faults=unacknowledged_faults().count(),
            maintenance=_maintenance_ends(),
            queues=found.queues or {},
            status=found,
        )
    except DatabaseError:
        return Stored(queues=queue_lengths() or {})


def _of_installation(found: Status) -> Iterator[Metric]:
    family = GaugeMetricFamily("playtest_jobs", "Jobs that are not finished", labels=["kind", "status"])
    for key, count in found.jobs.items():
        family.add_metric(key, count)
    yield family
    codes = [one.code for one in of_status(found)]
    yield _labelled(
        "playtest_troubles", "What needs attention", "code", {code: codes.count(code) for code in Code}
    )
    seen = dict.fromkeys(MEANINGS, 0.0)
    for one in found.processes:
        seen[one.kind] = max(seen.get(one.kind, 0.0), one.seen_at.timestamp())
    yield _labelled(
        "playtest_process_seen_timestamp_seconds", "When one of these was seen last", "process", seen
    )
    versions = {one.version for one in found.running}
    audit = found.audit
    for name, text, value in (
        ("playtest_versions", "Versions that processes run", len(versions)),
        ("playtest_broker_answers", "1 if the broker of the queues answered", int(found.queues is not None)),
        (
            "playtest_audit_failed",
            "1 if the last audit found something",
            int(bool(audit and not audit.succeeded)),
        ),
        ("playtest_signed_day_timestamp_seconds", "When a day was signed last", _seconds(found.signed_at)),
        (
            "playtest_unsigned_timestamp_seconds",
            "When the oldest thing that is in no signed day was recorded; 0 if there is none",
            _seconds(found.unsigned_since),
        ),
    ):
        yield _gauge(name, text, value)


def _seconds(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0


def _maintenance_ends() -> dict[str, float]:
    rows = Maintenance.objects.filter(succeeded=True).values_list("kind").annotate(Max("ended_at")).order_by()
    return {kind: ended_at.timestamp() for kind, ended_at in rows}


def _open_attempts() -> dict[str, int]:
    found = Attempt.objects.filter(ended_at__isnull=True).aggregate(
        all=Count("pk"), people=Count("participant"), staff=Count("staff")
    )
    return {
        PlayedBy.PERSON: found["people"],
        PlayedBy.AGENT: found["all"] - found["people"] - found["staff"],
        PlayedBy.STAFF: found["staff"],
    }


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _labelled(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


PATH = "/metrics"
_PASSED_ON = {b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"}
_FORBIDDEN = b"Metrics are for METRICS_NETWORKS, or with METRICS_TOKEN. (metrics_forbidden)\n"

type Send = Callable[[dict[str, Any]], Awaitable[None]]


class _Now(Collector):
    """What is read when somebody asks. `stored` is set just before."""

    stored = Stored()

    def collect(self) -> Iterable[Metric]:
        yield from _of_process()
        yield from self.stored.families()

    def describe(self) -> Iterable[Metric]:
        return ()


_now = _Now()  # registered once: this module is imported by the serving process only
REGISTRY.register(_now)
_read = StoredReader()


async def application(scope: dict[str, Any], receive: object, send: Send) -> None:
    """Answers 200 with all metrics, 403 `metrics_forbidden`, or 405."""
    if scope["method"] not in ("GET", "HEAD"):
        await _answer(send, HTTPStatus.METHOD_NOT_ALLOWED, b"")
    elif not allowed(scope):
        await _answer(send, HTTPStatus.FORBIDDEN, _FORBIDDEN)
    else:
        _now.stored = await _read()
        await _answer(send, HTTPStatus.OK, generate_latest(REGISTRY), CONTENT_TYPE_LATEST)


def allowed(scope: dict[str, Any]) -> bool:
    """Whether this request may read the metrics."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    if settings.METRICS_TOKEN and hmac.compare_digest(headers.get(b"authorization", b""), expected):
        return True
    client = scope.get("client")
    if client is None or _PASSED_ON & headers.keys():
        return False
    address = ip_address(client[0])
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in settings.METRICS_NETWORKS)


def _of_process() -> Iterator[Metric]:
    live = attempt_runner()
    for name, text, value in (
        ("playtest_live_environments", "Environments that run for attempts of this process", live.games),
        ("playtest_engine_hosts", "Engine hosts of this process", live.hosts),
        ("playtest_journal_waiting_rows", "Rows that wait for the journal's next group", writer.waiting),
        ("playtest_journal_running", "1 while the journal's writer runs", int(writer.running)),
        ("playtest_draining", "1 once this process takes no new connections", int(draining.begun)),
        ("playtest_disk_free_bytes", "Free space on the disk of DATA_DIR", _free_bytes()),
    ):
        yield GaugeMetricFamily(name, text, value=value)


def _free_bytes() -> int:
    return shutil.disk_usage(settings.DATA_DIR).free


async def _answer(send: Send, status: HTTPStatus, body: bytes, content_type: str = "text/plain") -> None:
    headers = [
        (b"content-type", content_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
