"""Says that this process runs, every fifteen seconds, in a thread of its own, until it ends."""

import atexit
import logging
import os
import platform
import threading
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import DatabaseError, close_old_connections, connection

from playtest.operation.models import SILENT_AFTER, RunningProcess
from playtest.people.release import version
from playtest.play.clock import machine_now

SECONDS_BETWEEN = 15.0
_FORGOTTEN_AFTER = timedelta(days=1)

logger = logging.getLogger(__name__)


def announce(name: str) -> None:
    """Keeps this process's row until it ends; an earlier process of this name and machine is forgotten."""
    started_at, ended = machine_now(), threading.Event()

    def run() -> None:
        _say_version(name)
        while True:
            _write(name, started_at)
            if ended.wait(SECONDS_BETWEEN):
                break
        with suppress(DatabaseError):
            RunningProcess.objects.filter(machine=platform.node(), pid=os.getpid()).delete()
        connection.close()

    thread = threading.Thread(target=run, name="presence", daemon=True)
    thread.start()

    def leave() -> None:
        ended.set()
        thread.join(1.0)

    atexit.register(leave)


def _say_version(name: str) -> None:
    """Logs what starts, and which other processes run another version."""
    logger.info("%s starts, Playtest %s", name, version())
    try:
        seen = RunningProcess.objects.filter(seen_at__gte=machine_now() - SILENT_AFTER)
        for other in seen.exclude(version=version()).order_by("machine", "name"):
            logger.warning(
                "%s runs %s, and %s on %s runs %s: restart the older one",
                name, version(), other.name, other.machine, other.version,
            )  # fmt: skip
    except DatabaseError:  # it is said by whoever needs the database
        close_old_connections()


def _write(name: str, started_at: datetime) -> None:
    now, machine = machine_now(), platform.node()
    row = RunningProcess(
        name=name, machine=machine, pid=os.getpid(), version=version(), started_at=started_at, seen_at=now
    )
    try:
        close_old_connections()
        RunningProcess.objects.filter(machine=machine, name=name).exclude(pid=row.pid).delete()
        RunningProcess.objects.filter(seen_at__lt=now - _FORGOTTEN_AFTER).delete()
        RunningProcess.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["machine", "pid"],
            update_fields=["name", "version", "started_at", "seen_at"],
        )
    except DatabaseError as error:
        close_old_connections()
        logger.warning("this process could not say that it runs: %s", error)
