"""The memory of this process and of all that it started, by what they are, read from /proc."""

import os
import re
import threading
import time
from collections import defaultdict
from dataclasses import dataclass

from tools.processes import descendants, text_of

_NAMES = {"playtest.rehearsal.serve": "web process", "engine.confine.fork_server": "engine hosts"}
"""What a process is, by a module on its command line; hosts are forks of their server."""
_OTHERS = "simulated people"


@dataclass(frozen=True)
class Sample:
    """Megabytes by kind of process, as `megabytes` counts them, `seconds` after the beginning."""

    seconds: float
    megabytes: dict[str, float]


class Sampler:
    """Samples in a thread until it is closed."""

    def __init__(self, every_seconds: float) -> None:
        self.samples: list[Sample] = []
        self._every = every_seconds
        self._began = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            self.samples.append(Sample(time.monotonic() - self._began, memory()))


def memory() -> dict[str, float]:
    """Megabytes by kind, now, of this process and its descendants."""
    found: dict[str, float] = defaultdict(float)
    for pid in (os.getpid(), *descendants(os.getpid())):
        found[_kind(pid)] += megabytes(pid)
    return dict(found)


def megabytes(pid: int) -> float:
    """Megabytes that a process has written to and no file backs, 0 if it has ended.

    Pages of libraries do not count: their share changes whenever another program loads or ends. A page that
    forks share counts in parts, so that the sum over all of them counts it once.
    """
    return anonymous_megabytes(text_of(pid, "smaps_rollup"))


def anonymous_megabytes(rollup: str) -> float:
    """The same of the text of a `smaps_rollup`, with what is swapped out; 0 of an empty one.

    Linux shows Pss_Anon since 5.4. Before, Private_Dirty is nearest, which lacks what forks share.
    """
    found = re.findall(r"^(\w+):\s+(\d+) kB$", rollup, re.MULTILINE)
    sizes = {name: int(kilobytes) / 1024 for name, kilobytes in found}
    return sizes.get("Pss_Anon", sizes.get("Private_Dirty", 0.0)) + sizes.get("SwapPss", 0.0)


def _kind(pid: int) -> str:
    command = text_of(pid, "cmdline")
    return next((kind for module, kind in _NAMES.items() if module in command), _OTHERS)
