"""Signs that a process can record: its heartbeats, whether its writer can store anything, and its pages.

Each process anchors its clock at its start (`play.clock`). One that started while the machine's clock was
wrong would end attempts that have hours left, so the sweep asks `seconds_ahead` first.

The writer says when it is well: whenever it has stored something, and every second in which nothing waits for
it. If it says nothing for longer, the database does not answer, or the process was stopped.

A heartbeat carries when the page of each session was heard last to the other processes, and to the one that
follows at the same address.
"""

import socket
import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import OuterRef, Subquery

from playtest.play.clock import machine_now, now
from playtest.play.models import Entry, Heartbeat, Session
from playtest.rules.outages import LONGEST_STALL

_SIGN_FORGOTTEN_AFTER = timedelta(hours=12)
_KEY = "s"
"""Before a number: Django takes a key of digits for a place in a list."""


class Signs:
    """What this process heard, by session. Pages that never ping are taken to be there while connected."""

    def __init__(self) -> None:
        self._heard: dict[int, datetime] = {}
        self._silent: Counter[int] = Counter()
        self._doubted: set[int] = set()
        self._read = False

    def heard(self, session: int, at: datetime) -> None:
        """A page of the session gave a sign."""
        self._heard[session] = max(at, self._heard.get(session, at))
        self._doubted.discard(session)

    def doubt(self, session: int) -> None:
        """What arrives of the session may have been sent long before: until it is heard again, no sign."""
        self._doubted.add(session)

    def here(self, session: int) -> datetime | None:
        """When this process heard its pages last."""
        return self._heard.get(session)

    def opened(self, session: int) -> None:
        """A page is connected that never pings."""
        self._silent[session] += 1

    def closed(self, session: int, at: datetime) -> None:
        """A page that never pings is away from now on."""
        self._silent[session] -= 1
        self.heard(session, at)

    def last(self, session: int) -> datetime | None:
        """The last sign of the session's pages in any process, or its last action; None if none ever came."""
        return self.last_of([session]).get(session)

    def last_of(self, sessions: Collection[int]) -> dict[int, datetime]:
        """As `last`, by session, in two reads; without those of which no sign ever came."""
        carried = list(Heartbeat.objects.values_list("signs", flat=True))
        moment, found = now(), {}
        for session in sessions:
            key = f"{_KEY}{session}"
            signs = [datetime.fromisoformat(one[key]) for one in carried if one.get(key)]
            if session in self._heard:
                signs.append(self._heard[session])
            if signs:
                found[session] = max(signs)
        acted = Entry.objects.filter(attempt__session=OuterRef("pk"), attempt__ended_at__isnull=True)
        newest = Subquery(acted.order_by("-attempt", "-seq").values("server_time")[:1])
        rows = Session.objects.filter(pk__in=found).annotate(newest=newest).values_list("pk", "newest")
        found |= {
            session: max(at, found[session])
            for session, at in rows
            if at is not None and session not in self._doubted
        }
        return found | {session: moment for session in sessions if self._silent[session] > 0}

    def carried(self, before: Mapping[str, str]) -> dict[str, str]:
        """What a heartbeat carries; `before`: what the one before at this address did."""
        if not self._read:
            for key, carried in before.items():
                self.heard(int(key.removeprefix(_KEY)), datetime.fromisoformat(carried))
            self._read = True
        moment = now()
        for session, pages in list(self._silent.items()):
            if pages > 0:
                self.heard(session, moment)
            else:
                del self._silent[session]
        for session, at in list(self._heard.items()):
            if moment - at > _SIGN_FORGOTTEN_AFTER:
                del self._heard[session]
        return {f"{_KEY}{session}": at.isoformat() for session, at in list(self._heard.items())}


signs = Signs()
"""Those of this process."""


SECONDS_BETWEEN_BEATS = 10.0
MOST_SECONDS_APART = 5.0
_FORGOTTEN_AFTER = timedelta(days=1)
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_UPTIME = Path("/proc/uptime")
_FULL = 2  # PRAGMA synchronous: FULL, and EXTRA above it


@dataclass(frozen=True, slots=True)
class Beat:
    """What a heartbeat found: whether a commit is on the disk, and seconds ahead of the database's clock."""

    durable: bool = False
    seconds_ahead: float = 0.0


def process() -> str:
    """The address at which this process serves: a process that follows it there replaces its heartbeat."""
    return f"{socket.gethostname()}:{settings.PORT}"


def beat() -> Beat:
    """Write this process's heartbeat; durable once the surrounding transaction, if any, is committed."""
    boot, uptime = _machine()
    before = Heartbeat.objects.filter(process=process()).values_list("signs", flat=True).first()
    row = Heartbeat(process=process(), at=machine_now(), boot=boot, uptime=uptime)
    row.signs = signs.carried(before or {})
    Heartbeat.objects.filter(at__lt=row.at - _FORGOTTEN_AFTER).delete()
    Heartbeat.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["process"],
        update_fields=["at", "boot", "uptime", "signs"],
    )
    return _of_postgresql() if connection.vendor == "postgresql" else _of_sqlite()


def seconds_ahead() -> float:
    """How far this process's clock is ahead of the others'; 0 if there is no other to compare with.

    PostgreSQL has a clock of its own. On one machine the newest heartbeat since it was started says what its
    process's clock shows by now.
    """
    if connection.vendor == "postgresql":
        ahead = _of_postgresql().seconds_ahead
        if abs(ahead) > MOST_SECONDS_APART:
            return ahead
    boot, uptime = _machine()
    newest = Heartbeat.objects.filter(boot=boot).exclude(boot="").order_by("-uptime").first()
    if newest is None:
        return 0.0
    return (machine_now() - newest.at).total_seconds() - (uptime - newest.uptime)


def _machine() -> tuple[str, float]:
    """The identity of the machine's last start and the seconds since; an empty name if it is unknown."""
    try:
        return _BOOT.read_text().strip(), float(_UPTIME.read_text().split()[0])
    except OSError:
        return "", 0.0


def _of_postgresql() -> Beat:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('synchronous_commit'), clock_timestamp()")
        synchronous, at = cursor.fetchone()
    return Beat(synchronous != "off", (machine_now() - at).total_seconds())


def _of_sqlite() -> Beat:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        return Beat(cursor.fetchone()[0] >= _FULL)


SECONDS_BETWEEN_LOOKS = 1.0
"""A writer for which nothing waits looks around so often."""
_MOST_SECONDS = LONGEST_STALL.total_seconds()


class WriterHealth:
    """How one writer is. Before its first `end`, there is no stall."""

    def __init__(self) -> None:
        self._well_at: float | None = None
        self._has_failed = False

    @property
    def seconds(self) -> float:
        """For how long it has not been well."""
        return 0.0 if self._well_at is None else time.monotonic() - self._well_at

    @property
    def is_under_way(self) -> bool:
        """Whether nothing can be stored at the moment, for longer than a writer without work is silent."""
        return self.seconds > _MOST_SECONDS + SECONDS_BETWEEN_LOOKS or (self._has_failed and self.is_outage)

    @property
    def is_outage(self) -> bool:
        """Whether it lasts so long that it is an outage."""
        return self.seconds > _MOST_SECONDS

    @property
    def has_failed(self) -> bool:
        """Whether the newest row could not be stored."""
        return self._has_failed

    def begin(self) -> None:
        """Something could not be stored."""
        self._has_failed = True

    def end(self) -> None:
        """Something could be stored."""
        self._well_at, self._has_failed = time.monotonic(), False

    def waited(self, seconds: float) -> None:
        """Nothing waited for so long: well, unless something has failed or the process was stopped then."""
        is_late = seconds > _MOST_SECONDS + SECONDS_BETWEEN_LOOKS
        if self._well_at is not None and not self._has_failed and not is_late:
            self._well_at = time.monotonic()


writer_health = WriterHealth()
"""That of the writer of this process (`play.journal.writer`)."""
