"""Interrupts foreign code that has used up its seconds.

A timer ticks from the first call of foreign code until `rest`: a call among many costs no system call.
Ticks that fall due while the process is stopped or gets no processor are delivered as one.

A passed deadline is the environment's fault, so only what the environment does counts: computing, and
sleeping by its own call. Waiting for a processor and being stopped do not count.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

_NANOSECONDS = 1_000_000_000
_SHORT_FILE = 128


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds: the monotonic clock, and what the process had computed and waited for a processor by then.

    `asleep`: it waits by its own call, so it is neither running, stopped nor ready to run. `stopped`: by a
    signal, and only another can let it go on.
    """

    clock: float
    computed: float
    waited: float
    asleep: bool = True
    stopped: bool = False


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
    return Usage(time.monotonic(), computed, waited, asleep=state == "S", stopped=state in ("T", "t"))


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


TICK_SECONDS = 0.05


class DeadlineExceeded(BaseException):
    """Interrupts foreign code. It is not an Exception, so that `except Exception` does not catch it."""


class Deadline:
    """The deadline of one call at a time. `late` says whether the last call passed its own.

    A call is interrupted one or two ticks after its seconds are used up, never before. The kernel ends a
    process that computes `last_resort_seconds` longer, in case nothing watches it from outside.
    """

    def __init__(self, last_resort_seconds: float) -> None:
        self.late = False
        self._last_resort_seconds = last_resort_seconds
        self._usage: OwnUsage | None = None
        self._seen: Usage | None = None
        self._seconds = 0.0
        self._call = 0
        self._charged_call = 0
        self._charged = 0.0
        self._calling = False

    def install(self) -> None:
        """Installs the timer's signal handler, while files may still be opened."""
        self._usage = OwnUsage()
        signal.signal(signal.SIGALRM, self._tick)

    def run[T](self, call: Callable[[], T], seconds: float) -> T:
        """The call's result. Raises what it raises, also DeadlineExceeded, unless the call hides that."""
        self.late = False
        self._seconds = seconds
        self._call += 1
        self._calling = True
        if self._seen is None or time.monotonic() - self._seen.clock > 2 * TICK_SECONDS:
            self._start()
        try:
            return _inside(call)
        finally:
            self._calling = False

    @property
    def charged(self) -> float:
        """The seconds that the ticks of the last call counted; no tick, none."""
        return self._charged if self._charged_call == self._call else 0.0

    def rest(self) -> None:
        """Stops the timer while no call follows: a tick would only wake the process."""
        if self._seen is not None:
            self._seen = None
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _start(self) -> None:
        if self._usage is None:
            self._usage = OwnUsage()
        self._seen = self._usage()
        signal.setitimer(signal.ITIMER_REAL, TICK_SECONDS, TICK_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, self._seconds + self._last_resort_seconds)

    def _tick(self, _signal: int, frame: FrameType | None) -> None:
        if not self._calling or self._usage is None or self._seen is None:
            self.rest()
            return
        before, self._seen = self._seen, self._usage()
        if self._charged_call != self._call:
            self._charged_call, self._charged = self._call, 0.0
            signal.setitimer(signal.ITIMER_PROF, self._seconds + self._last_resort_seconds)
        self._charged += charged(before, self._seen, TICK_SECONDS)
        # The first tick of a call may count what came before the call, which is a tick at most.
        if self._charged > self._seconds + TICK_SECONDS and _is_inside(frame):
            self.late = True
            raise DeadlineExceeded


def _inside[T](call: Callable[[], T]) -> T:
    """Marks the stack: the deadline interrupts only what runs below this."""
    return call()


def _is_inside(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is _inside.__code__:
            return True
        frame = frame.f_back
    return False
