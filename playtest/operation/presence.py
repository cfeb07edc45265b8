"""Says that this process runs, every fifteen seconds, in a thread of its own, until it ends."""

import atexit
import logging
import os
import platform
import subprocess
import threading
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from playtest.operation.models import RunningProcess
from playtest.play.clock import machine_now

SECONDS_BETWEEN = 15.0
_FORGOTTEN_AFTER = timedelta(days=1)

logger = logging.getLogger(__name__)


def announce(name: str) -> None:
    """Keeps this process's row until it ends; an earlier process of this name and machine is forgotten."""
    started_at, ended = machine_now(), threading.Event()

    def run() -> None:
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


@cache
def version() -> str:
    """The commit that runs, or PLAYTEST_VERSION where there is no repository."""
    if given := os.environ.get("PLAYTEST_VERSION"):
        return given
    command = ["git", "-C", str(settings.BASE_DIR), "rev-parse", "--short=12", "HEAD"]
    with suppress(OSError):
        return (
            subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
        )
    return "unknown"


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
