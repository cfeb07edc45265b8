"""Processes as /proc tells of them, and processes that are told lines and answer with lines."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.live.seeder import ROOT

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def text_of(pid: int, name: str) -> str:
    """A file of a process in /proc; empty if it has ended or belongs to another user."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace")
    except OSError:
        return ""


def children(parent: int) -> list[int]:
    """The processes that this one started, without those that have ended."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        fields = text_of(int(process.name), "stat").rpartition(")")[2].split()
        if fields and fields[0] != "Z" and int(fields[1]) == parent:
            found.append(int(process.name))
    return found


def descendants(pid: int) -> Iterator[int]:
    """The processes that a process has started, theirs, and so on, as long as they run."""
    for thread in list(Path(f"/proc/{pid}/task").glob("*")):
        for child in map(int, text_of(pid, f"task/{thread.name}/children").split()):
            yield child
            yield from descendants(child)


def send(pid: int, number: signal.Signals) -> bool:
    """Whether the process still was there for the signal."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def processor_seconds(process: int) -> float:
    """Seconds that a process has computed so far, with all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND


class Helper:
    """A module that runs beside this one, is told lines, and answers with lines."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def write_line(self, line: str) -> None:
        """Writes it to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        """Its next line; empty once it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
