"""Starts and uses the process that forks engine hosts (`engine.confine.fork_server`)."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import signal
import socket
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.confine.answers import LENGTH_BYTES, length_of, unpacked
from engine.confine.kernel import explain
from engine.confine.process import FORK, KILL, PROJECT, REQUEST, ProcessLimits, environment

START_SECONDS = 60.0
CLOSE_SECONDS = 1.0
_BEHIND = 5
"""As `nice` counts: a third of what others get where all want some, so that nothing gets stuck."""

logger = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Fork:
    """One forked process. `ended`: its exit code, negative for a signal; None if it is unknown."""

    number: int
    pid: asyncio.Future[int]
    ended: asyncio.Future[int | None] = field(repr=False)


def go_behind(process: int) -> None:
    """Gives a process a lower priority, and its session."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, _BEHIND)
        # Where Linux shares processor time between sessions, the first call is about one session alone.
        Path(f"/proc/{process}/autogroup").write_text(str(_BEHIND))


class ForkServer:
    """The forking process. It starts by `launch` or on first use, again after it ended. For one loop."""

    def __init__(self, limits: ProcessLimits, *, behind: bool = False) -> None:
        """`behind`: others get processor time before its hosts."""
        self._limits = limits
        self._behind = behind
        self._numbers = itertools.count(1)
        self._forks: dict[int, Fork] = {}
        self._starting = asyncio.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._launched: socket.socket | None = None
        self._control: socket.socket | None = None
        self._listening: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process's number while it runs."""
        control = self._control or self._launched
        return None if control is None or self._process is None else self._process.pid

    def launch(self) -> None:
        """Starts the process, which loads its modules while the caller does something else; needs no loop.

        Raises OSError, after which first use tries again.
        """
        if self._control is not None or self._launched is not None:
            return
        mine, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                self._limits.command("engine.confine.fork_server"),
                stdin=theirs.fileno(),
                env=environment(),
                cwd=PROJECT,
                start_new_session=True,  # what ends the server from a terminal ends hosts by their sockets
            )
        self._launched = mine

    async def fork(self, conversation: socket.socket) -> Fork:
        """Forks a host that talks on this socket, which the caller closes. Raises OSError, TimeoutError."""
        async with self._starting:
            if self._control is None:
                await self._start()
        loop = asyncio.get_running_loop()
        fork = Fork(next(self._numbers), loop.create_future(), loop.create_future())
        self._forks[fork.number] = fork
        try:
            if self._control is None:
                raise ConnectionError("the process that forks hosts has ended")
            request = REQUEST.pack(FORK, fork.number)
            socket.send_fds(self._control, [request], [conversation.fileno()])
            pid = await asyncio.wait_for(fork.pid, START_SECONDS)
        except BaseException:
            self.kill(fork)
            raise
        if self._behind:
            go_behind(pid)
        return fork

    def kill(self, fork: Fork) -> None:
        """Ends a host at once, if it has not ended: only its parent is sure of its process number."""
        if self._control is not None and not fork.ended.done():
            with contextlib.suppress(OSError):
                self._control.send(REQUEST.pack(KILL, fork.number))

    async def close(self) -> None:
        """Ends the process, which ends every host."""
        self._lose_control()
        if self._process is None:
            return
        try:
            await asyncio.to_thread(self._process.wait, CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        if self._listening is not None:
            await asyncio.wait([self._listening])

    async def _start(self) -> None:
        self.launch()
        assert self._process is not None
        assert self._launched is not None
        self._control, self._launched = self._launched, None
        self._control.setblocking(False)
        # A second socket of the same end: a stream closes its own, and cannot send descriptors.
        reader, writer = await asyncio.open_unix_connection(sock=self._control.dup())
        self._listening = asyncio.create_task(self._listen(reader, writer, self._process))

    async def _listen(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: subprocess.Popen[bytes]
    ) -> None:
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    header = await reader.readexactly(LENGTH_BYTES)
                    self._handle(unpacked(await reader.readexactly(length_of(header))))
        finally:
            writer.close()
            lost = self._process is process and self._control is not None
            if lost:
                logger.error("The process that forks engine hosts has ended")
                self._lose_control()
            self._lose_forks()
            if lost:
                process.kill()
                await asyncio.to_thread(process.wait)

    def _handle(self, message: dict[str, Any]) -> None:
        if "missing" in message:
            for name in message["missing"]:
                logger.warning("Environments are confined too little: %s", explain(name))
            return
        fork = self._forks[message["host"]]
        if "pid" in message:
            if not fork.pid.done():
                fork.pid.set_result(message["pid"])
            return
        del self._forks[fork.number]
        if "failed" in message:
            logger.error("An engine host could not be forked: %s", message["failed"])
            if not fork.pid.done():
                fork.pid.set_exception(OSError(message["failed"]))
        fork.ended.set_result(message.get("ended"))

    def _lose_control(self) -> None:
        if self._launched is not None:
            self._launched.close()
            self._launched = None
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.shutdown(socket.SHUT_RDWR)
            self._control.close()
            self._control = None

    def _lose_forks(self) -> None:
        """Ends every host: their parent is gone, so their exit codes stay unknown."""
        forks, self._forks = self._forks, {}
        for fork in forks.values():
            if fork.pid.done() and not fork.pid.cancelled() and fork.pid.exception() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(fork.pid.result(), signal.SIGKILL)
            elif not fork.pid.done():
                fork.pid.set_exception(ConnectionError("the process that forks hosts has ended"))
            fork.ended.set_result(None)
