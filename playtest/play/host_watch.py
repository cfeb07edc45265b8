"""Checks from outside whether a host answers in time, for environments that cannot be interrupted inside.

An environment is charged only for computing and sleeping (`engine.processor_time`). A host that is stopped,
or gets no processor, is waited for. After a long time it is given up, and no environment is to blame.
"""

from __future__ import annotations

import asyncio
import time
from enum import Enum, auto
from typing import Protocol

from engine.processor_time import Usage, charged, usage_of

CHECK_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 30.0
"""Beyond what the request may take, by the clock of the checks that took place."""


class Verdict(Enum):
    """Why a host is ended: its environment took too long, or it makes no progress for unknown reasons."""

    OVERDUE = auto()
    STUCK = auto()


class Timed(Protocol):
    """A request, and the seconds it may take."""

    @property
    def seconds(self) -> float: ...


class Watched(Protocol):
    """A process to check, and the request that it works on."""

    @property
    def pid(self) -> int | None: ...

    @property
    def in_hand(self) -> Timed | None: ...

    def judge(self, verdict: Verdict) -> None: ...


class HostWatch:
    """How much one host has used for the request that it works on.

    The account of a request begins at the first check that finds it, so that it is never charged too much.
    """

    def __init__(self, host: Watched) -> None:
        self._host = host
        self._request: Timed | None = None
        self._seen: Usage | None = None
        self._charged = 0.0
        self._waited = 0.0
        self._suspected = False

    def check(self) -> bool:
        """Account for the time since the last check; False when the host has no request."""
        request = self._host.in_hand
        if request is None:
            self._request = None
            return False
        seen = self._usage()
        if request is not self._request or self._seen is None:
            self._request, self._charged, self._waited, self._suspected = request, 0.0, 0.0, False
        else:
            self._charged += charged(self._seen, seen, CHECK_SECONDS)
            self._waited += min(seen.clock - self._seen.clock, 2 * CHECK_SECONDS)
        self._seen = seen
        if self._waited > request.seconds + LONGEST_WAIT_SECONDS:
            self._host.judge(Verdict.STUCK)
        elif self._charged > request.seconds:
            # This check may be late and the answer wait in the socket: it is read before the next check.
            if self._suspected:
                self._host.judge(Verdict.OVERDUE)
            self._suspected = True
        return True

    def _usage(self) -> Usage:
        """The usage of the process; only the clock if the system does not show processor time."""
        process = self._host.pid
        seen = None if process is None else usage_of(process)
        return seen or Usage(time.monotonic(), 0.0, 0.0, asleep=process is not None)


class HostChecks:
    """Checks every host that works on a request, a few times a second, all at once."""

    def __init__(self) -> None:
        self._watches: set[HostWatch] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, watch: HostWatch) -> None:
        """Check this host from now on, until it has no request."""
        self._watches.add(watch)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check_all)

    def end(self, watch: HostWatch) -> None:
        """Stop checking this host."""
        self._watches.discard(watch)

    def _check_all(self) -> None:
        self._timer = None
        watches = [watch for watch in list(self._watches) if watch.check()]
        self._watches.intersection_update(watches)
        for watch in watches:
            self.begin(watch)
