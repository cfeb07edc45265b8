"""Interrupts foreign code that has used up its seconds, counted as `engine.confine.processor_time` does.

A timer ticks from the first call of foreign code until `rest`: a call among many costs no system call.
Ticks that fall due while the process is stopped or gets no processor are delivered as one.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType

from engine.confine.processor_time import OwnUsage, Usage, charged

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
