"""How time passes in a rehearsal: with the clock on the wall, or as fast as people and server can play.

Everyone who takes part holds a ticket. In a rehearsal's own time the hand moves on to the next thing anyone
waits for, once nobody is busy: however slow the machine, a pause of a second is a second in the journal.
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

from playtest.play.clock import Hand


class Ticket(Protocol):
    """One who takes part. Times are seconds since 1970 of the rehearsal's clock."""

    async def sleep_until(self, moment: float) -> None: ...

    def busy(self, seconds: float) -> None:
        """Something is on its way; meanwhile the time may run on by this much and no more."""

    def leave(self) -> None:
        """Take part no longer."""


class Time(Protocol):
    def now(self) -> float: ...

    def join(self) -> Ticket: ...


@contextmanager
def ticket(of: Time) -> Iterator[Ticket]:
    """A ticket that is given back, whatever happens."""
    held = of.join()
    try:
        yield held
    finally:
        held.leave()


class RealTime:
    """The machine's own."""

    def now(self) -> float:
        return time.time()

    def join(self) -> Ticket:
        return _RealTicket()


class _RealTicket:
    async def sleep_until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - time.time()))

    def busy(self, seconds: float) -> None:
        pass

    def leave(self) -> None:
        pass


class OwnTime:
    """A hand's. It never runs more than `speed` times as fast as the machine's; None: no limit."""

    def __init__(self, hand: Hand, speed: float | None = None) -> None:
        self._hand = hand
        self._now = hand.read().timestamp()
        self._speed = speed
        self._began, self._began_at = time.monotonic(), self._now
        self._busy: dict[OwnTicket, float] = {}
        self._asleep: list[tuple[float, int, OwnTicket, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._handle: asyncio.TimerHandle | None = None

    def now(self) -> float:
        return self._now

    def join(self) -> "OwnTicket":
        joined = OwnTicket(self)
        self._busy[joined] = self._now
        return joined

    async def sleep(self, sleeper: "OwnTicket", moment: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._busy.pop(sleeper, None)
        heapq.heappush(self._asleep, (moment, next(self._order), sleeper, woken))
        self._go_on()
        await woken

    def allow(self, one: "OwnTicket", until: float) -> None:
        self._busy[one] = until
        self._go_on()

    def leave(self, one: "OwnTicket") -> None:
        self._busy.pop(one, None)
        self._go_on()

    def _go_on(self) -> None:
        while self._asleep:
            moment, _, sleeper, woken = self._asleep[0]
            if moment > min(self._busy.values(), default=math.inf):
                return
            if (wait := self._too_early(moment)) > 0:
                self._come_back(wait)
                return
            heapq.heappop(self._asleep)
            if woken.done():  # it was cancelled in its sleep
                continue
            self._move(moment)
            self._busy[sleeper] = self._now
            woken.set_result(None)

    def _move(self, moment: float) -> None:
        self._now = max(self._now, moment)
        self._hand.move(datetime.fromtimestamp(self._now, UTC))

    def _too_early(self, moment: float) -> float:
        """Seconds to wait until the speed allows this moment."""
        if self._speed is None:
            return 0.0
        return (moment - self._began_at) / self._speed - (time.monotonic() - self._began)

    def _come_back(self, seconds: float) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_later(seconds, self._go_on)


class OwnTicket:
    def __init__(self, of: OwnTime) -> None:
        self._time = of

    async def sleep_until(self, moment: float) -> None:
        await self._time.sleep(self, moment)

    def busy(self, seconds: float) -> None:
        self._time.allow(self, self._time.now() + seconds)

    def leave(self) -> None:
        self._time.leave(self)
