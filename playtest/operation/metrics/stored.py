"""What the database says for `/metrics`: read in a thread of its own, at most every five seconds."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime

from django.db import DatabaseError, close_old_connections
from django.db.models import Count, Max
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from playtest.operation.installation import Status, queue_lengths, status
from playtest.operation.models import Maintenance
from playtest.operation.trouble import MEANINGS, Code, of_status
from playtest.play.models import Attempt, Session
from playtest.review.models import Flag
from playtest.review.queries.attempts import unacknowledged_faults
from playtest.rules.attempt import PlayedBy

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
            self._running = asyncio.get_running_loop().run_in_executor(self._thread, _read)
        try:
            return await asyncio.wait_for(asyncio.shield(self._running), _MOST_SECONDS)
        except TimeoutError:
            return Stored()


def _read() -> Stored:
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
    versions = {one.version for one in found.processes if not one.silent_for(found.at)}
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
