"""The time in UTC that never jumps within a process: the wall clock at start plus monotonic time since.

A process that is given `PLAYTEST_REHEARSAL_CLOCK`, the path of a hand (`Hand`), has that hand's time instead:
a rehearsal's ninety minutes then pass as fast as the machine can play them.
"""

import asyncio
import mmap
import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

VARIABLE = "PLAYTEST_REHEARSAL_CLOCK"

_STARTED = datetime.now(UTC)
_STARTED_MONOTONIC = time.monotonic()
_LOOK_AGAIN_SECONDS = 0.005
_MICROSECONDS = struct.Struct("<q")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Hand:
    """A time that stands still until it is moved on; it lies in a file, so that processes share it."""

    def __init__(self, path: Path | str) -> None:
        with Path(path).open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _MICROSECONDS.size)

    @classmethod
    def make(cls, path: Path, moment: datetime) -> Self:
        """A new hand that shows `moment`."""
        path.write_bytes(bytes(_MICROSECONDS.size))
        hand = cls(path)
        hand.move(moment)
        return hand

    def read(self) -> datetime:
        (microseconds,) = _MICROSECONDS.unpack_from(self._shared)
        return _EPOCH + timedelta(microseconds=microseconds)

    def move(self, moment: datetime) -> None:
        """Show `moment`, or stay where it is when that is earlier: time never goes back."""
        (shown,) = _MICROSECONDS.unpack_from(self._shared)
        microseconds = (moment - _EPOCH) // timedelta(microseconds=1)
        _MICROSECONDS.pack_into(self._shared, 0, max(shown, microseconds))


_hand: Hand | None = Hand(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None


def now() -> datetime:
    """Aware UTC time, unaffected by changes of the machine's clock while this process runs."""
    return machine_now() if _hand is None else _hand.read()


def machine_now() -> datetime:
    """The same without any rehearsal's time."""
    return _STARTED + timedelta(seconds=time.monotonic() - _STARTED_MONOTONIC)


def rehearsing() -> bool:
    """Whether this process has a rehearsal's time, in which nothing real may happen."""
    return _hand is not None


@contextmanager
def rehearsal(hand: Hand) -> Iterator[None]:
    """Give this process the hand's time for a while."""
    global _hand
    before, _hand = _hand, hand
    try:
        yield
    finally:
        _hand = before


class Timer:
    """Calls `callback` in the running event loop once `now()` has reached `moment`."""

    def __init__(self, moment: datetime, callback: Callable[[], object]) -> None:
        self._moment = moment
        self._callback = callback
        self._wait()

    def cancel(self) -> None:
        self._handle.cancel()

    def _wait(self) -> None:
        # A hand can be moved at any time and tells nobody.
        left = _LOOK_AGAIN_SECONDS if rehearsing() else (self._moment - now()).total_seconds()
        self._handle = asyncio.get_running_loop().call_later(max(0.0, left), self._look)

    def _look(self) -> None:
        if now() >= self._moment:
            self._callback()
        else:
            self._wait()
