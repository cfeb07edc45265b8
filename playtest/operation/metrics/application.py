"""`/metrics`: what this process has measured, in Prometheus' text format. Plain ASGI beside Django.

It is for those who have METRICS_TOKEN, and for METRICS_NETWORKS (by default this machine) when they ask this
process directly: behind a proxy everybody has the proxy's address, so a request that was passed on needs the
token. Each process answers for itself, on its own port.
"""

import hmac
import shutil
from collections.abc import Awaitable, Callable, Iterable, Iterator
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from playtest.operation.metrics.stored import Stored, StoredReader
from playtest.play.attempt.runner import attempt_runner
from playtest.play.journal.writer import writer
from playtest.serve.draining import draining

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
