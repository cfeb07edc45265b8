"""Measures the time of a process that counts against a deadline.

A passed deadline is the environment's fault, so only what the environment does counts: computing, and
sleeping by its own call. Waiting for a processor and being stopped do not count.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_NANOSECONDS = 1_000_000_000
_SHORT_FILE = 128


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds: the monotonic clock, and what the process had computed and waited for a processor by then.

    `asleep`: it waits by its own call, so it is neither running, stopped nor ready to run.
    """

    clock: float
    computed: float
    waited: float
    asleep: bool = True


def charged(before: Usage, after: Usage, longest_sleep: float) -> float:
    """The seconds between two usages that count against a deadline.

    At most `longest_sleep` of them are sleep: the interval between two measurements. If the next measurement
    comes later, the machine was busy and delayed the process, too.
    """
    computed = after.computed - before.computed
    if not after.asleep:
        return computed
    idle = after.clock - before.clock - computed - (after.waited - before.waited)
    return computed + min(max(idle, 0.0), longest_sleep)


def usage_of(process: int) -> Usage | None:
    """The usage of another process so far; None if the system does not show it or the process is gone."""
    folder = Path("/proc", str(process))
    try:
        state, *fields = (folder / "stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[10]) + int(fields[11])
    except (OSError, ValueError, IndexError):
        return None
    computed, waited = ticks / os.sysconf("SC_CLK_TCK"), 0.0
    with suppress(OSError, ValueError, IndexError):  # finer, where the kernel keeps it
        computed, waited = _scheduled((folder / "schedstat").read_bytes())
    return Usage(time.monotonic(), computed, waited, asleep=state == "S")


class OwnUsage:
    """Measures the calling thread repeatedly; it must be its process's first thread."""

    def __init__(self) -> None:
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open("/proc/self/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def __call__(self) -> Usage:
        """The thread runs while it is measured; earlier sleep is what remains of the clock's time."""
        waited = 0.0
        if self._file is not None:
            with suppress(OSError, ValueError, IndexError):  # foreign code may have closed it
                waited = _scheduled(os.pread(self._file, _SHORT_FILE, 0))[1]
        return Usage(time.monotonic(), time.thread_time(), waited)


def _scheduled(schedstat: bytes) -> tuple[float, float]:
    """Seconds on a processor and seconds ready to run without one (Documentation/scheduler/sched-stats)."""
    computed, waited, *_ = schedstat.split()
    return int(computed) / _NANOSECONDS, int(waited) / _NANOSECONDS
