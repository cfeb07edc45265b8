"""Watches from outside whether a host answers in time, for environments that cannot be interrupted inside.

It blames only what an environment did: computing, and sleeping (`engine.processor_time`). A host that is
stopped, or gets no processor, is waited for; after a long while it is given up, and nobody is to blame.
"""

from __future__ import annotations

import asyncio
import time
from enum import Enum, auto
from typing import Protocol

from engine.processor_time import Usage, charged, usage_of

LOOK_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 30.0
"""Beyond what the request may take, by the clock of looks that took place."""


class Verdict(Enum):
    """Why a host is ended: by its environment, or because it gets nowhere and nobody knows why."""

    OVERDUE = auto()
    STUCK = auto()


class Timed(Protocol):
    """A request, and the seconds it may take."""

    @property
    def seconds(self) -> float: ...


class Watched(Protocol):
    """What is looked at: a process, and what it has in hand."""

    @property
    def pid(self) -> int | None: ...

    @property
    def in_hand(self) -> Timed | None: ...

    def judge(self, verdict: Verdict) -> None: ...


class HostWatch:
    """The account of what one host has in hand.

    The first look at a request begins its account, so that a request is charged at most what it used.
    """

    def __init__(self, host: Watched) -> None:
        self._host = host
        self._request: Timed | None = None
        self._seen: Usage | None = None
        self._charged = 0.0
        self._waited = 0.0
        self._suspected = False

    def look(self) -> bool:
        """Whether there is something to look at again."""
        request = self._host.in_hand
        if request is None:
            self._request = None
            return False
        seen = self._usage()
        if request is not self._request or self._seen is None:
            self._request, self._charged, self._waited, self._suspected = request, 0.0, 0.0, False
        else:
            self._charged += charged(self._seen, seen, LOOK_SECONDS)
            self._waited += min(seen.clock - self._seen.clock, 2 * LOOK_SECONDS)
        self._seen = seen
        if self._waited > request.seconds + LONGEST_WAIT_SECONDS:
            self._host.judge(Verdict.STUCK)
        elif self._charged > request.seconds:
            # Who looks may be late, the answer waiting in the socket: it is read before the next look.
            if self._suspected:
                self._host.judge(Verdict.OVERDUE)
            self._suspected = True
        return True

    def _usage(self) -> Usage:
        """Where the system does not tell what a process does, the clock has to do."""
        process = self._host.pid
        seen = None if process is None else usage_of(process)
        return seen or Usage(time.monotonic(), 0.0, 0.0, asleep=process is not None)


class Rounds:
    """Looks at every host that has something in hand, a few times a second, all in one go."""

    def __init__(self) -> None:
        self._watches: set[HostWatch] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, watch: HostWatch) -> None:
        """There is something to look at."""
        self._watches.add(watch)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._make)

    def end(self, watch: HostWatch) -> None:
        """There is nothing to look at any more."""
        self._watches.discard(watch)

    def _make(self) -> None:
        self._timer = None
        looking = [watch for watch in list(self._watches) if watch.look()]
        self._watches.intersection_update(looking)
        for watch in looking:
            self.begin(watch)
