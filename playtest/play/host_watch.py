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
SECOND_LOOK_SECONDS = 0.1
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
    """Looks at a host a few times a second while it has something in hand.

    The first look at a request begins its account, so that a request is charged at most what it used.
    """

    def __init__(self, host: Watched) -> None:
        self._host = host
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._request: Timed | None = None
        self._seen: Usage | None = None
        self._charged = 0.0
        self._waited = 0.0
        self._suspected = False

    def begin(self) -> None:
        """There is something to watch now."""
        if self._timer is None:
            self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def end(self) -> None:
        """There is nothing to watch any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self._timer = None
        request = self._host.in_hand
        if request is None:
            self._request = None
            return
        seen = self._usage()
        if request is not self._request or self._seen is None:
            self._request, self._charged, self._waited, self._suspected = request, 0.0, 0.0, False
        else:
            self._charged += charged(self._seen, seen, LOOK_SECONDS)
            self._waited += min(seen.clock - self._seen.clock, 2 * LOOK_SECONDS)
        self._seen = seen
        if self._waited > request.seconds + LONGEST_WAIT_SECONDS:
            self._host.judge(Verdict.STUCK)
        elif self._charged <= request.seconds:
            self.begin()
        elif self._suspected:
            self._host.judge(Verdict.OVERDUE)
        else:  # this loop may be the late one, the answer waiting in the socket
            self._suspected = True
            self._timer = self._loop.call_later(SECOND_LOOK_SECONDS, self._look)

    def _usage(self) -> Usage:
        """Where the system does not tell what a process does, the clock has to do."""
        process = self._host.pid
        seen = None if process is None else usage_of(process)
        return seen or Usage(time.monotonic(), 0.0, 0.0, asleep=process is not None)
