"""What is done before an environment is opened: hosts are forked, sources are compiled.

Code that a host hands on could have been changed by what it runs. So a process compiles one source and ends,
and what it answers goes to hosts of that source alone. This process never reads it.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable

from engine.confine.answers import marshalled_of
from engine.errors import EngineError
from engine.play.source import Source
from playtest.play.hosts.process import HostLost, HostProcess

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


_MOST = 128
"""Of 10 to 300 KB each. Code that is not here any more is compiled again."""


class CompiledSources:
    """Compiled sources by digest. For one event loop."""

    def __init__(self, take: Callable[[], HostProcess], seconds: float) -> None:
        """`take`: a host that has loaded nothing. `seconds`: how long one may compile."""
        self._take = take
        self._seconds = seconds
        self._at_once = asyncio.Semaphore(os.cpu_count() or 1)
        self._tasks: dict[str, asyncio.Task[bytes]] = {}

    def __contains__(self, digest: str) -> bool:
        """Whether it is compiled, or about to be."""
        return digest in self._tasks

    async def code_of(self, source: Source) -> bytes:
        """What `load` of a host takes as `code`; b"" if the host has to compile it and say what is wrong."""
        task = self._tasks.pop(source.digest, None) or asyncio.create_task(self._compiled(source))
        self._tasks[source.digest] = task  # the newest is last
        if len(self._tasks) > _MOST:
            del self._tasks[next(iter(self._tasks))]
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Ends what is under way."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _compiled(self, source: Source) -> bytes:
        request = {"op": "compile", "text": source.text, "name": source.file_name}
        async with self._at_once:
            try:
                host = self._take()
                try:
                    outcome = await host.send(request, self._seconds, marshalled_of)
                finally:
                    await host.close()
            except (EngineError, HostLost):
                self._tasks.pop(source.digest, None)  # the next who asks tries again
                return b""
        return b"" if isinstance(outcome, EngineError) else outcome
