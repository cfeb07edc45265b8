"""Processor time of a server's processes, as the system accounts for it."""

import os
from pathlib import Path

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    """Seconds that a process has computed so far, with all its threads."""
    fields = (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND
