"""The time of play in UTC: the machine's, unless a program gives its process another clock."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

_STARTED = datetime.now(UTC)
_STARTED_MONOTONIC = time.monotonic()


class Clock(Protocol):
    def now(self) -> datetime:
        """Aware UTC time that never goes back."""

    def seconds_until(self, moment: datetime) -> float:
        """Seconds of the machine's time after which to ask again whether `moment` has come; 0 or more."""


class MachineClock:
    def now(self) -> datetime:
        return machine_now()

    def seconds_until(self, moment: datetime) -> float:
        return max(0.0, (moment - machine_now()).total_seconds())


_clock: Clock = MachineClock()


def set_clock(clock: Clock) -> Clock:
    """Gives this process another clock and returns the one that it had."""
    global _clock
    before, _clock = _clock, clock
    return before


def now() -> datetime:
    """The time by this process's clock."""
    return _clock.now()


def machine_now() -> datetime:
    """The machine's time at the process's start plus monotonic time since: it never jumps."""
    return _STARTED + timedelta(seconds=time.monotonic() - _STARTED_MONOTONIC)


def advance_to(moment: datetime) -> None:
    """Moves this process's clock forward; it never goes back."""
    global _STARTED
    _STARTED += max(timedelta(0), moment - machine_now())


class Timer:
    """Calls `callback` in the running event loop once `now()` has reached `moment`."""

    def __init__(self, moment: datetime, callback: Callable[[], object]) -> None:
        self._moment = moment
        self._callback = callback
        self._wait()

    def cancel(self) -> None:
        self._handle.cancel()

    def _wait(self) -> None:
        seconds = _clock.seconds_until(self._moment)
        self._handle = asyncio.get_running_loop().call_later(seconds, self._check)

    def _check(self) -> None:
        if now() >= self._moment:
            self._callback()
        else:
            self._wait()
