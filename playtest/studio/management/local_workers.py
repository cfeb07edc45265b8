"""Does the jobs of a command in processes of this machine, without the queue."""

import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from playtest.jobs.lifecycle import Cancelled, Claimed
from playtest.jobs.models import Job

_SECONDS_BETWEEN_LINES = 2.0
_SECONDS_BETWEEN_REPORTS = 0.25

type Report = Callable[[int], None]
"""Receives how much of a job is done, several times a second; may raise, which ends the job."""


class LocalWorkers[J: Job, R](ABC):
    """Does jobs of one kind, each in a thread that waits for its process.

    The thread that called `follow` stores everything. `totals` has each job's number of units by its key.
    """

    def __init__(self, totals: Mapping[int, int], units: str, write: Callable[[str], object]) -> None:
        self._totals = totals
        self._units = units
        self._write = write
        self._done: dict[int, int] = {}
        self._stop = threading.Event()
        self._line = ""
        self._written_at = 0.0

    def follow(self, waiting: list[int], workers: int | None) -> None:
        """Does the waiting jobs and those that `store` adds, in as many processes as there are cores.

        Raises Cancelled if someone else ends a job, and what `store` raises.
        """
        workers = workers or os.cpu_count() or 1
        with ThreadPoolExecutor(workers) as pool:
            try:
                self._follow(pool, list(waiting), workers)
            except BaseException:
                self._stop.set()
                raise

    @abstractmethod
    def claim(self, key: int, /) -> Claimed[J] | None:
        """Claims a waiting job; None if it no longer waits."""

    @abstractmethod
    def reporter(self, claimed: Claimed[J], /) -> Report:
        """Stores the progress of a claimed job."""

    @abstractmethod
    def do(self, row: J, report: Report) -> R:
        """Does a job in a process; called in another thread."""

    @abstractmethod
    def store(self, claimed: Claimed[J], result: Future[R]) -> list[int]:
        """Stores a job's result; returns the keys of the jobs that can start now."""

    def _follow(self, pool: ThreadPoolExecutor, waiting: list[int], most: int) -> None:
        running: dict[Future[R], tuple[Claimed[J], Report]] = {}
        while waiting or running:
            while waiting and len(running) < most:
                if claimed := self.claim(waiting.pop(0)):
                    running[pool.submit(self._do, claimed.row)] = claimed, self.reporter(claimed)
            ready, _ = wait(running, _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED)
            for future in ready:
                claimed, _ = running.pop(future)
                waiting += self.store(claimed, future)
                self._done[claimed.row.pk] = self._totals[claimed.row.pk]
            for claimed, report in running.values():
                report(self._done.get(claimed.row.pk, 0))
            self._print_progress()

    def _do(self, row: J) -> R:
        def report(done: int) -> None:
            if self._stop.is_set():
                raise Cancelled
            self._done[row.pk] = done

        return self.do(row, report)

    def _print_progress(self) -> None:
        """Writes how much is done, unless a line was written just now."""
        done = sum(min(done, self._totals[key]) for key, done in list(self._done.items()))
        total = sum(self._totals.values())
        line = f"{done:,} of {total:,} {self._units} ({100 * done // total} %)"
        moment = time.monotonic()
        if line != self._line and (done == total or moment - self._written_at >= _SECONDS_BETWEEN_LINES):
            self._line, self._written_at = line, moment
            self._write(line)
