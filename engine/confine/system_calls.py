"""The system calls that a confined process may make, as a seccomp filter.

What Python and NumPy need to play is allowed. What libraries try and can do without is refused with EACCES,
or with ENOSYS what the C library then does in another way. Anything else ends the process by SIGSYS, so that
foreign code cannot hide that it tried. Numbers: `unistd_64.h` of Linux for x86-64, `asm-generic/unistd.h`
for arm64. On other processors there is no filter.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import platform
import signal
import socket
import struct
from dataclasses import dataclass
from typing import Any

type _Numbers = dict[str, tuple[int | None, int | None]]


def _table(text: str) -> _Numbers:
    """The numbers for x86-64 and arm64 by name; "-": the call does not exist there."""
    calls = [one.split() for line in text.splitlines() if "#" not in line for one in line.split(",")]
    return {one[0]: (_number(one[1]), _number(one[2])) for one in calls if one}


def _number(written: str) -> int | None:
    return None if written == "-" else int(written)


_ALLOWED = _table(
    """
    # descriptors that are open, and files that Landlock lets a process open
    read 0 63, write 1 64, close 3 57, fstat 5 80, lseek 8 62, pread64 17 67, readv 19 65, writev 20 66,
    dup 32 23, dup2 33 -, dup3 292 24, poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, open 2 -,
    openat 257 56, stat 4 -, lstat 6 -, newfstatat 262 79, statx 332 291, access 21 -, faccessat 269 48,
    faccessat2 439 439, readlink 89 -, readlinkat 267 78, getdents64 217 61, getcwd 79 17,
    fadvise64 221 223, statfs 137 43, fstatfs 138 44, pipe2 293 59,
    # memory
    mmap 9 222, mprotect 10 226, munmap 11 215, brk 12 214, mremap 25 216, madvise 28 233, mincore 27 232,
    membarrier 324 283,
    # its own signals, timers and clocks
    rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, sigaltstack 131 132,
    rt_sigpending 127 136, restart_syscall 219 128, nanosleep 35 101, clock_nanosleep 230 115,
    clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169, time 201 -, times 100 153,
    getitimer 36 102, setitimer 38 103, getrusage 98 165, getrandom 318 278,
    # what it is told about itself and the machine
    getpid 39 172, gettid 186 178, getppid 110 173, getuid 102 174, geteuid 107 175, getgid 104 176,
    getegid 108 177, getgroups 115 158, getresuid 118 148, getresgid 120 150, getpgrp 111 -,
    getpgid 121 155, getsid 124 156, uname 63 160, sysinfo 99 179, getrlimit 97 163, getcpu 309 168,
    getpriority 140 141, sched_getaffinity 204 123,
    # threads that exist, and the end
    futex 202 98, futex_waitv 449 449, futex_wake 454 454, futex_wait 455 455, sched_yield 24 124,
    set_robust_list 273 99, get_robust_list 274 100, rseq 334 293, exit 60 93, exit_group 231 94,
    """
)
_REFUSED = _table(
    """
    ioctl 16 29, prctl 157 167, socketpair 53 199, getsockopt 55 209, getsockname 51 204,
    getpeername 52 205, sched_getattr 315 275, sched_getscheduler 145 120, sched_getparam 143 121,
    get_mempolicy 239 236, mbind 237 235, set_mempolicy 238 237, mlock 149 228, epoll_create1 291 20,
    eventfd2 290 19, timerfd_create 283 85, signalfd4 289 74, inotify_init1 294 26, getxattr 191 8,
    lgetxattr 192 9, fgetxattr 193 10, flock 73 32, umask 95 166, capget 125 90, wait4 61 260,
    waitid 247 95,
    """
)
_UNKNOWN = _table("clone3 435 435, openat2 437 437, close_range 436 436, preadv2 327 286")
_CONDITIONAL = _table("fcntl 72 25, clone 56 220, socket 41 198, tgkill 234 131, prlimit64 302 261")
_FCNTL_ALLOWED = (0, 1, 2, 3, 4, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
_CLONE_THREAD = 0x00010000
# What nobody could tell from a signal of the machine or its staff.
_SIGNALS_FROM_OUTSIDE = (
    *(signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP),
    *(signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
)
_FIRST_UNKNOWN = 457  # later ones are newer than this list

_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE, _ABSENT = _ERRNO | errno.EACCES, _ERRNO | errno.ENOSYS
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_LONGEST_JUMP = 255

_SECCOMP_SET_FILTER, _SECCOMP_ACTION_AVAILABLE = 1, 2
_ALL_THREADS, _NO_SLOWER_SPECULATION = 1, 4


@dataclass(frozen=True, slots=True)
class _Processor:
    architecture: int  # AUDIT_ARCH_*
    column: int
    seccomp: int
    newest: int  # numbers from here on belong to another calling convention


_PROCESSORS = {
    "x86_64": _Processor(0xC000003E, 0, 317, 0x40000000),
    "aarch64": _Processor(0xC00000B7, 1, 277, 0x7FFFFFFF),
}
_processor = _PROCESSORS.get(platform.machine())
_libc: Any = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def available() -> bool:
    """Whether the kernel filters system calls and can end a process for one."""
    if _processor is None:
        return False
    action = ctypes.c_uint32(_KILL)
    return bool(_libc.syscall(_processor.seccomp, _SECCOMP_ACTION_AVAILABLE, 0, ctypes.byref(action)) == 0)


def filter_calls() -> None:
    """Filters all later calls of every thread of this process, for good. Raises OSError."""
    if _processor is None:
        raise OSError(errno.ENOSYS, "no filter for this processor")
    code = _code(_processor, os.getpid())
    program = _Program(len(code) // 8, code)
    flags = _ALL_THREADS | _NO_SLOWER_SPECULATION
    if _libc.syscall(_processor.seccomp, _SECCOMP_SET_FILTER, flags, ctypes.byref(program)) != 0:
        raise OSError(ctypes.get_errno() or errno.EAGAIN, "the system calls could not be filtered")


def prepare() -> None:
    """Makes what all filters share, so that processes forked later need not."""
    if _processor is not None:
        _start(_processor)
        _rest(_processor)


def _code(processor: _Processor, process: int) -> bytes:
    """The filter as instructions of classic BPF, for the process of this number."""
    signals = [
        _argument(0),
        *(_instruction(_EQUAL, process, 1, 0), _return(_KILL)),
        _argument(2),
        *_if_any([int(one) for one in _SIGNALS_FROM_OUTSIDE], _KILL),
        _return(_ALLOW),
    ]
    own = b"".join(_if(_CONDITIONAL["tgkill"][processor.column], signals))
    return _start(processor) + own + _rest(processor)


@functools.cache
def _start(processor: _Processor) -> bytes:
    def numbers(table: _Numbers) -> list[int]:
        return [number for pair in table.values() if (number := pair[processor.column]) is not None]

    return b"".join(
        [
            _load(_ARCHITECTURE),
            *(_instruction(_EQUAL, processor.architecture, 1, 0), _return(_KILL)),
            _load(_NUMBER),
            *(_instruction(_AT_LEAST, processor.newest, 0, 1), _return(_KILL)),
            *_if_any(numbers(_ALLOWED), _ALLOW),
            *_if_any(numbers(_REFUSED), _REFUSE),
            *_if_any(numbers(_UNKNOWN), _ABSENT),
        ]
    )


@functools.cache
def _rest(processor: _Processor) -> bytes:
    conditional = {name: pair[processor.column] for name, pair in _CONDITIONAL.items()}
    thread = [_argument(0), _instruction(_ANY_BIT, _CLONE_THREAD, 0, 1), _return(_REFUSE), _return(_KILL)]
    # The C library tries a Unix socket of a name service, and goes on without.
    unix = [_argument(0), *_if_any([socket.AF_UNIX], _REFUSE), _return(_KILL)]
    return b"".join(
        [
            *_if(conditional["fcntl"], [_argument(1), *_if_any(_FCNTL_ALLOWED, _ALLOW), _return(_REFUSE)]),
            *_if(conditional["clone"], thread),
            *_if(conditional["socket"], unix),
            *_if(conditional["prlimit64"], _reads_own_limits()),
            *(_instruction(_AT_LEAST, _FIRST_UNKNOWN, 0, 1), _return(_ABSENT)),
            _return(_KILL),
        ]
    )


def _reads_own_limits() -> list[bytes]:
    """Of the calling process (0), with no new limit: a null pointer, both halves of it."""
    return [
        _argument(0),
        *(_instruction(_EQUAL, 0, 1, 0), _return(_KILL)),
        _argument(2),
        *(_instruction(_EQUAL, 0, 1, 0), _return(_REFUSE)),
        _argument(2, upper=True),
        *(_instruction(_EQUAL, 0, 1, 0), _return(_REFUSE)),
        _return(_ALLOW),
    ]


def _if_any(values: list[int] | tuple[int, ...], action: int) -> list[bytes]:
    """Returns the action if what is loaded is one of the values."""
    assert len(values) < _LONGEST_JUMP
    checks = [
        _instruction(_EQUAL, value, len(values) - place - 1, int(place == len(values) - 1))
        for place, value in enumerate(values)
    ]
    return [*checks, _return(action)]


def _if(number: int | None, then: list[bytes]) -> list[bytes]:
    """Does `then`, which has to return, if the number of the call is loaded and this one."""
    return [] if number is None else [_instruction(_EQUAL, number, 0, len(then)), *then]


def _argument(place: int, *, upper: bool = False) -> bytes:
    """Loads the lower or the upper half of an argument (little-endian)."""
    return _load(_ARGUMENTS + 8 * place + (4 if upper else 0))


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, offset)


def _return(action: int) -> bytes:
    return _instruction(_RETURN, action)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
