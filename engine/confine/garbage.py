"""When an engine host collects cyclic garbage, during which no game on it is answered.

A collection takes as long as there are objects to walk through and garbage to free. With Python's own rules
both add up: all live games, and what a heavy environment has left in a minute, up to 120 ms at once.
So a host collects more often, and freezes what is alive once a game is opened or rebuilt: nothing walks
through that again until it is thawed. Frozen objects are not collected either. They are thawed when as many
games have ended as go on, and when the process has grown.
"""

from __future__ import annotations

import gc
import os
import resource
from contextlib import suppress

THRESHOLDS = (2_000, 5, 0)
"""A full collection is tried after 12,000 new objects, and Python's rule of a quarter delays some of them."""
MOST_UNFROZEN = 60_000
"""Surviving objects: to walk through so many takes 20 to 30 ms."""
LARGE_BYTES = 64 * 1024 * 1024
"""Of a host's growth since it collected everything, or of games that have ended since."""


class GarbageCollection:
    """The collections of one process. Make it while files may still be opened.

    `most_unfrozen`: surviving objects from which what is alive is frozen; None in a process with threads,
    which freezes after each full collection: to count objects holds all of them for a moment, and the tuple
    that another thread is just making then fails (SystemError). `large_bytes`: of growth since everything was
    collected, from which it is collected again.
    """

    def __init__(self, most_unfrozen: int | None = MOST_UNFROZEN, large_bytes: int = LARGE_BYTES) -> None:
        self._most_unfrozen = most_unfrozen
        self._large_bytes = large_bytes
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        self._collections = 0
        self._resident = self._resident_bytes()
        self._ended_games = 0
        self._ended_bytes = 0

    def begin(self) -> None:
        """Sets how often there are collections, and freezes what there is."""
        gc.set_threshold(*THRESHOLDS)
        gc.freeze()

    def game_ready(self) -> None:
        """Freezes what is alive, as a game was opened or rebuilt. Foreign code may run."""
        gc.collect()
        self._freeze()

    def after_request(self) -> None:
        """Freezes what has survived a full collection, if that is much. Foreign code may run."""
        collections = gc.get_stats()[2]["collections"]
        if collections != self._collections:
            self._collections = collections
            if self._most_unfrozen is None or len(gc.get_objects()) > self._most_unfrozen:
                self._freeze()

    def game_ended(self, used_bytes: int, other_games: int) -> None:
        """Collects everything if as many games have ended as go on. Foreign code may run.

        `used_bytes`: of memory, by the game that has ended. `other_games`: how many go on.
        """
        self._ended_games += 1
        self._ended_bytes += used_bytes
        if self._ended_games >= other_games or self._ended_bytes > self._large_bytes:
            self.collect_all()

    def collect_all(self) -> None:
        """Collects all garbage, frozen or not, and freezes what is alive. Foreign code may run."""
        gc.unfreeze()
        gc.collect()
        self._resident = self._resident_bytes()
        self._ended_games = self._ended_bytes = 0
        self._freeze()

    @property
    def grown_bytes(self) -> int:
        """By how much the process has grown since everything was collected."""
        return self._resident_bytes() - self._resident

    def _freeze(self) -> None:
        if self.grown_bytes > self._large_bytes:
            self.collect_all()
            return
        gc.freeze()
        gc.collect()  # of nothing: Python's rule compares with what survived the last full collection
        self._collections = gc.get_stats()[2]["collections"]

    def _resident_bytes(self) -> int:
        """The memory of this process; 0 where the system does not show it."""
        with suppress(OSError, ValueError, IndexError):  # foreign code may have closed it
            if self._file is not None:
                return int(os.pread(self._file, 128, 0).split()[1]) * resource.getpagesize()
        return 0
