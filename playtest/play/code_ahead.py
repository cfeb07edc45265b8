"""The compiled code of sources: each is compiled once, in a process that runs no source, and kept here.

Code that a host hands on could have been changed by what it runs. So a process compiles one source and ends,
and what it answers goes to hosts of that source alone. This process never reads it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from engine.answers import marshalled_of
from engine.errors import EngineError
from engine.source import Source
from playtest.play.host_process import HostLost, HostProcess

_MOST = 128
"""Of 10 to 300 KB each. Code that is not here any more is compiled again."""


class CodeAhead:
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
