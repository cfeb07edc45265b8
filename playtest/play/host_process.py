"""One engine host as its parent sees it: a process that answers in order, and is killed if it does not."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import EnvironmentFault
from engine.pipe import LENGTH_BYTES, length_of, packed, unpacked

PROJECT = Path(__file__).parents[2]
READY_SECONDS = 60.0
SECOND_LOOK_SECONDS = 0.1
CLOSE_SECONDS = 1.0
LONGEST_ANSWER_BYTES = 16 * 1024 * 1024

# All that a host gets: what makes its games the same in every process, and no secret.
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
# A game cannot send these (`engine.confinement`), so whoever did, no environment is to blame.
_SENT_FROM_OUTSIDE = {-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}

logger = logging.getLogger(__name__)


class HostLost(Exception):
    """The host of this game is gone through no fault of the game: rebuild it from its journal."""


@dataclass(eq=False, slots=True)
class _Request:
    """`seconds` it may take once it is the host's to answer; `foreign` if it runs the environment's code."""

    answer: asyncio.Future[dict[str, Any]]
    seconds: float
    foreign: bool


class HostProcess:
    """A host from start to end. What is asked before it is ready waits. `load` counts the games on it."""

    def __init__(self, arguments: Sequence[str], ended: Callable[[HostProcess], None]) -> None:
        self.alive = True
        self.load = 0
        self.loaded: set[str] = set()
        self._ended = ended
        self._pending: deque[_Request] = deque()
        self._unsent: list[bytes] = []
        self._process: asyncio.subprocess.Process | None = None
        self.was_ready = False
        self._closing = False
        self._overdue = False
        self._garbled = False
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run(arguments))

    @property
    def pid(self) -> int | None:
        """The process's number, once there is one."""
        return None if self._process is None else self._process.pid

    def send(
        self, message: dict[str, Any], seconds: float, *, foreign: bool = False
    ) -> asyncio.Future[dict[str, Any]]:
        """The answer to come: raises HostLost, or EnvironmentFault if this very request ended the host."""
        request = _Request(self._loop.create_future(), seconds, foreign)
        request.answer.add_done_callback(_retrieve)
        if not self.alive:
            request.answer.set_exception(HostLost("the host has ended"))
            return request.answer
        self._pending.append(request)
        self._write(packed(message))
        if len(self._pending) == 1:
            self._watch()
        return request.answer

    async def close(self) -> None:
        """Ends the process, by force if it does not follow the closing of its pipe."""
        self._closing = True
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        done, _ = await asyncio.wait([self._task], timeout=CLOSE_SECONDS)
        if not done:
            self._kill()
            await asyncio.wait([self._task])

    async def _run(self, arguments: Sequence[str]) -> None:
        command = (sys.executable, "-m", "engine.host", *arguments)
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, env=_ENVIRONMENT, cwd=PROJECT
            )
            await self._converse(self._process)
        except ValueError:
            self._garbled = True
        except (OSError, TimeoutError):
            logger.exception("An engine host did not start")
        finally:
            self._kill()
            code = None if self._process is None else await self._process.wait()
            self._end(code)

    async def _converse(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError):
            async with asyncio.timeout(READY_SECONDS):
                await _message(process.stdout)
            self._begin()
            while True:
                self._answered(await _message(process.stdout))

    def _begin(self) -> None:
        self.was_ready = True
        for message in self._unsent:
            self._write(message)
        self._unsent.clear()
        self._watch()

    def _write(self, message: bytes) -> None:
        if self.was_ready and self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(message)
        else:
            self._unsent.append(message)

    def _answered(self, answer: dict[str, Any]) -> None:
        if not self._pending:
            raise ValueError("it answered what nobody asked")
        request = self._pending.popleft()
        if not request.answer.done():
            request.answer.set_result(answer)
        self._watch()

    def _watch(self) -> None:
        """Times the request that the host has in hand now."""
        if self._timer is not None:
            self._timer.cancel()
        if self._pending and self.was_ready:
            request = self._pending[0]
            self._timer = self._loop.call_later(request.seconds, self._suspect, request)

    def _suspect(self, request: _Request) -> None:
        """Looks once more before killing: this loop may be the late one, the answer waiting in the pipe."""
        self._timer = self._loop.call_later(SECOND_LOOK_SECONDS, self._kill_overdue, request)

    def _kill_overdue(self, request: _Request) -> None:
        if self._pending and self._pending[0] is request:
            self._overdue = True
            self._kill()

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def _end(self, code: int | None) -> None:
        self.alive = False
        if self._timer is not None:
            self._timer.cancel()
        fault = self._blame(code)
        if not self._closing:
            logger.warning("An engine host ended with %s (%d requests pending)", code, len(self._pending))
        for request in self._pending:
            if not request.answer.done():
                guilty = fault is not None and request is self._pending[0]
                request.answer.set_exception(fault if guilty and fault else HostLost("the host has ended"))
        self._pending.clear()
        self._ended(self)

    def _blame(self, code: int | None) -> EnvironmentFault | None:
        """The fault of the request in hand, if it is what ended the host."""
        if not (self._pending and self._pending[0].foreign and self.was_ready) or self._closing:
            return None
        if self._overdue:
            message = "The environment took too long for one action and could not be interrupted."
            return EnvironmentFault("deadline_exceeded", message)
        if code is None or (code in _SENT_FROM_OUTSIDE and not self._garbled):
            return None
        return EnvironmentFault("host_died", f"The environment ended its process (exit code {code}).")


async def _message(stream: asyncio.StreamReader) -> dict[str, Any]:
    length = length_of(await stream.readexactly(LENGTH_BYTES))
    if length > LONGEST_ANSWER_BYTES:
        raise ValueError(f"it announced an answer of {length} bytes")
    return unpacked(await stream.readexactly(length))


def _retrieve(answer: asyncio.Future[dict[str, Any]]) -> None:
    """Marks the outcome as seen, for requests that nobody waits for any more."""
    if not answer.cancelled():
        answer.exception()
