"""Limits foreign code: deadlines, memory, processes, files, the network.

What Python forbids contains mistakes, and says what was tried. Code inside Python can undo it, so the kernel
keeps foreign code from files, network and other processes as well (`engine.confine.kernel`), and the parent
process watches the host from outside.

Environments of one version may share a process, and could change functions of the engine and of arcengine.
What they replace openly is found, and ends the process. No other version is ever affected.
"""

from __future__ import annotations

import functools
import os
import resource
import select
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np

from engine.confine import kernel, system_calls
from engine.confine.deadline import TICK_SECONDS, Deadline
from engine.confine.process import outside_the_project, readable_folders
from engine.errors import EngineError, EnvironmentFault, one_line
from engine.source_lines import IMPORT, line_running

_WATCHED = ("engine", "arcengine", "json")
_WATCHED_BETWEEN_GAMES = ("numpy", "random")
_SHARED_NAMES = (type, FunctionType, BuiltinFunctionType, MethodType, np.ufunc)


class Originals:
    """The functions and classes as they were when this was made, before foreign code was loaded."""

    def __init__(self) -> None:
        self._names: list[tuple[Mapping[str, Any], str, Any, str]] = []
        self._codes: list[tuple[FunctionType, CodeType, str]] = []
        self._shared: list[tuple[Mapping[str, Any], dict[str, Any], str]] = []
        for name, module in sorted(sys.modules.items()):
            if not isinstance(module, ModuleType):
                continue
            if _is_watched(name):
                self._add_module(name, module)
            elif name.partition(".")[0] in _WATCHED_BETWEEN_GAMES:
                self._shared.append((vars(module), _shared_names(module), name))

    def replaced(self) -> str | None:
        """The first function or class that is no longer the same, or None."""
        for namespace, name, value, where in self._names:
            if namespace.get(name) is not value:
                return where
        for function, code, where in self._codes:
            if function.__code__ is not code:
                return where
        return None

    def changed(self) -> str | None:
        """As `replaced`; or a value of a class that changed, a name added to one, or what NumPy offers.

        It takes about a millisecond.
        """
        if (where := self.replaced()) is not None:
            return where
        for namespace, known, where in self._shared:
            for name, value in known.items():
                if namespace.get(name) is not value:
                    return f"{where}.{name}"
            if isinstance(namespace, MappingProxyType) and len(namespace) != len(known):
                added = [name for name in namespace if name not in known and not _is_made_by_python(name)]
                if added:
                    return f"{where}.{added[0]}"
        return None

    def _add_module(self, module_name: str, module: ModuleType) -> None:
        for name, value in vars(module).items():
            if not isinstance(value, (type, FunctionType)) or not _is_watched(value.__module__):
                continue
            self._names.append((vars(module), name, value, f"{module_name}.{name}"))
            if value.__module__ != module_name:  # it is imported from where it is watched
                continue
            if isinstance(value, FunctionType):
                self._codes.append((value, value.__code__, f"{module_name}.{name}"))
            else:
                self._add_class(f"{module_name}.{name}", value)

    def _add_class(self, class_name: str, owner: type) -> None:
        values = {name: value for name, value in vars(owner).items() if not _is_made_by_python(name)}
        self._shared.append((vars(owner), values, class_name))
        for name, value in vars(owner).items():
            function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            function = function.fget if isinstance(function, property) else function
            if isinstance(function, FunctionType):
                where = f"{class_name}.{name}"
                self._names.append((vars(owner), name, value, where))
                self._codes.append((function, function.__code__, where))


def _is_watched(module_name: str) -> bool:
    return module_name.partition(".")[0] in _WATCHED


def _shared_names(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if isinstance(value, _SHARED_NAMES)}


def _is_made_by_python(name: str) -> bool:
    """Whether Python or a library sets this name of a class at its first use."""
    return name.startswith(("__pydantic_", "__annot", "_abc_", "__static_attributes__", "__signature__"))


@functools.cache
def originals() -> Originals:
    """Those of this process, made at the first call; a forked process inherits them."""
    return Originals()


MEGABYTE = 1024 * 1024
MOST_OPEN_FILES = 64
IMPORTS = "An environment imports arcengine, numpy and the standard library, nothing else"
LAST_RESORT_SECONDS = 60.0
"""Of computing beyond the deadline, after which the kernel ends the process."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FORBIDDEN_EVENTS = frozenset(
    {
        *("os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.spawn", "os.system", "pty.spawn"),
        *("os.kill", "os.killpg", "signal.pthread_kill", "subprocess.Popen"),
        *("_thread.start_new_thread", "_thread.start_joinable_thread"),
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
        *("os.chmod", "os.chown", "os.chflags", "os.utime", "os.setxattr", "os.removexattr"),
        *("os.putenv", "os.unsetenv", "os.chdir", "os.fchdir"),
        *("resource.setrlimit", "resource.prlimit"),
    }
)
_FORBIDDEN_FAMILIES = ("socket.", "sqlite3.", "ctypes.", "shutil.", "tempfile.", "urllib.", "webbrowser.")
_FORBIDDEN_IMPORTS = frozenset(
    {
        *("_posixsubprocess", "_ctypes", "_cffi_backend", "_posixshmem", "_multiprocessing"),
        # What opens files or connections below Python, where no audit event is raised.
        *("_dbm", "_gdbm", "_tkinter", "av", "polars", "_polars_runtime_32", "pyarrow"),
        *("psycopg", "psycopg_binary", "psycopg_c"),
    }
)
_LISTING_EVENTS = frozenset({"os.listdir", "os.scandir"})
# What reaches other processes or leaves files, and raises no audit event.
_FORBIDDEN_FUNCTIONS = {
    ("os", "posix"): (
        *("mkfifo", "mknod", "pidfd_open", "setpriority", "nice", "setsid", "setpgid", "chroot"),
        *("sched_setaffinity", "sched_setparam", "sched_setscheduler", "setns", "unshare"),
    ),
    ("signal", "_signal"): ("pidfd_send_signal",),
}


class Confinement:
    """Runs one call of foreign code at a time, within its limits.

    `waits`: how often the process had given up the processor by its own call when the last call ended.
    """

    def __init__(self, memory_megabytes: int, host_memory_megabytes: int) -> None:
        self._memory = memory_megabytes * MEGABYTE
        self._host_memory = host_memory_megabytes * MEGABYTE
        self._deadline = Deadline(LAST_RESORT_SECONDS)
        self.waits = 0
        self._peak = self._first_peak = _peak_bytes()
        self._forbidden: str | None = None
        self._originals = originals()

    def seal(self, pipe: int) -> None:
        """Sets every limit permanently. Closing the descriptor `pipe` ends the process."""
        sys.dont_write_bytecode = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._deadline.install()
        address_space = _address_space()
        readable = readable_folders()
        # The project, where the data may lie, is nothing to read, and what looks for a module lists its path.
        sys.path[:] = outside_the_project(sys.path)
        kernel.prepare(readable)
        kernel.confine()
        threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
        self._peak = self._first_peak = _peak_bytes()
        self._limit_resources(address_space)
        self._replace_functions()
        kernel.filter_system_calls()
        for module in (kernel, system_calls):
            vars(module)["_libc"] = _Closed(self._refuse, f"{module.__name__}._libc")
        sys.addaudithook(lambda event, args: self._audit(event, args, readable))

    def run[T](self, call: Callable[[], T], seconds: float, used: int) -> tuple[T, int]:
        """The call's result and the bytes this environment has used, which were `used` before.

        What counts is how far the peak of the whole process has risen since the call before: memory that was
        used and given back is not counted again. `seconds` are counted as `engine.confine.deadline` says.

        Raises EngineError as the call does; EnvironmentFault deadline_exceeded, memory_exceeded,
        forbidden_operation (also when the foreign code swallowed what it was told), environment_raised,
        and code_replaced in place of the last.
        """
        self._forbidden = None
        try:
            result = self._deadline.run(call, seconds)
        except BaseException as error:
            self._settle(used)
            self.inspect()
            if isinstance(error, EngineError):
                raise
            message = f"The environment raised {type(error).__name__}."
            raise EnvironmentFault("environment_raised", message) from error
        return result, self._settle(used)

    def inspect(self) -> None:
        """Raises EnvironmentFault code_replaced if functions of the engine or of arcengine were replaced.

        It takes as long as a short action, so it is not done after each.
        """
        if (replaced := self._originals.replaced()) is not None:
            raise EnvironmentFault("code_replaced", f"The environment replaced {replaced}.")

    def inspect_between_games(self) -> None:
        """As `inspect`, and looks at all that games of a process share, once one of them has ended."""
        if (changed := self._originals.changed()) is not None:
            message = f"The environment changed {changed}, which others use."
            raise EnvironmentFault("code_replaced", message)

    @property
    def charged(self) -> float:
        """The seconds that the last call took at most, if it gave up the processor.

        Time in which the process was stopped from outside, or could not run, is not counted.
        """
        return self._deadline.charged + TICK_SECONDS

    def is_crowded(self) -> bool:
        """Whether less of the process's memory was left at times than one environment may use."""
        return _peak_bytes() - self._first_peak > self._host_memory - self._memory

    def rest(self) -> None:
        """Stops the deadline's timer while no call follows."""
        self._deadline.rest()

    def _settle(self, used: int) -> int:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        self.waits = usage.ru_nvcsw
        before, self._peak = self._peak, _peak_of(usage)
        used += self._peak - before
        if self._forbidden is not None:
            message = f"The environment tried something that is not allowed here: {self._forbidden}."
            raise EnvironmentFault("forbidden_operation", message)
        if self._deadline.late:
            raise EnvironmentFault("deadline_exceeded", "The environment took too long for one action.")
        if used > self._memory:
            message = f"The environment uses more than {self._memory // MEGABYTE} MB of memory."
            raise EnvironmentFault("memory_exceeded", message)
        return used

    def _limit_resources(self, address_space: int | None) -> None:
        limits = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_NOFILE: MOST_OPEN_FILES,
            resource.RLIMIT_NPROC: 0,
        }
        if address_space is not None:
            limits[resource.RLIMIT_AS] = address_space + self._host_memory
        for kind, limit in limits.items():
            hard = resource.getrlimit(kind)[1]
            if hard != resource.RLIM_INFINITY:
                limit = min(limit, hard)
            resource.setrlimit(kind, (limit, limit))

    def _replace_functions(self) -> None:
        for names, functions in _FORBIDDEN_FUNCTIONS.items():
            for module in (sys.modules[name] for name in names if name in sys.modules):
                for function in functions:
                    self._replace(module, function, f"{names[0]}.{function}")

    def _replace(self, module: ModuleType, function: str, operation: str) -> None:
        def refuse(*_given: object, **_named: object) -> None:
            self._refuse(operation)

        if hasattr(module, function):
            setattr(module, function, refuse)

    def _audit(self, event: str, args: tuple[Any, ...], readable: tuple[str, ...]) -> None:
        if event == "open":
            refused = _refused_file(args[0], args[2], readable)
        elif event in _LISTING_EVENTS:
            refused = _refused_file("." if args[0] is None else args[0], 0, readable)
        elif event == "import":
            refused = args[0] if args[0] in _FORBIDDEN_IMPORTS else None
        else:
            refused = event if event in _FORBIDDEN_EVENTS or event.startswith(_FORBIDDEN_FAMILIES) else None
        if refused is not None:
            self._refuse(f"{event} {refused}" if refused != event else event)

    def _refuse(self, operation: str) -> None:
        self._forbidden = operation
        with suppress(Exception):  # foreign code may have changed what this reads
            self._forbidden += _led_to_by(*line_running(sys._getframe()))
        raise PermissionError(f"not allowed here: {operation}")


def _led_to_by(where: str, statement: str) -> str:
    """What the line of the source says of a refused operation; of an import, what may be imported."""
    if not where:
        return ""
    imported = IMPORT.match(statement)
    if imported is None:
        return f" {where}"
    rule = "" if imported[1] in sys.stdlib_module_names else f". {IMPORTS}"
    return f", by `{one_line(statement)}` {where}{rule}"


class _Closed:
    """Stands where a tool of the engine was that foreign code must not use: touching it is refused."""

    def __init__(self, refuse: Callable[[str], None], operation: str) -> None:
        self._refuse: Callable[[], None] = functools.partial(refuse, operation)

    def __getattr__(self, name: str) -> Any:
        self._refuse()


def _refused_file(path: Any, flags: int, readable: tuple[str, ...]) -> str | None:
    if isinstance(path, int) or flags & _WRITING:
        return str(path)
    real = os.path.realpath(os.fsdecode(path))
    return real if Path(real).exists() and not (real + os.sep).startswith(readable) else None


def _end_with(pipe: int) -> None:
    poll = select.poll()
    poll.register(pipe, 0)
    poll.poll()
    os._exit(0)


def _peak_bytes() -> int:
    return _peak_of(resource.getrusage(resource.RUSAGE_SELF))


def _peak_of(usage: resource.struct_rusage) -> int:
    peak = usage.ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _address_space() -> int | None:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except FileNotFoundError:
        return None
