"""The processes that a test itself has started."""

import os
from pathlib import Path


def children() -> set[int]:
    """Their numbers, those that have ended and were not waited for among them."""
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))
