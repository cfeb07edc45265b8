"""Keeps foreign code from harming its host: deadlines, memory, processes, files, the network.

Meant for environments that go wrong, not for attackers: what runs inside Python can undo what Python forbids.
The parent process therefore also watches the host from outside.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from engine.errors import EngineError, EnvironmentFault

MEGABYTE = 1024 * 1024
MOST_OPEN_FILES = 64
REPEAT_SECONDS = 0.05
LAST_RESORT_SECONDS = 60.0
"""Of computing, beyond the deadline: then the kernel ends the process, should whoever watches it be gone."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FORBIDDEN_EVENTS = frozenset(
    {
        *("os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.spawn", "os.system", "pty.spawn"),
        *("os.kill", "os.killpg", "signal.pthread_kill", "subprocess.Popen"),
        *("_thread.start_new_thread", "_thread.start_joinable_thread"),
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
        *("os.chmod", "os.chown", "os.chflags", "os.utime", "os.setxattr", "os.removexattr"),
        *("os.putenv", "os.unsetenv", "os.chdir", "os.fchdir"),
    }
)
_FORBIDDEN_FAMILIES = ("socket.", "sqlite3.", "ctypes.", "shutil.", "tempfile.", "urllib.", "webbrowser.")
_FORBIDDEN_IMPORTS = frozenset({"_posixsubprocess", "_ctypes"})


class DeadlineExceeded(BaseException):
    """Interrupts foreign code; no Exception, so that `except Exception` does not catch it."""


class Confinement:
    """Runs one call of foreign code at a time, within its limits."""

    def __init__(self, memory_megabytes: int, host_memory_megabytes: int) -> None:
        self._memory = memory_megabytes * MEGABYTE
        self._host_memory = host_memory_megabytes * MEGABYTE
        self._late = False
        self._forbidden: str | None = None

    def seal(self, pipe: int) -> None:
        """Sets every limit, for good. `pipe` is the descriptor whose closing ends the process."""
        sys.dont_write_bytecode = True
        threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, self._interrupt)
        self._limit_resources()
        roots = (sys.prefix, sys.base_prefix, *sys.path[1:], str(Path(__file__).parent))
        readable = tuple(os.path.realpath(root) + os.sep for root in roots)
        sys.addaudithook(lambda event, args: self._audit(event, args, readable))

    def run[T](self, call: Callable[[], T], seconds: float, used: int) -> tuple[T, int]:
        """The call's result and the bytes this environment has used, which were `used` before.

        What counts is how far the call raised the peak of the whole process: memory that was used and given
        back before is not counted again.

        Raises EngineError as the call does; EnvironmentFault deadline_exceeded, memory_exceeded,
        forbidden_operation (also when the foreign code swallowed what it was told), environment_raised.
        """
        self._late, self._forbidden = False, None
        peak = _peak_bytes()
        signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, seconds + LAST_RESORT_SECONDS)
        try:
            result = _inside(call)
        except BaseException as error:
            self._settle(used - peak)
            if isinstance(error, EngineError):
                raise
            message = f"The environment raised {type(error).__name__}."
            raise EnvironmentFault("environment_raised", message) from error
        return result, self._settle(used - peak)

    def _settle(self, used_before_peak: int) -> int:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        used = used_before_peak + _peak_bytes()
        if self._forbidden is not None:
            message = f"The environment tried something that is not allowed here: {self._forbidden}."
            raise EnvironmentFault("forbidden_operation", message)
        if self._late:
            raise EnvironmentFault("deadline_exceeded", "The environment took too long for one action.")
        if used > self._memory:
            message = f"The environment uses more than {self._memory // MEGABYTE} MB of memory."
            raise EnvironmentFault("memory_exceeded", message)
        return used

    def _interrupt(self, _signal: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code is _inside.__code__:
                self._late = True
                raise DeadlineExceeded
            frame = frame.f_back

    def _limit_resources(self) -> None:
        limits = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_NOFILE: MOST_OPEN_FILES,
            resource.RLIMIT_NPROC: 0,
        }
        if (used := _address_space()) is not None:
            limits[resource.RLIMIT_AS] = used + self._host_memory
        for kind, limit in limits.items():
            hard = resource.getrlimit(kind)[1]
            if hard != resource.RLIM_INFINITY:
                limit = min(limit, hard)
            resource.setrlimit(kind, (limit, limit))

    def _audit(self, event: str, args: tuple[Any, ...], readable: tuple[str, ...]) -> None:
        if event == "open":
            refused = _refused_file(args[0], args[2], readable)
        elif event == "import":
            refused = args[0] if args[0] in _FORBIDDEN_IMPORTS else None
        else:
            refused = event if event in _FORBIDDEN_EVENTS or event.startswith(_FORBIDDEN_FAMILIES) else None
        if refused is not None:
            self._forbidden = f"{event} {refused}" if refused != event else event
            raise PermissionError(f"not allowed here: {self._forbidden}")


def _inside[T](call: Callable[[], T]) -> T:
    """Marks the stack: the deadline interrupts only what runs below this."""
    return call()


def _refused_file(path: Any, flags: int, readable: tuple[str, ...]) -> str | None:
    if isinstance(path, int) or flags & _WRITING:
        return str(path)
    real = os.path.realpath(os.fsdecode(path))
    return real if Path(real).exists() and not real.startswith(readable) else None


def _end_with(pipe: int) -> None:
    poll = select.poll()
    poll.register(pipe, 0)
    poll.poll()
    os._exit(0)


def _peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _address_space() -> int | None:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except FileNotFoundError:
        return None
