"""`manage.py random_play`: plays a level at random and stores the tries."""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from django.core.management.base import CommandError, CommandParser

from engine.errors import EngineError
from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Cancelled
from playtest.jobs.models import JobStatus
from playtest.studio.management.termination import termination_interrupts
from playtest.studio.management.versions import VersionCommand, version_named
from playtest.studio.models import RandomPlay, Version
from playtest.studio.processes.random_play import Report, play_batch
from playtest.studio.queries import evidence
from playtest.studio.services import random_plays
from playtest.studio.services.explorations import BadRequest
from playtest.studio.services.qualifications import source_of

_SECONDS_BETWEEN_LINES = 2.0
_SECONDS_BETWEEN_LOOKS = 0.25


class Command(VersionCommand):
    help = (
        "Play a level at random, a new game for each try, and say what bounds a random player's chance. "
        "Exit status 0 if the tries were made, 2 if they cannot be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--level", type=int, required=True, help="counted from 1")
        parser.add_argument("--tries", type=int, metavar="N", help="default: what the gate lacks")
        parser.add_argument("--seed", type=int, help="of the sequence of tries; default: random")
        parser.add_argument("--workers", type=int, metavar="N", help="processes; default: one a core")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        version = version_named(options["id"], options["version"])
        level = options["level"]
        try:
            batches = random_plays.create(version, level, tries=options["tries"], seed=options["seed"])
        except BadRequest as refusal:
            raise CommandError(f"{refusal.code}: {refusal}", returncode=2) from refusal
        made = RandomPlay.objects.filter(pk__in=[batch.pk for batch in batches])
        workers = _LocalWorkers(batches, self.stderr.write)
        try:
            with termination_interrupts():
                workers.follow(options["workers"] or os.cpu_count() or 1)
        except EngineError as error:
            raise CommandError(lifecycle.explain_fault(error), returncode=2) from error
        except (Cancelled, KeyboardInterrupt):
            pass
        finally:
            random_plays.cancel(made)
        outcome = _outcome(version, level, list(made.order_by("number")))
        if not outcome["tries"]:
            raise CommandError("cancelled: no batch was made to its end.", returncode=2)
        self.stdout.write(json.dumps(outcome, indent=2) if options["json"] else _as_text(outcome))


class _LocalWorkers:
    """The batches, each in a thread that waits for its process.

    What is stored is stored by the thread that called, as a worker stores it (`services.random_plays`).
    """

    def __init__(self, batches: list[RandomPlay], write: Callable[[str], object]) -> None:
        self._waiting = [batch.pk for batch in batches]
        self._total = sum(batch.total for batch in batches)
        self._stop = threading.Event()
        self._done: dict[int, int] = {}
        self._write = write
        self._told = time.monotonic()

    def follow(self, workers: int) -> None:
        """Raises EngineError of a batch that fails, Cancelled if someone else ends one."""
        with ThreadPoolExecutor(workers) as pool:
            try:
                self._follow(pool, workers)
            except BaseException:
                self._stop.set()
                raise

    def _follow(self, pool: ThreadPoolExecutor, most: int) -> None:
        running: dict[Future[dict[str, Any]], tuple[random_plays.Claimed, Report]] = {}
        while self._waiting or running:
            while self._waiting and len(running) < most:
                if claimed := random_plays.claim(self._waiting.pop(0)):
                    running[pool.submit(self._do, claimed.row)] = claimed, random_plays.reporter(claimed)
            ready, _ = wait(running, _SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED)
            for future in ready:
                claimed, _ = running.pop(future)
                with lifecycle.working(claimed.lease, claimed.row.pk, None, lifecycle.explain_fault):
                    random_plays.keep(claimed, future.result())
                if error := future.exception():
                    raise error
            for claimed, report in running.values():
                report(self._done.get(claimed.row.pk, 0))
            self._tell()

    def _do(self, row: RandomPlay) -> dict[str, Any]:
        def report(done: int) -> None:
            if self._stop.is_set():
                raise Cancelled
            self._done[row.pk] = done

        found = play_batch(source_of(row.version), random_plays.batch_of(row), report)
        self._done[row.pk] = row.total
        return found

    def _tell(self) -> None:
        if time.monotonic() - self._told >= _SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            self._write(f"{sum(list(self._done.values())):,} of {self._total:,} tries")


def _outcome(version: Version, level: int, batches: list[RandomPlay]) -> dict[str, Any]:
    """The outcome of these batches, and what is known of the level by now."""
    reports = [batch.report for batch in batches if batch.status == JobStatus.DONE]
    known = evidence.verdict(version, level)
    faults: Counter[str] = Counter()
    for report in reports:
        faults.update(report["faults"])
    return {
        "level": level,
        "seed": batches[0].seed,
        "budget": batches[0].budget,
        **{name: sum(report[name] for report in reports) for name in ("tries", "lost", "stuck", "actions")},
        "wins": [win for report in reports for win in report["wins"]],
        "faults": dict(faults),
        "known": {
            "standing": known.standing,
            "upper": known.upper,
            "missing": known.missing,
            "words": known.sentence,
        },
    }


def _as_text(outcome: dict[str, Any]) -> str:
    made = (
        f"{outcome['tries']:,} tries of {outcome['budget']:,} actions with seed {outcome['seed']}: "
        f"{len(outcome['wins']):,} won, {outcome['lost']:,} lost, {outcome['actions']:,} actions in all."
    )
    faults = [f"{code} in {times:,} tries, which do not count." for code, times in outcome["faults"].items()]
    return "\n".join([made, *faults, outcome["known"]["words"]])
