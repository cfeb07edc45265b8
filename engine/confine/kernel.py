"""What the kernel keeps from foreign code: files, the network, other processes, and the server's user.

`Confinement` refuses in Python what foreign code should not do, and says what it was. Foreign code inside
Python can undo that; it cannot undo this, which is set before it is loaded. `python -m
engine.confine.kernel` prints what this machine does not have.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engine.confine import system_calls
from engine.confine.process import readable_folders

_NOBODY: Final = 65534
_LIBRARIES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/dev/urandom",
)

_NO_NEW_PRIVILEGES = 38
_ENTER = 0o001  # anybody may enter a folder
_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITIES_VERSION = 0x20080522
_READ_FILE, _READ_DIRECTORY = 1 << 2, 1 << 3
_HANDLED_FILES = {1: 13, 2: 14, 3: 15, 4: 15}  # rights on files that each version of Landlock knows
_ALL_HANDLED_FILES = 16
_FIRST_WITH_NETWORK, _FIRST_WITH_SCOPES = 4, 6
_BOTH = 0b11  # binding and connecting; abstract sockets and signals

MISSING = {
    "files": "the kernel has no Landlock, so only Python keeps environments from reading files",
    "network": "no network namespace can be made, so only Python and the filter of system calls keep "
    "environments from the network",
    "system calls": "the kernel does not filter system calls, so only Python keeps environments from them",
    "user": "the server runs as root, and no other user can read its Python packages, so environments run as "
    "root, without its privileges",
}
"""What may be missing, and what that means."""

_libc: Any = ctypes.CDLL(None, use_errno=True)
"""`Confinement.seal` closes it: foreign code must not call into C."""


@dataclass(slots=True)
class _State:
    """What this process has prepared. A forked process inherits it."""

    prepared: bool = False
    missing: list[str] = field(default_factory=list)
    ruleset: int | None = None


_state = _State()


def prepare(readable: Iterable[str]) -> list[str]:
    """Leaves network, user and privileges, and prepares `confine`; returns what the kernel lacks (`MISSING`).

    Once for a process and all that it forks; while it has one thread. `readable` are the files and folders
    that foreign code may read.
    """
    if _state.prepared:
        return _state.missing
    _state.prepared = True
    if sys.platform != "linux":
        _state.missing = ["files", "network", "system calls"]
        return _state.missing
    readable = [*readable, *_LIBRARIES]
    _check(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _state.ruleset = _ruleset(readable)
    done = {
        "files": _state.ruleset is not None,
        "network": _leave_network(),
        "system calls": system_calls.available(),
        "user": _leave_root(readable),
    }
    _drop_capabilities()
    system_calls.prepare()
    _state.missing = [name for name, is_done in done.items() if not is_done]
    return _state.missing


def explain(name: str) -> str:
    """What this machine does not have, what that means, and the command that mends it if there is one."""
    places = {folder for path in readable_folders() for folder in Path(path).parents}
    closed = sorted(
        str(folder) for folder in places if folder.is_dir() and not folder.stat().st_mode & _ENTER
    )
    mended = f". To mend it: chmod o+x {' '.join(closed)}" if name == "user" and closed else ""
    return MISSING[name] + mended


def confine() -> None:
    """Restricts the calling thread to reading what `prepare` was given. The threads it starts inherit it."""
    if _state.ruleset is not None:
        _check(_libc.syscall(_RESTRICT_SELF, _state.ruleset, 0))
        os.close(_state.ruleset)
        _state.ruleset = None


def filter_system_calls() -> None:
    """Filters the system calls of all threads, where the kernel can."""
    if sys.platform == "linux" and "system calls" not in _state.missing:
        system_calls.filter_calls()


def _ruleset(readable: Iterable[str]) -> int | None:
    """A Landlock ruleset that allows reading these and nothing else, as a descriptor."""
    version = _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return None
    files = (1 << _HANDLED_FILES.get(version, _ALL_HANDLED_FILES)) - 1
    attributes = struct.pack("=Q", files)
    if version >= _FIRST_WITH_NETWORK:
        attributes += struct.pack("=Q", _BOTH)
    if version >= _FIRST_WITH_SCOPES:
        attributes += struct.pack("=Q", _BOTH)
    ruleset = _libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    _check(ruleset)
    for path in readable:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            _allow_reading(ruleset, path)
    return int(ruleset)


def _allow_reading(ruleset: int, path: str) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = _READ_FILE | _READ_DIRECTORY if Path(path).is_dir() else _READ_FILE
        rule = struct.pack("=Qi", rights, descriptor)
        _check(_libc.syscall(_ADD_RULE, ruleset, 1, rule, 0))
    finally:
        os.close(descriptor)


def _leave_network() -> bool:
    """Moves into an empty network namespace; without privileges in a user namespace of its own."""
    return any(_libc.unshare(kinds) == 0 for kinds in (_NEW_NETWORK, _NEW_USER | _NEW_NETWORK))


def _leave_root(readable: Iterable[str]) -> bool:
    """Becomes "nobody" if this is root, unless that user could not read the Python library."""
    if os.geteuid() != 0:
        return True
    try:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, 0)
        os.setresuid(_NOBODY, _NOBODY, 0)
    except OSError:
        return False
    if all(os.access(path, os.R_OK, effective_ids=True) for path in readable if _is_there(path)):
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
        return True
    os.setresuid(0, 0, 0)
    os.setresgid(0, 0, 0)
    return False


def _is_there(path: str) -> bool:
    """Also if it lies where this user may not look."""
    try:
        return bool(Path(path).stat())
    except PermissionError:
        return True
    except OSError:
        return False


def _drop_capabilities() -> None:
    """Those of root, or of the user namespace, which nothing here needs."""
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    number = _CAPSET.get(platform.machine())
    if number is not None:
        _check(_libc.syscall(number, header, bytes(24)))


def _check(result: int) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code) if code else errno.errorcode[errno.EPERM])


def main() -> None:
    for name in prepare(readable_folders()):
        sys.stdout.write(f"{name}: {explain(name)}\n")


if __name__ == "__main__":
    main()
