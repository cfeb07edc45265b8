"""Starts confined processes: limits on the command line, environment variables, pipe, discarded output.

`engine.confine.host`, `engine.confine.fork_server` and `engine.confine.workers` are such processes. Their
parents take the command from `ProcessLimits.command` and its variables from `environment`; the process reads
its limits back with `ProcessLimits.from_command_line`.
"""

from __future__ import annotations

import argparse
import io
import os
import struct
import sys
from collections.abc import Buffer, Iterable
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import BinaryIO, Self


class _Counted(io.RawIOBase):
    """A standard output that discards and counts."""

    def __init__(self) -> None:
        self.bytes = 0

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    def write(self, data: Buffer, /) -> int:
        length = memoryview(data).nbytes
        self.bytes += length
        return length


_COUNTED = _Counted()
_TEXT = io.TextIOWrapper(io.BufferedWriter(_COUNTED), encoding="utf-8", errors="replace")


def swallow() -> None:
    """Discards and counts what is printed in this process from now on."""
    sys.stdout = sys.stderr = _TEXT


def printed_bytes() -> int:
    """How many bytes were printed since."""
    with suppress(ValueError):  # foreign code closed it
        _TEXT.flush()
    return _COUNTED.bytes


PROJECT = Path(__file__).resolve().parents[2]
"""Where a process is started, so that it finds `engine`."""
FORK, KILL = 1, 2
REQUEST = struct.Struct("<BI")
"""What `engine.confine.fork_server` is asked for, and which host."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What environments may use: seconds for an action and for a start, MB for one and for the process."""

    deadline: float = 1.0
    start_deadline: float = 10.0
    memory: int = 512
    process_memory: int = 2048

    def command(self, module: str) -> list[str]:
        """Starts a module of the engine as a program with these limits."""
        options = (f"{_option(each.name)}={getattr(self, each.name)}" for each in fields(self))
        return [sys.executable, "-m", module, *options]

    @classmethod
    def from_command_line(cls, module: str, description: str) -> Self:
        """The limits that the module was started with."""
        parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
        for each in fields(cls):
            parser.add_argument(_option(each.name), type=type(each.default), default=each.default)
        return cls(**vars(parser.parse_args()))


def environment(hash_seed: str = "0") -> dict[str, str]:
    """All environment variables of a process: no secret, and what makes games the same in every process."""
    return {"PYTHONHASHSEED": hash_seed, "OPENBLAS_NUM_THREADS": "1"}


def take_pipe() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output, moved to where no print gets."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    leave_standard_streams()
    return requests, answers


def leave_standard_streams() -> None:
    """Connects standard input and output with nothing: what is printed is only counted."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    swallow()


def readable_folders() -> tuple[str, ...]:
    """What foreign code may read: the packages, with a separator at the end."""
    roots = (*outside_the_project(sys.path), str(Path(os.__file__).parent), str(PROJECT / "engine"))
    return tuple(dict.fromkeys(os.path.realpath(root) + os.sep for root in roots))


def outside_the_project(path: Iterable[str]) -> list[str]:
    """The folders of Python's path outside of the project that do not contain it."""
    return [folder for folder in path if not PROJECT.is_relative_to(Path(folder).resolve())]


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
