"""`manage.py qualify`: qualifies a version in confined processes and stores the report."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from engine.qualification.findings import Finding
from engine.qualification.plan import (
    FULL_STEPS,
    RECORDINGS,
    STRUCTURE,
    Part,
)
from playtest.jobs.lifecycle import Cancelled
from playtest.jobs.models import JobStatus
from playtest.studio.management.termination import termination_interrupts
from playtest.studio.management.versions import VersionCommand, version_named
from playtest.studio.models import Qualification, Recording
from playtest.studio.processes.qualification import Report, run_part
from playtest.studio.services import qualifications as services

_SECONDS_BETWEEN_LINES = 2.0
_SECONDS_BETWEEN_LOOKS = 0.25
_PRINTED = ("check", "code", "passed", "message", "mend", "level")
_RECORDED = ("seed", "level", "actions")


class Command(VersionCommand):
    help = (
        "Qualify an environment: structure, determinism, recordings, random play, fuzz. "
        "Exit status 0 if it passes, 1 if it does not, 2 if it cannot be done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--steps", type=int, default=FULL_STEPS, help="random steps of a regime, at most")
        parser.add_argument("--seed", type=int, help="repeats it exactly; default: random")
        parser.add_argument("--workers", type=int, metavar="N", help="processes; default: one a core")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        version = version_named(options["id"], options["version"])
        try:
            made = services.create(version, options["seed"], options["steps"])
        except ValueError as error:
            raise CommandError(f"bad_plan: {error}.", returncode=2) from error
        try:
            with termination_interrupts():
                _LocalWorkers(made, self.stderr.write).follow(options["workers"] or os.cpu_count() or 1)
        except Cancelled:
            pass
        except (KeyboardInterrupt, SystemExit):
            services.cancel(made.pk)
        except BaseException:
            services.fail(made.pk)
            raise
        made.refresh_from_db()
        if made.status != JobStatus.DONE:
            raise CommandError(_ended(made), returncode=2)
        self.stdout.write(
            json.dumps(_told(made.report), indent=2) if options["json"] else _as_text(made.report)
        )
        if not made.passed:
            sys.exit(1)


class _LocalWorkers:
    """The parts of a qualification, each in a thread that waits for its process.

    What is stored is stored by the thread that called, as a worker stores it (`services`).
    """

    def __init__(self, qualification: Qualification, write: Callable[[str], object]) -> None:
        self._qualification = qualification
        self._source = services.source_of(qualification.version)
        self._recordings = services.recordings_of(qualification.version)
        self._steps = dict(qualification.parts.values_list("pk", "steps"))
        self._stop = threading.Event()
        self._done: dict[int, int] = {}
        self._write = write
        self._told = ""
        self._last = 0.0

    def follow(self, workers: int) -> None:
        """The structure first: what does not load is not played. Raises Cancelled if someone else ends it."""
        first = self._qualification.parts.get(regime=STRUCTURE)
        with ThreadPoolExecutor(workers) as pool:
            try:
                self._follow(pool, [first.pk], workers)
            except BaseException:
                self._stop.set()
                raise

    def _follow(self, pool: ThreadPoolExecutor, waiting: list[int], most: int) -> None:
        running: dict[Future[list[Finding]], tuple[services.Claimed, Report]] = {}
        while waiting or running:
            while waiting and len(running) < most:
                if claimed := services.claim(waiting.pop(0)):
                    future = pool.submit(self._do, services.part_of(claimed.row), claimed.row.pk)
                    running[future] = claimed, services.reporter(claimed)
            ready, _ = wait(running, _SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED)
            for future in ready:
                claimed, _ = running.pop(future)
                self._done[claimed.row.pk] = claimed.row.steps
                waiting += services.keep(claimed, future.result())
            for claimed, report in running.values():
                report(self._done.get(claimed.row.pk, 0))
            self._tell()

    def _do(self, part: Part, row_id: int) -> list[Finding]:
        def report(done: int) -> None:
            if self._stop.is_set():
                raise Cancelled
            self._done[row_id] = done

        return run_part(self._source, part, self._recordings if part.regime == RECORDINGS else [], report)

    def _tell(self) -> None:
        steps = sum(min(done, self._steps[row_id]) for row_id, done in list(self._done.items()))
        total = self._qualification.total
        line = f"{steps:,} of {total:,} steps ({100 * steps // total} %)"
        moment = time.monotonic()
        if line != self._told and (steps == total or moment - self._last >= _SECONDS_BETWEEN_LINES):
            self._told, self._last = line, moment
            self._write(line)


def _ended(made: Qualification) -> str:
    if made.status == JobStatus.FAILED:
        return made.error
    if made.status != JobStatus.CANCELLED:
        return f"elsewhere: other workers continue qualification {made.pk}."
    note = f"what was found until then is kept as qualification {made.pk}"
    return f"cancelled: after {made.done:,} of {made.total:,} steps; {note}."


def _told(report: dict[str, Any]) -> dict[str, Any]:
    """With recordings as they are played, not as they are stored: the same seed prints the same."""
    stored = {entry["recording"] for entry in report["checks"]} - {None}
    recordings = {row["pk"]: row for row in Recording.objects.filter(pk__in=stored).values("pk", *_RECORDED)}
    checks = []
    for entry in report["checks"]:
        recording = _recorded(recordings.get(entry["recording"]))
        checks.append({name: entry[name] for name in _PRINTED} | {"recording": recording})
    return report | {"checks": checks}


def _recorded(row: dict[str, Any] | None) -> dict[str, Any] | None:
    return row and {name: row[name] for name in _RECORDED}


def _as_text(report: dict[str, Any]) -> str:
    lines = ["It passes." if report["passed"] else "It does not pass."]
    if not report["full"]:
        lines.append(
            f"This is not the full qualification: each regime had at most {report['steps']:,} steps."
        )
    lines.append(f"Seed {report['seed']}.")
    for entry in report["checks"]:
        mark = "note" if entry["note"] else "ok" if entry["passed"] else "FAILS"
        lines.append(f"{mark:>5}  {entry['code']}: {entry['message']}")
        if not entry["passed"]:
            lines.append(f"       {entry['mend']}")
        if entry["recording"]:
            lines.append(
                f"       Watch it at {reverse('review:stored-recording', args=[entry['recording']])}"
            )
    return "\n".join(lines)
