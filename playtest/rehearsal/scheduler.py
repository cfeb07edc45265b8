"""When simulated people act: by the machine's clock, or in virtual time, as fast as the server can play.

Virtual time advances to the next moment that anybody waits for, once nobody is busy. However slow the machine
is, a pause of one second is one second in the journal.
"""

import asyncio
import heapq
import itertools
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Protocol

from playtest.rehearsal.clock import VirtualClock


class Actor(Protocol):
    """Somebody whom the scheduler waits for. Moments are seconds since 1970 of the scheduler's time."""

    async def sleep_until(self, moment: float) -> None: ...

    def busy(self, seconds: float) -> None:
        """The actor waits for an answer; meanwhile time may advance by at most so many seconds."""

    def leave(self) -> None:
        """The scheduler no longer waits for this actor."""


class Scheduler(Protocol):
    speed: float
    """Seconds of the scheduler's time in a second of the server's."""

    def now(self) -> float: ...

    def server_time(self) -> float:
        """Seconds since 1970 by the server's clock."""

    def join(self) -> Actor: ...


@contextmanager
def actor(scheduler: Scheduler) -> Iterator[Actor]:
    """A new actor, who leaves at the end."""
    joined = scheduler.join()
    try:
        yield joined
    finally:
        joined.leave()


_LEAST_SECONDS = 0.025  # the server takes 50 messages a second from a page


class MachineScheduler:
    """Schedules by the machine's clock, `speed` times as fast: people's pauses are that much shorter."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._started, self._started_at = time.monotonic(), time.time()

    def now(self) -> float:
        return self._started_at + (time.monotonic() - self._started) * self.speed

    def server_time(self) -> float:
        return time.time()

    def join(self) -> Actor:
        return _MachineActor(self)


class _MachineActor:
    def __init__(self, scheduler: MachineScheduler) -> None:
        self._scheduler = scheduler

    async def sleep_until(self, moment: float) -> None:
        scheduler = self._scheduler
        await asyncio.sleep(max(_LEAST_SECONDS, (moment - scheduler.now()) / scheduler.speed))

    def busy(self, seconds: float) -> None:
        pass

    def leave(self) -> None:
        pass


class VirtualScheduler:
    """Advances a virtual clock, at most `fastest` times as fast as the machine's; None: without a limit."""

    speed = 1.0  # the server follows the same clock

    def __init__(self, clock: VirtualClock, fastest: float | None = None) -> None:
        self._clock = clock
        self._now = clock.now().timestamp()
        self._fastest = fastest
        self._started, self._started_at = time.monotonic(), self._now
        self._busy_until: dict[VirtualActor, float] = {}
        self._asleep: list[tuple[float, int, VirtualActor, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._handle: asyncio.TimerHandle | None = None

    def now(self) -> float:
        return self._now

    def server_time(self) -> float:
        return self._now

    def join(self) -> "VirtualActor":
        joined = VirtualActor(self)
        self._busy_until[joined] = self._now
        return joined

    async def sleep(self, sleeper: "VirtualActor", moment: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._busy_until.pop(sleeper, None)
        heapq.heappush(self._asleep, (moment, next(self._order), sleeper, woken))
        self._advance()
        await woken

    def set_busy(self, one: "VirtualActor", until: float) -> None:
        self._busy_until[one] = until
        self._advance()

    def remove(self, one: "VirtualActor") -> None:
        self._busy_until.pop(one, None)
        self._advance()

    def _advance(self) -> None:
        """Wakes the next actor, as far as the busy actors and the speed allow."""
        while self._asleep:
            moment, _, sleeper, woken = self._asleep[0]
            if moment > min(self._busy_until.values(), default=math.inf):
                return
            if (seconds := self._seconds_too_early(moment)) > 0:
                self._advance_later(seconds)
                return
            heapq.heappop(self._asleep)
            if woken.done():  # cancelled while asleep
                continue
            self._now = max(self._now, moment)
            self._clock.advance(datetime.fromtimestamp(self._now, UTC))
            self._busy_until[sleeper] = self._now
            woken.set_result(None)

    def _seconds_too_early(self, moment: float) -> float:
        """Seconds of the machine's time until the speed allows this moment."""
        if self._fastest is None:
            return 0.0
        return (moment - self._started_at) / self._fastest - (time.monotonic() - self._started)

    def _advance_later(self, seconds: float) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_later(seconds, self._advance)


class VirtualActor:
    def __init__(self, scheduler: VirtualScheduler) -> None:
        self._scheduler = scheduler

    async def sleep_until(self, moment: float) -> None:
        await self._scheduler.sleep(self, moment)

    def busy(self, seconds: float) -> None:
        self._scheduler.set_busy(self, self._scheduler.now() + seconds)

    def leave(self) -> None:
        self._scheduler.remove(self)
