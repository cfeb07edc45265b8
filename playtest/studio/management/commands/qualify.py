"""`manage.py qualify`: qualify a version here and now, in processes of its own, and keep the report."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from engine.qualify import FULL_STEPS, RECORDINGS, STRUCTURE, Finding, Part, plan
from playtest.studio.management.versions import version_named
from playtest.studio.models import Version
from playtest.studio.services.qualifications import (
    Cancelled,
    does_not_load,
    keep_finished,
    random_seed,
    recordings_of,
    source_of,
)
from playtest.studio.trials import run_part

_SECONDS_BETWEEN_LINES = 2.0
_PRINTED = ("check", "code", "passed", "message", "mend", "level", "recording")

type Findings = dict[Part, list[Finding]]


class Command(BaseCommand):
    help = (
        "Qualify an environment: structure, determinism, recordings, random play, fuzz. "
        "Exit status 0 if it passes, 1 if it does not, 2 if it cannot be done."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Django has a --version of its own, which nobody misses here.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the environment's four-character id")
        parser.add_argument(
            "--version", metavar="DIGEST", help="a version's digest or its beginning; default: current"
        )
        parser.add_argument("--steps", type=int, default=FULL_STEPS, help="random steps of a regime, at most")
        parser.add_argument("--seed", type=int, help="repeats a run exactly; default: random, and told")
        parser.add_argument("--workers", type=int, metavar="N", help="processes; default: one a core")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        version = version_named(options["id"], options["version"])
        seed = random_seed() if options["seed"] is None else options["seed"]
        workers = options["workers"] or os.cpu_count() or 1
        try:
            parts = plan(seed, options["steps"])
        except ValueError as error:
            raise CommandError(f"bad_plan: {error}.", returncode=2) from error
        started_at = timezone.now()
        findings = _qualify(version, parts, workers, self.stderr.write)
        kept = keep_finished(version, seed, options["steps"], findings, started_at)
        self.stdout.write(
            json.dumps(_told(kept.report), indent=2) if options["json"] else _as_text(kept.report)
        )
        if not kept.passed:
            sys.exit(1)


def _qualify(version: Version, parts: list[Part], workers: int, write: Callable[[str], object]) -> Findings:
    """The structure first: what does not load is not played."""
    source, recordings = source_of(version), recordings_of(version)
    course = _Course(parts, write)
    findings: Findings = {}

    def do(part: Part) -> list[Finding]:
        return run_part(source, part, recordings if part.regime == RECORDINGS else [], course.reporter(part))

    with ThreadPoolExecutor(workers) as pool:
        try:
            first = [part for part in parts if part.regime == STRUCTURE]
            findings |= course.follow({pool.submit(do, part): part for part in first})
            if not any(map(does_not_load, findings.values())):
                rest = [part for part in parts if part.regime != STRUCTURE]
                findings |= course.follow({pool.submit(do, part): part for part in rest})
        except BaseException:
            course.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return findings


class _Course:
    """How far the parts are, told on the way."""

    def __init__(self, parts: list[Part], write: Callable[[str], object]) -> None:
        self.stop = threading.Event()
        self._total = sum(part.steps for part in parts)
        self._done: dict[Part, int] = {}
        self._write = write
        self._told = ""
        self._last = 0.0

    def reporter(self, part: Part) -> Callable[[int], None]:
        def report(done: int) -> None:
            if self.stop.is_set():
                raise Cancelled
            self._done[part] = min(done, part.steps)

        return report

    def follow(self, futures: dict[Future[list[Finding]], Part]) -> Findings:
        findings: Findings = {}
        pending = set(futures)
        while pending:
            done, pending = wait(pending, _SECONDS_BETWEEN_LINES, FIRST_COMPLETED)
            for future in done:
                part = futures[future]
                findings[part] = future.result()
                self._done[part] = part.steps
            self._tell()
        return findings

    def _tell(self) -> None:
        steps = sum(self._done.values())
        line = f"{steps:,} of {self._total:,} steps ({100 * steps // self._total} %)"
        moment = time.monotonic()
        if line != self._told and (steps == self._total or moment - self._last >= _SECONDS_BETWEEN_LINES):
            self._told, self._last = line, moment
            self._write(line)


def _told(report: dict[str, Any]) -> dict[str, Any]:
    checks = [{name: entry[name] for name in _PRINTED} for entry in report["checks"]]
    return report | {"checks": checks}


def _as_text(report: dict[str, Any]) -> str:
    lines = ["It passes." if report["passed"] else "It does not pass."]
    if not report["full"]:
        lines.append(
            f"This is a quick look with {report['steps']:,} steps a regime, not the full qualification."
        )
    lines.append(f"Seed {report['seed']}.")
    for entry in report["checks"]:
        mark = "note" if entry["note"] else "ok" if entry["passed"] else "FAILS"
        lines.append(f"{mark:>5}  {entry['code']}: {entry['message']}")
        if not entry["passed"]:
            lines.append(f"       {entry['mend']}")
    return "\n".join(lines)
