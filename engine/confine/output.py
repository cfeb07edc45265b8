"""Counts what foreign code prints, and discards it."""

from __future__ import annotations

import io
import sys
from collections.abc import Buffer
from contextlib import suppress


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
