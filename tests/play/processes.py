"""Checks whether a process runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def wait_for_the_end(process: int) -> None:
    wait_until(lambda: not runs(process))


def wait_until(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < give_up, "it did not come true in time"
        time.sleep(0.02)


def runs(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
