"""Does the parts of a qualification in processes of this machine, without the queue."""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from engine.prove.qualification.findings import Finding
from engine.prove.qualification.plan import RECORDINGS
from playtest.jobs.lifecycle import Cancelled, Claimed
from playtest.studio.models import Qualification, QualificationPart
from playtest.studio.processes.qualification import Report, run_part
from playtest.studio.services import qualifications as services

_SECONDS_BETWEEN_LINES = 2.0
_SECONDS_BETWEEN_REPORTS = 0.25

type _Found = Future[list[Finding]]


class LocalWorkers:
    """Does parts, each in a thread that waits for its process.

    The thread that called `follow` stores everything.
    """

    def __init__(self, qualification: Qualification, write: Callable[[str], object]) -> None:
        self._totals = dict(qualification.parts.values_list("pk", "steps"))
        self._source = services.source_of(qualification.version)
        self._recordings = services.recordings_of(qualification.version)
        self._write = write
        self._done: dict[int, int] = {}
        self._stop = threading.Event()
        self._line = ""
        self._written_at = 0.0

    def follow(self, waiting: list[int], workers: int | None) -> None:
        """Does the waiting parts and those that can start then, in as many processes as there are cores.

        Raises Cancelled if someone else ends a part, and what a part raises.
        """
        workers = workers or os.cpu_count() or 1
        with ThreadPoolExecutor(workers) as pool:
            try:
                self._follow(pool, list(waiting), workers)
            except BaseException:
                self._stop.set()
                raise

    def _follow(self, pool: ThreadPoolExecutor, waiting: list[int], most: int) -> None:
        running: dict[_Found, tuple[Claimed[QualificationPart], Report]] = {}
        while waiting or running:
            while waiting and len(running) < most:
                if claimed := services.claim(waiting.pop(0)):
                    running[pool.submit(self._do, claimed.row)] = claimed, services.reporter(claimed)
            ready, _ = wait(running, _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED)
            for future in ready:
                claimed, _ = running.pop(future)
                waiting += services.keep(claimed, future.result())
                self._done[claimed.row.pk] = self._totals[claimed.row.pk]
            for claimed, report in running.values():
                report(self._done.get(claimed.row.pk, 0))
            self._print_progress()

    def _do(self, row: QualificationPart) -> list[Finding]:
        def report(done: int) -> None:
            if self._stop.is_set():
                raise Cancelled
            self._done[row.pk] = done

        recordings = self._recordings if row.regime == RECORDINGS else []
        return run_part(self._source, services.part_of(row), recordings, report)

    def _print_progress(self) -> None:
        """Writes how much is done, unless a line was written just now."""
        done = sum(min(done, self._totals[key]) for key, done in list(self._done.items()))
        total = sum(self._totals.values())
        line = f"{done:,} of {total:,} steps ({100 * done // total} %)"
        moment = time.monotonic()
        if line != self._line and (done == total or moment - self._written_at >= _SECONDS_BETWEEN_LINES):
            self._line, self._written_at = line, moment
            self._write(line)
