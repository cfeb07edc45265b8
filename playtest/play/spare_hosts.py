"""Engine hosts that are forked and confined ahead, so that nobody who opens an environment waits for that."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from playtest.play.host_process import HostLost, HostProcess

_SECONDS_BETWEEN_FORKS = 0.2
"""One after the other: a fork must not hold up those who have just opened an environment."""


class SpareHosts:
    """Keeps `count` hosts that have loaded nothing, once `keep` or `take` is called. For one event loop."""

    def __init__(self, make: Callable[[], HostProcess], count: int) -> None:
        self._make = make
        self._count = count
        self._spare: deque[HostProcess] = deque()
        self._next: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the processes that wait."""
        return tuple(host.pid for host in self._spare if host.pid is not None)

    def take(self) -> HostProcess:
        """The oldest spare host, or a new one if there is none. Raises HostLost once they are closed."""
        if self._closed:
            raise HostLost("the hosts are closed")
        host = self._spare.popleft() if self._spare else self._make()
        self.keep()
        return host

    def keep(self) -> None:
        """Forks those that are missing, one after the other."""
        if self._next is None and len(self._spare) < self._count and not self._closed:
            self._next = asyncio.get_running_loop().call_later(_SECONDS_BETWEEN_FORKS, self._add)

    def discard(self, host: HostProcess) -> None:
        """Forgets a host that has ended; the next `take` replaces it."""
        if host in self._spare:
            self._spare.remove(host)

    async def close(self) -> None:
        """Ends them all."""
        self._closed = True
        if self._next is not None:
            self._next.cancel()
        await asyncio.gather(*(host.close() for host in list(self._spare)))

    def _add(self) -> None:
        self._next = None
        self._spare.append(self._make())
        self.keep()
